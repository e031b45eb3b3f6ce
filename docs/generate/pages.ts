import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { packageVersion } from '../../adapters/node/version.ts'
import { openapi } from '../../adapters/rest/openapi.ts'
import { asyncapi } from '../../adapters/webhooks/asyncapi/index.ts'
import { projectFile } from '../../conformance/program/files.ts'
import { domains, entities } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import { accessPage } from './access.ts'
import { cliPage } from './cli.ts'
import { codebookPage } from './codebook.ts'
import { contractPage, contractPassage } from './contract.ts'
import { deviceOrderStatusesPage } from './device-order-statuses.ts'
import { epcisPage } from './epcis.ts'
import { errorsPage } from './errors.ts'
import { fieldsPage } from './fields.ts'
import { formatPages } from './formats.ts'
import { asyncapiSummary, descriptionText, openapiSummary } from './interfaces.ts'
import { languagesPage } from './languages.ts'
import { libraryPage, publicNames } from './library.ts'
import { limitsPage } from './limits.ts'
import { orderStatusesPage } from './order-statuses.ts'
import { withPassage } from './passage.ts'
import { requirementsPage } from './requirements.ts'
import { restPages } from './rest/index.ts'
import { sensorthingsPage } from './sensorthings.ts'
import { statusesPage } from './statuses.ts'
import { timePassages } from './times.ts'
import { transitionsPage } from './transitions.ts'
import { webhooksPage } from './webhooks.ts'

/** Every file of a folder and its subfolders, by relative path, except the report that `npm run bench` writes. */
export function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'))
  return paths.filter((path) => !/^benchmarks\b/.test(path) && statSync(join(folder, path)).isFile()).sort()
}

const operations = domains.flatMap((domain) => domain.operations)
const eventTypes = domains.flatMap((domain) => domain.webhookEventTypes ?? [])

function descriptions() {
  const version = packageVersion()
  return {
    rest: openapi(operations, version, projections, profiles),
    webhooks: asyncapi({ eventTypes, version }),
  }
}

/** The machine-readable descriptions by name. They are not committed: a release publishes them. */
export function descriptionFiles(): ReadonlyMap<string, string> {
  const { rest, webhooks } = descriptions()
  return new Map([
    ['openapi.json', descriptionText(rest)],
    ['asyncapi-webhooks.json', descriptionText(webhooks)],
  ])
}

/** Every file of `docs/reference/` by name; the same sources give the same text. */
export function referencePages(): ReadonlyMap<string, string> {
  const { rest, webhooks } = descriptions()
  return new Map([
    ['access.md', accessPage(operations)],
    ['asyncapi-webhooks.txt', asyncapiSummary(webhooks)],
    ['cli.md', cliPage()],
    ['codebook.md', codebookPage()],
    ['contract.md', contractPage(operations)],
    ['device-order-statuses.md', deviceOrderStatusesPage(operations)],
    ['epcis.md', epcisPage()],
    ['sensorthings.md', sensorthingsPage()],
    ['errors.md', errorsPage(operations)],
    ['languages.md', languagesPage(operations)],
    ['fields.md', fieldsPage(entities, operations)],
    ...formatPages(),
    ['library.md', libraryPage()],
    ['limits.md', limitsPage(operations)],
    ['openapi.txt', openapiSummary(rest)],
    ['order-statuses.md', orderStatusesPage(operations)],
    ['public-names.txt', publicNames()],
    ['requirements.md', requirementsPage()],
    ...restPages(operations, rest),
    ['statuses.md', statusesPage(entities, operations)],
    ['transitions.md', transitionsPage()],
    ['webhooks.md', webhooksPage(eventTypes)],
  ])
}

/** The texts that people write and that have generated passages, by path; the same sources give the same passages. */
export function textsWithPassages(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const operations = domains.flatMap((domain) => domain.operations)
  for (const passage of [...timePassages(), contractPassage(operations)]) {
    const text = texts.get(passage.path) ?? readFileSync(projectFile(passage.path), 'utf8')
    texts.set(passage.path, withPassage(text, passage))
  }
  return texts
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { domains, type Upcasts, versionOf } from '../../engine/index.ts'
import { dataDirFrom, homeOf, nameOfStore, storeFrom } from '../node/config.ts'
import { packageVersion } from '../node/version.ts'
import { deliveriesSchema } from '../sqlite/deliveries/open.ts'
import { factsSchema } from '../sqlite/facts/open.ts'
import { modelsSchema } from '../sqlite/models/open.ts'
import { type FileSchema, lookInto, schemaOf, shapesOf } from '../sqlite/schemas.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'

/** What this version would do with a file: nothing, migrate it, or refuse it. */
interface Found {
  readonly file: string
  /** The schema of the file; `null` if it is not one of this engine. */
  readonly schema: number | null
  readonly writes: number
  readonly verdict: 'current' | 'migrates' | 'refuses'
}

/** An event whose shape this version does not know. */
interface LaterShape {
  readonly type: string
  readonly version: number
}

/** A default of an earlier version that this one has changed. */
interface ChangedDefault {
  /** The settings that decide: the change concerns nobody who has set one of them. */
  readonly settings: readonly [string, ...string[]]
  readonly sentence: string
}

const changedDefaults: readonly ChangedDefault[] = [
  {
    settings: ['OTEP_PUBLIC_VIEW'],
    sentence:
      'the public sees codes, times and towns of a timeline only. With OTEP_PUBLIC_VIEW=full it sees all, as before.',
  },
  {
    settings: ['HOST', 'OTEP_BASE_URL'],
    sentence: 'this machine alone can connect. With HOST=0.0.0.0 all can, as before.',
  },
  {
    settings: ['OTEP_METRICS_TOKEN', 'OTEP_METRICS_PORT'],
    sentence: 'on the port of the server, /metrics is for this machine alone. Others read it with OTEP_METRICS_TOKEN.',
  },
]

/** `otep upgrade --check`: what this version would do with the files of the store. */
export const run: Run = async (invocation) => {
  const { values, positionals } = invocation
  if (positionals.length > 0) throw usageError('upgrade takes options only; see otep upgrade --help.')
  if (values.check !== true)
    throw usageError(
      'A server brings its files up by itself when it starts. otep upgrade --check says what it would do.',
    )
  const settings = settingsOf(invocation)
  const address = storeFrom(settings)
  if (address.kind === 'memory') throw new Error('A store in memory has no files.')
  const facts = address.kind === 'sqlite' ? address.file : undefined
  if (facts !== undefined && !existsSync(facts))
    throw new Error(
      `There is no store ${facts}. Run this where the server runs, or use --data-dir DIR or --store ADDRESS.`,
    )
  const beside = (name: string) => join(homeOf(address, dataDirFrom(settings)), name)
  const files = [
    ...(facts === undefined ? [] : [foundIn(facts, factsSchema)]),
    ...[foundIn(beside('webhooks.db'), deliveriesSchema), foundIn(beside('models.db'), modelsSchema)],
  ].filter((found) => found !== undefined)
  const isReadable = facts !== undefined && files[0]?.verdict !== 'refuses'
  const defaults = changedDefaults.filter((one) => !one.settings.some((name) => settings[name]))
  const report = { version: packageVersion(), files, later: isReadable ? laterShapes(facts) : [], defaults }
  print(invocation, nameOfStore(address), report)
  return canOpen(report) ? 0 : 1
}

interface Report {
  readonly version: string
  readonly files: readonly Found[]
  readonly later: readonly LaterShape[]
  /** Those that change how this server behaves. */
  readonly defaults: readonly ChangedDefault[]
}

/** A file that is not there is made when it is needed. */
function foundIn(file: string, { application, version: writes }: FileSchema): Found | undefined {
  if (!existsSync(file)) return undefined
  const own = lookInto(file, schemaOf)
  if (own?.application !== application) return { file, schema: null, writes, verdict: 'refuses' }
  const verdict = own.version === writes ? 'current' : own.version < writes ? 'migrates' : 'refuses'
  return { file, schema: own.version, writes, verdict }
}

function laterShapes(file: string): readonly LaterShape[] {
  const upcasts: Upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))
  return (lookInto(file, shapesOf) ?? []).filter(({ type, version }) => version > versionOf(type, upcasts))
}

function canOpen({ files, later }: Pick<Report, 'files' | 'later'>): boolean {
  return later.length === 0 && files.every(({ verdict }) => verdict !== 'refuses')
}

function print({ values, stdout }: Invocation, store: string, report: Report): void {
  const { version, files, later, defaults } = report
  const migrates = files.some(({ verdict }) => verdict === 'migrates')
  if (values.json === true) {
    stdout.write(`${JSON.stringify({ store, ...report, opens: canOpen(report), migrates })}\n`)
    return
  }
  for (const found of files) stdout.write(`${lineOf(found)}\n`)
  for (const shape of later)
    stdout.write(`${shape.type}: events of version ${shape.version}, which a later version of the engine wrote\n`)
  for (const one of defaults) stdout.write(`new default, without ${one.settings.join(' or ')}: ${one.sentence}\n`)
  stdout.write(`${adviceOn(version, canOpen(report), migrates)}\n`)
}

function lineOf({ file, schema, writes, verdict }: Found): string {
  if (schema === null) return `${file}: not a file of this engine`
  if (verdict === 'current') return `${file}: schema ${schema}, as this version writes it`
  if (verdict === 'migrates') return `${file}: schema ${schema}, which this version brings up to ${writes}`
  return `${file}: schema ${schema}, newer than ${writes}, the newest that this version knows`
}

function adviceOn(version: string, opens: boolean, migrates: boolean): string {
  if (!opens)
    return `otep-engine ${version} cannot open this store. Start the version that wrote it, or restore a backup.`
  if (!migrates)
    return `otep-engine ${version} opens this store as it is. As long as it records nothing of a new shape, the version before opens it, too.`
  return `otep-engine ${version} migrates this store when it starts. Make a backup first (otep backup FILE): it is the only way back.`
}

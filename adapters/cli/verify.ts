import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../engine/index.ts'
import { verifyModels } from '../history/models.ts'
import { isImportUnfinished, unfinishedImport } from '../history/unfinished.ts'
import { type ReportCount, verifyHistory } from '../history/verify.ts'
import { nameOfStore, storeFrom } from '../node/config.ts'
import type { Damage, ReportDamage } from '../node/damage.ts'
import { checkFile } from '../sqlite/facts/check.ts'
import { createReadOnlyStore } from '../sqlite/facts/copy.ts'
import { createReadModels } from '../sqlite/models/index.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { progressOn } from './progress.ts'
import { type SessionContext, withContext } from './session.ts'

/** Maximum number of problems that are listed. */
const maxListed = 20

/** What was checked, and the problems found. */
interface Report {
  events: number
  streams?: number
  /** Events recorded before checksums existed; absent if the store is not a file. */
  unchecked?: number
  damages: number
  readonly listed: Damage[]
  readonly found: ReportDamage
}

/** `otep verify`: checks the integrity of the store. */
export const run: Run = async (invocation) => {
  const [file, second] = invocation.positionals
  if (second !== undefined) throw usageError('Name one file, or none for the store itself.')
  const address = storeFrom(settingsOf(invocation))
  const report = createReport()
  const path = file ?? (address.kind === 'sqlite' ? address.file : undefined)
  if (path !== undefined) await checkFileOf(path, invocation, report)
  // If the file itself is broken, reading the history adds nothing.
  if (!report.listed.some(({ check }) => check === 'file')) await checkHistory(file, invocation, report)
  printReport(invocation, file ?? nameOfStore(address), report)
  return report.damages === 0 ? 0 : 1
}

function createReport(): Report {
  const report: Report = {
    events: 0,
    damages: 0,
    listed: [],
    found: (damage) => {
      report.damages++
      if (report.listed.length < maxListed) report.listed.push(damage)
    },
  }
  return report
}

async function checkFileOf(path: string, invocation: Invocation, report: Report): Promise<void> {
  const progress = progressOn(invocation, 1)
  const { events, unchecked } = await checkFile(path, report.found, (done, total) =>
    progress.at(done / total, 'checksums'),
  ).finally(progress.end)
  Object.assign(report, { events, unchecked })
}

async function checkHistory(file: string | undefined, invocation: Invocation, report: Report): Promise<void> {
  const progress = progressOn(invocation, 1)
  const count: ReportCount = (what, done, total) =>
    progress.at(total === undefined ? undefined : done / total, `${done} ${what}`)
  const run = async (context: SessionContext, { leases }: Storage) => {
    if (await isImportUnfinished(leases))
      report.found({ check: 'import', place: 'the store', problem: unfinishedImport })
    Object.assign(report, await verifyHistory(context, report.found, count))
    // The read models of a backup would be built right now, from what was just checked.
    if (file === undefined) await checkModels(context, report, count)
  }
  const store = file === undefined ? {} : { store: createReadOnlyStore(file, Date.now) }
  await withContext(invocation, run, store).finally(progress.end)
}

async function checkModels({ store, models: own }: SessionContext, report: Report, count: ReportCount): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'otep-verify-'))
  const fresh = createReadModels({ store, models: own.models, file: join(directory, 'models.db') })
  try {
    await verifyModels({ own, fresh }, report.found, count)
  } finally {
    await fresh.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function printReport({ values, stdout }: Invocation, name: string, report: Report): void {
  const { events, streams, unchecked, damages, listed } = report
  if (values.json === true) {
    stdout.write(`${JSON.stringify({ store: name, events, streams, unchecked, damages, listed })}\n`)
    return
  }
  for (const { check, place, problem } of listed) stdout.write(`${check}: ${place}: ${problem}\n`)
  if (damages > listed.length) stdout.write(`... and ${damages - listed.length} more\n`)
  const notes = [`${events} events`, ...(streams === undefined ? [] : [`${streams} streams`])]
  if (unchecked) notes.push(`${unchecked} without a checksum`)
  stdout.write(`${name}: ${damages === 0 ? 'whole' : `${damages} damages`} (${notes.join(', ')})\n`)
}

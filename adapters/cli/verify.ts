import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyModels } from '../history/models.ts'
import { type ReportCount, verifyHistory } from '../history/verify.ts'
import { nameOfStore, storeFrom } from '../node/config.ts'
import type { Damage, ReportDamage } from '../node/damage.ts'
import { checkFile } from '../sqlite/facts/check.ts'
import { createReadOnlyStore } from '../sqlite/facts/copy.ts'
import { createReadModels } from '../sqlite/models/index.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { progressOn } from './progress.ts'
import { type SessionContext, withContext } from './session.ts'

/** So many damages are listed one by one. */
const most = 20

/** What was looked at, and found. */
interface Report {
  events: number
  streams?: number
  /** Events that were recorded before there were checksums; absent where the store is no file. */
  unchecked?: number
  damages: number
  readonly listed: Damage[]
  readonly found: ReportDamage
}

/** `otep verify`: whether what is kept is as it was recorded. */
export const run: Run = async (invocation) => {
  const [file, second] = invocation.positionals
  if (second !== undefined) throw usageError('Name one file, or none for the store itself.')
  const address = storeFrom(settingsOf(invocation))
  const report = createReport()
  const path = file ?? (address.kind === 'sqlite' ? address.file : undefined)
  if (path !== undefined) await lookAtFile(path, invocation, report)
  // Of a broken file, what can be read says nothing more.
  if (!report.listed.some(({ check }) => check === 'file')) await lookAtHistory(file, invocation, report)
  tell(invocation, file ?? nameOfStore(address), report)
  return report.damages === 0 ? 0 : 1
}

function createReport(): Report {
  const report: Report = {
    events: 0,
    damages: 0,
    listed: [],
    found: (damage) => {
      report.damages++
      if (report.listed.length < most) report.listed.push(damage)
    },
  }
  return report
}

async function lookAtFile(path: string, invocation: Invocation, report: Report): Promise<void> {
  const progress = progressOn(invocation, 1)
  const { events, unchecked } = await checkFile(path, report.found, (done, total) =>
    progress.at(done / total, 'checksums'),
  ).finally(progress.end)
  Object.assign(report, { events, unchecked })
}

async function lookAtHistory(file: string | undefined, invocation: Invocation, report: Report): Promise<void> {
  const progress = progressOn(invocation, 1)
  const count: ReportCount = (what, done, total) =>
    progress.at(total === undefined ? undefined : done / total, `${done} ${what}`)
  const run = async (context: SessionContext) => {
    Object.assign(report, await verifyHistory(context, report.found, count))
    // Those of a backup would be made for this moment, of what was just looked at.
    if (file === undefined) await lookAtModels(context, report, count)
  }
  const store = file === undefined ? {} : { store: createReadOnlyStore(file, Date.now) }
  await withContext(invocation, run, store).finally(progress.end)
}

async function lookAtModels({ store, models: own }: SessionContext, report: Report, count: ReportCount): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'otep-verify-'))
  const fresh = createReadModels({ store, models: own.models, file: join(directory, 'models.db') })
  try {
    await verifyModels({ store, own, fresh }, report.found, count)
  } finally {
    await fresh.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function tell({ values, stdout }: Invocation, name: string, report: Report): void {
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

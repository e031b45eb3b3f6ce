import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../engine/index.ts'
import { deliverySealer } from '../engine.ts'
import { verifyModels } from '../history/models.ts'
import { isImportUnfinished, unfinishedImport } from '../history/unfinished.ts'
import { type ReportCount, verifyHistory } from '../history/verify.ts'
import { dataDirFrom, nameOfStore, secretFrom, storeFrom } from '../node/config.ts'
import { type Damage, problemOf, type ReportDamage, type ReportProgress } from '../node/damage.ts'
import { deliveriesFileOf } from '../node/store-files.ts'
import { holdsDeliveries, unpackDeliveries } from '../sqlite/deliveries/backup.ts'
import { checkDeliveries } from '../sqlite/deliveries/check.ts'
import { checkFile } from '../sqlite/facts/check.ts'
import { createReadOnlyStore } from '../sqlite/facts/copy.ts'
import { createReadModels } from '../sqlite/models/index.ts'
import { createShelf } from '../sqlite/shelf.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { countingOn, progressOn } from './progress.ts'
import { type SessionContext, withContext } from './session.ts'

/** Maximum number of problems that are listed. */
const maxListed = 20

/** What was checked, and the problems found. */
interface Report {
  events: number
  streams?: number
  /** Events recorded before checksums existed; absent if the store is not a file. */
  unchecked?: number
  /** Webhook deliveries; absent if there have never been any. */
  deliveries?: number
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
  if (!report.listed.some(({ check }) => check === 'file')) {
    await checkHistory(file, invocation, report)
    await checkDeliveriesOf(file, invocation, report)
  }
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
  const progress = countingOn(invocation)
  // The check of a file has counted its events.
  const { events } = report
  const count: ReportCount = (what, done, total = what === 'events' && events > 0 ? events : undefined) =>
    progress.at(what, done, total)
  const run = async (context: SessionContext, { leases }: Storage) => {
    if (await isImportUnfinished(leases))
      report.found({ check: 'import', place: 'the store', problem: unfinishedImport })
    // The read models of a backup would be built right now, from what is checked.
    if (file === undefined) await checkWithModels(context, report, count)
    else await checkEvents(context, report, count)
  }
  const store = file === undefined ? {} : { store: createReadOnlyStore(file, Date.now) }
  await withContext(invocation, run, store).finally(progress.end)
}

async function checkEvents(context: SessionContext, report: Report, count: ReportCount): Promise<void> {
  const shelf = createShelf()
  Object.assign(report, await verifyHistory(context, shelf, report.found, count).finally(shelf.close))
}

async function checkWithModels(context: SessionContext, report: Report, count: ReportCount): Promise<void> {
  const { store, models: own } = context
  await inTemporary(async (directory) => {
    const fresh = createReadModels({ store, models: own.models, file: join(directory, 'models.db') })
    try {
      // They begin now, to read the events in the same pass.
      await Promise.all([
        checkEvents(context, report, count),
        ...[own, fresh].map(({ state }) => state().catch(() => [])),
      ])
      await verifyModels({ own, fresh }, report.found, count)
    } finally {
      await fresh.close()
    }
  })
}

/** Checks the webhook deliveries of this node, or of a backup. */
async function checkDeliveriesOf(backup: string | undefined, invocation: Invocation, report: Report): Promise<void> {
  const settings = settingsOf(invocation)
  const secret = secretFrom(settings)
  if (secret === undefined) return
  const box = deliverySealer(secret)
  const check = async (file: string) => {
    const progress = progressOn(invocation, 1)
    const count: ReportProgress = (done, total) => progress.at(done / total, 'webhook deliveries')
    report.deliveries = await checkDeliveries(file, box, report.found, count).finally(progress.end)
  }
  const own = deliveriesFileOf(dataDirFrom(settings), storeFrom(settings))
  if (backup === undefined) return own !== undefined && existsSync(own) ? check(own) : undefined
  if (!holdsDeliveries(backup)) return
  await inTemporary(async (directory) => {
    const file = join(directory, 'webhooks.db')
    try {
      await unpackDeliveries(backup, file)
    } catch (error) {
      report.found({ check: 'deliveries', place: backup, problem: problemOf(error) })
      return
    }
    await check(file)
  })
}

async function inTemporary<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'otep-verify-'))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function printReport({ values, stdout }: Invocation, name: string, report: Report): void {
  const { events, streams, unchecked, deliveries, damages, listed } = report
  if (values.json === true) {
    stdout.write(`${JSON.stringify({ store: name, events, streams, unchecked, deliveries, damages, listed })}\n`)
    return
  }
  for (const { check, place, problem } of listed) stdout.write(`${check}: ${place}: ${problem}\n`)
  if (damages > listed.length) stdout.write(`... and ${damages - listed.length} more\n`)
  const notes = [`${events} events`, ...(streams === undefined ? [] : [`${streams} streams`])]
  if (deliveries !== undefined) notes.push(`${deliveries} webhook deliveries`)
  if (unchecked) notes.push(`${unchecked} without a checksum`)
  stdout.write(`${name}: ${damages === 0 ? 'whole' : `${damages} damages`} (${notes.join(', ')})\n`)
}

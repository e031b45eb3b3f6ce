import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Invocation, usageError } from './command.ts'
import { waitForSignal } from './signals.ts'

/** Copies the store to a file that does not exist yet. */
export type Copy = (file: string) => Promise<void>

const named = /^otep-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\dZ)\.db$/
const hour = 3_600_000
const units = { m: hour / 60, h: hour, d: 24 * hour }

/**
 * Makes a backup in a directory, named after its time, and removes the oldest ones. With `--every`, does so again until
 * the program is stopped.
 */
export async function keepBackups(invocation: Invocation, directory: string, copy: Copy): Promise<void> {
  const { every, keep } = planIn(invocation)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const backUp = async () => {
    await copy(join(directory, nameAt(Date.now())))
    for (const name of backupsIn(directory).slice(0, -keep)) rmSync(join(directory, name), { force: true })
  }
  if (every === undefined) return backUp()
  const stopped = waitForSignal()
  for (let next = dueAt(directory, every); await isReached(next, stopped); ) {
    const wentWrong = await backUp().then(
      () => undefined,
      (error: Error) => error,
    )
    // At once after the start something is set up wrongly; later it may pass, such as a full disk.
    if (wentWrong !== undefined && backupsIn(directory).length === 0) throw wentWrong
    if (wentWrong !== undefined) invocation.stderr.write(`No backup was made: ${wentWrong.message}\n`)
    next = wentWrong === undefined ? dueAt(directory, every) : Date.now() + every / 10
  }
}

function planIn({ values: { every, keep, force } }: Invocation) {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(String(every ?? '1d')) ?? []
  if (count === undefined) throw usageError('--every takes a time such as 30m, 12h or 1d.')
  if (!/^[1-9]\d{0,4}$/.test(String(keep))) throw usageError('--keep takes the number of backups to keep, from 1 on.')
  if (force === true) throw usageError('--force is for a single file; a backup in a directory replaces none.')
  const milliseconds = Number(count) * units[unit as keyof typeof units]
  return { every: every === undefined ? undefined : milliseconds, keep: Number(keep) }
}

function nameAt(time: number): string {
  return `otep-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`
}

/** The names of the backups in a directory, the oldest first. Other files there are not ours. */
function backupsIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => named.test(name))
    .sort()
}

/** When the next backup is due. A newest one from the future, by a clock that was set back, does not put it off. */
function dueAt(directory: string, every: number): number {
  const newest = Date.parse((backupsIn(directory).at(-1) ?? '').replace(named, '$1$2:$3:$4'))
  return Number.isNaN(newest) || newest > Date.now() ? Date.now() : newest + every
}

/** Waits for a time, in steps because a machine may sleep; false where a signal to stop came first. */
async function isReached(time: number, stopped: Promise<void>): Promise<boolean> {
  while (Date.now() < time) {
    const step = new AbortController()
    const slept = setTimeout(Math.min(time - Date.now(), hour), true, step).catch(() => false)
    const hasSlept = await Promise.race([slept, stopped])
    step.abort()
    if (hasSlept !== true) return false
  }
  return true
}

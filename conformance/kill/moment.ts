import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** When to kill: `wait` milliseconds from now, or from when the file is next written to. */
export interface Moment {
  readonly wait: number
  readonly file?: string
}

/** Writes are looked for this often and this long, in milliseconds. */
const interval = 1
const patience = 5_000

/** Waits until the moment has come. */
export async function untilMoment({ wait, file }: Moment): Promise<void> {
  if (file !== undefined) await written(file)
  await setTimeout(wait)
}

async function written(file: string): Promise<void> {
  const before = stampOf(file)
  for (let passed = 0; passed < patience && stampOf(file) === before; passed += interval) await setTimeout(interval)
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return `${stats?.size} ${stats?.mtimeNs}`
}

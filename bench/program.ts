import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Sample } from './harness.ts'
import type { Usage } from './programs/usage.ts'

/** The path of a program of this project. */
export function programAt(...path: readonly string[]): string {
  return join(import.meta.dirname, '..', ...path) + extname(import.meta.filename)
}

/**
 * Runs a program with its arguments in a process of its own, and measures it from start to end; throws where it fails.
 * The environment of the caller, which may name a store of theirs, is kept from it.
 */
export async function runProgram(units: number, [program = '', ...words]: readonly string[]): Promise<Sample> {
  const args = ['--import', programAt('bench', 'programs', 'usage'), program, ...words]
  const start = performance.now()
  const child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const [[code], said, told] = await Promise.all([
    once(child, 'close'),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
  ])
  const seconds = (performance.now() - start) / 1000
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`)
  const { user, system } = JSON.parse(told) as Usage
  return { units, seconds, cpuSeconds: (user + system) / 1e6 }
}

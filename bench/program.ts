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

/** A program that runs in its own process. */
interface Program {
  readonly stdout: Readable
  stop(): void
  /** Its cost when it has ended; throws if it failed. */
  readonly ended: Promise<Usage>
}

/**
 * Starts a program with its arguments, without the environment of the caller, which may name the caller's own store.
 */
export function startProgram([program = '', ...words]: readonly string[]): Program {
  const args = ['--import', programAt('bench', 'programs', 'usage'), program, ...words]
  const child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const [, stdout, stderr, usageOutput] = child.stdio as unknown as readonly Readable[]
  if (stdout === undefined || stderr === undefined || usageOutput === undefined)
    throw new Error('A program has no output.')
  const ended = Promise.all([once(child, 'close'), text(stderr), text(usageOutput)]).then(([[code], errors, usage]) => {
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`)
    return JSON.parse(usage) as Usage
  })
  return { stdout, stop: () => void child.kill(), ended }
}

/** Runs a program with its arguments, and measures it from start to end; throws if it fails. */
export async function runProgram(units: number, program: readonly string[]): Promise<Sample> {
  const start = performance.now()
  const { stdout, ended } = startProgram(program)
  stdout.resume()
  const { user, system } = await ended
  return { units, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
}

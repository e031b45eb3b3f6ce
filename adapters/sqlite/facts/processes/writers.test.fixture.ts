import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Appended } from '../../../../engine/index.ts'

/**
 * A call that was acknowledged to the writing process; each event has `call` and `of`, the number of the call and of
 * its events.
 */
export interface Answered {
  readonly call: string
  readonly of: number
  readonly answers: readonly Appended[]
}

type Writer = ChildProcessByStdio<null, Readable, null>

/** Starts a writing process. */
export function startWriter(file: string, calls: string): Writer {
  const script = join(import.meta.dirname, 'writer.test.child.js')
  return spawn(process.execPath, [script, file, calls], { stdio: ['ignore', 'pipe', 'inherit'] })
}

const makeSlowly = `
  const [library, file, schema] = process.argv.slice(1)
  const { DatabaseSync } = require(library)
  const database = new DatabaseSync(file)
  database.exec('BEGIN IMMEDIATE; ' + schema)
  require('node:fs').writeSync(1, 'making')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  database.exec('COMMIT')
  database.close()
`

/** Starts a process that creates a file with this schema, says so, and commits a moment later. */
export function startMaker(file: string, schema: string): Writer {
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite')
  return spawn(process.execPath, ['-e', makeSlowly, library, file, schema], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Waits for a writer to end by itself; returns its exit code. */
export async function finished(writer: Writer): Promise<number | null> {
  writer.stdout.resume()
  const [code] = (await once(writer, 'close')) as [number | null]
  return code
}

/** Kills a writer after this many acknowledged calls; returns everything that was acknowledged until its end. */
export async function killedAfter(file: string, count: number): Promise<readonly Answered[]> {
  const writer = startWriter(file, 'forever')
  const answered: Answered[] = []
  try {
    for await (const line of createInterface({ input: writer.stdout })) {
      answered.push(JSON.parse(line) as Answered)
      if (answered.length === count) writer.kill('SIGKILL')
    }
  } finally {
    writer.kill('SIGKILL')
  }
  return answered
}

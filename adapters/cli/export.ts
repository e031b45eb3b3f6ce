import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../engine/index.ts'
import { exportHistory } from '../history/export.ts'
import { nameOfStore, storeFrom } from '../node/config.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { newFile, refuseStore } from './new-file.ts'
import { progressOn } from './progress.ts'
import { withContext } from './session.ts'

/** `otep export`: writes the whole history as text. */
export const run: Run = (invocation) => {
  const { positionals, values, stdout, stderr } = invocation
  const [file, second] = positionals
  if (second !== undefined) throw usageError('Name one file, or none for the standard output.')
  if (file !== undefined) refuseStore(file, invocation)
  stderr.write('The export contains personal data in plain text. Protect it like the store itself.\n')
  return withContext(invocation, async (context) => {
    const pieces = textOf(invocation, context)
    if (file === undefined) await writeAll(stdout as Writable, pieces)
    else
      await newFile(file, values.force === true, (partial) =>
        pipeline(pieces, createWriteStream(partial, { flags: 'r+' })),
      )
    return 0
  })
}

async function* textOf(invocation: Invocation, { store }: Context): AsyncGenerator<string> {
  const progress = progressOn(invocation, undefined)
  const name = nameOfStore(storeFrom(settingsOf(invocation)))
  let events = 0
  try {
    for await (const piece of exportHistory(store, { name, now: Date.now() })) {
      events = piece.events
      progress.at(events, `${events} events`)
      yield piece.text
    }
  } finally {
    progress.end()
  }
  invocation.stderr.write(`${events} events\n`)
}

/** Writes to the standard output and leaves it open. */
async function writeAll(stream: Writable, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) if (!stream.write(text)) await drained(stream)
}

/** Waits until the output is drained; throws if it was closed. */
async function drained(stream: Writable): Promise<void> {
  const heard = new AbortController()
  if (!stream.destroyed) await Promise.race(['drain', 'close'].map((event) => once(stream, event, heard)))
  heard.abort()
  if (stream.destroyed) throw new Error('The output was closed too early.')
}

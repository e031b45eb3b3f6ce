import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Context } from '../../engine/index.ts'
import { nameOfStore, storeFrom } from '../config.ts'
import { exportHistory } from '../history/export.ts'
import { type Command, type Invocation, settingsOf, storeOption, usageError } from './command.ts'
import { forceOption, newFile } from './new-file.ts'
import { progressOn } from './progress.ts'
import { withContext } from './session.ts'

/** `otep export`: the whole history as text. */
export const exportCommand: Command = {
  name: 'export',
  takes: '[FILE]',
  summary: 'Write the whole history as NDJSON, to a file or the standard output; otep import reads it into any store.',
  options: { ...storeOption, ...forceOption },
  run: (invocation) => {
    const { positionals, values, stdout, stderr } = invocation
    const [file, second] = positionals
    if (second !== undefined) throw usageError('Name one file, or none for the standard output.')
    stderr.write('What is written holds personal data in clear text. Keep it as the store itself.\n')
    return withContext(invocation, async (context) => {
      if (file === undefined) await exportTo(stdout as Writable, invocation, context)
      else {
        await newFile(file, values.force === true, async (partial) => {
          const stream = createWriteStream(partial, { flags: 'r+' })
          await exportTo(stream, invocation, context)
          stream.end()
          await finished(stream)
        })
      }
      return 0
    })
  },
}

async function exportTo(stream: Writable, invocation: Invocation, { store }: Context): Promise<void> {
  const progress = progressOn(invocation, undefined)
  const name = nameOfStore(storeFrom(settingsOf(invocation)))
  let events = 0
  try {
    for await (const piece of exportHistory(store, { name, now: Date.now() })) {
      events = piece.events
      progress.at(events, `${events} events`)
      if (!stream.write(piece.text)) await drained(stream)
    }
  } finally {
    progress.end()
  }
  invocation.stderr.write(`${events} events\n`)
}

/** Waits until the reader has taken what was written; throws where there is none any more. */
async function drained(stream: Writable): Promise<void> {
  if (!stream.destroyed) await Promise.race([once(stream, 'drain'), once(stream, 'close')])
  if (stream.destroyed) throw new Error('The output was closed before its end.')
}

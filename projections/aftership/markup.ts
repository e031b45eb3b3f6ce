import { isObject, type Members, withoutMarkup } from '../../engine/index.ts'
import { idOf } from './checkpoint-read.ts'

/** Members with texts that carriers write for people. */
const texts = ['message', 'location', 'city', 'state', 'signed_by']

/** A checkpoint or a tracking whose texts are as people are to read them. */
export function asPeopleReadIt(told: Members): Members {
  const read: Record<string, unknown> = { ...told }
  for (const name of texts) {
    const text = told[name]
    if (typeof text === 'string') read[name] = withoutMarkup(text)
  }
  return read
}

/** A checkpoint whose texts are so, with the id that it has by its texts as they came. */
export function readableCheckpoint(checkpoint: unknown): unknown {
  return isObject(checkpoint) ? { ...asPeopleReadIt(checkpoint), hash: idOf(checkpoint) } : checkpoint
}

import { randomUUID } from 'node:crypto'
import { endOfStream, type Log, lastRevision, type Proposed, type Recorded, write } from './log.ts'

/** What a stream is to a reader: never written, there, deleted (may come back), or gone for ever. */
type StreamState = 'absent' | 'present' | 'deleted' | 'gone'

/** Metadata of a stream, as its `$$` stream has it; revisions below `truncateBefore` are hidden. */
interface Settings {
  readonly maxCount?: number
  readonly truncateBefore?: bigint
}

/** The largest number that `$tb` may be: everything is hidden, the stream is (softly) deleted. */
const everything = endOfStream

/** What the stream is now; a deleted one still has its records. */
export function stateOf(log: Log, stream: string): StreamState {
  const last = lastRevision(log, stream)
  if (last === endOfStream) return 'gone'
  if (settingsOf(log, stream).truncateBefore === everything) return 'deleted'
  return last < 0n ? 'absent' : 'present'
}

/** The records of a stream that its metadata (`$maxCount`, `$tb`) leave to readers, in order of revision. */
export function visible(log: Log, stream: string): readonly Recorded[] {
  const { maxCount, truncateBefore = 0n } = settingsOf(log, stream)
  const records = log.streams.get(stream) ?? []
  const kept = maxCount === undefined ? records : records.slice(-maxCount)
  return kept.filter(({ revision }) => revision >= truncateBefore)
}

/** Hides all events; a later append restores the stream without the hidden ones. */
export function deleteSoftly(log: Log, stream: string, now: number): Recorded {
  return writeSettings(log, stream, everything, now)
}

/** After an append to a deleted stream: events from `revision` on are visible. */
export function undelete(log: Log, stream: string, revision: bigint, now: number): void {
  writeSettings(log, stream, revision, now)
}

/** Ends a stream for ever. */
export function tombstone(log: Log, stream: string, now: number): Recorded {
  return write(log, stream, [ownEvent('$streamDeleted', '{}')], now, endOfStream)
}

function writeSettings(log: Log, stream: string, truncateBefore: bigint, now: number): Recorded {
  const { $tb: _, ...others } = metadataOf(log, stream)
  const rest = JSON.stringify(others).slice(1)
  const text = `{"$tb":${truncateBefore}${rest === '}' ? '' : ','}${rest}`
  return write(log, `$$${stream}`, [ownEvent('$metadata', text)], now)
}

function settingsOf(log: Log, stream: string): Settings {
  if (stream.startsWith('$$')) return { maxCount: 1 }
  const { $maxCount, $tb } = metadataOf(log, stream)
  return {
    ...(typeof $maxCount === 'number' && { maxCount: $maxCount }),
    ...(typeof $tb === 'number' && { truncateBefore: $tb >= Number(everything) ? everything : BigInt($tb) }),
  }
}

function metadataOf(log: Log, stream: string): Record<string, unknown> {
  const last = log.streams.get(`$$${stream}`)?.at(-1)
  if (last === undefined) return {}
  try {
    return JSON.parse(Buffer.from(last.data).toString('utf8'))
  } catch {
    return {}
  }
}

function ownEvent(type: string, text: string): Proposed {
  const metadata = Buffer.alloc(0)
  return { id: randomUUID(), type, contentType: 'application/json', data: Buffer.from(text), metadata }
}

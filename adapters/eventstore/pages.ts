import type { ReadRange, RecordedEvent } from '../../engine/index.ts'
import type { Calls, Decide } from './calls.ts'
import type { Standing } from './codec.ts'
import type { Log } from './log.ts'

/** Part of a stream: all that stands, and what of it the engine sees. */
export interface Page {
  readonly standing: readonly Standing[]
  readonly visible: readonly RecordedEvent[]
  /** The last event of the stream, where the page reaches up to there. */
  readonly last: Standing | undefined
}

/** Events that are read at once. */
export const pageSize = 500

/** Pages of a stream from one of the server's revisions (else from its beginning or end) to the other end. */
export async function* pagesOf(
  log: Log,
  calls: Calls,
  stream: string,
  { from, backwards = false, limit = pageSize }: ReadRange,
  decide: Decide,
): AsyncGenerator<Page> {
  const size = Math.min(limit, pageSize)
  for (let next = from; ; ) {
    const range = { limit: size, backwards, ...(next === undefined ? {} : { from: next }) }
    const standing = await log.read(stream, range)
    const end = standing.at(-1)
    if (end === undefined) return
    const isShort = standing.length < size
    const last = backwards ? (next === undefined ? standing[0] : undefined) : isShort ? end : undefined
    yield { standing, visible: await calls.visible(standing, decide), last }
    next = end.revision + (backwards ? -1 : 1)
    if (isShort || next < 0) return
  }
}

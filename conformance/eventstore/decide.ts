import { type Log, lastRevision, type Proposed, type Recorded } from './log.ts'
import { stateOf } from './stream.ts'

/** What the writer believes of the stream: its last revision, or less. */
export type Expected = bigint | 'any' | 'no-stream' | 'stream-exists'

/** The server's decision about an append: it is new, already recorded, too late, or its stream is deleted. */
type Decision =
  | { readonly kind: 'new' }
  | { readonly kind: 'repeated'; readonly last: Recorded }
  | { readonly kind: 'conflict'; readonly current: bigint }
  | { readonly kind: 'deleted' }

/**
 * Decides about an append as the server does. With a number or `no-stream`, ids are compared with those at exactly
 * these revisions, without time limit. Otherwise only the ids are known that were written since record `knownSince`.
 */
export function decide(
  log: Log,
  stream: string,
  expected: Expected,
  events: readonly Proposed[],
  knownSince: number,
): Decision {
  const state = stateOf(log, stream)
  const current = lastRevision(log, stream)
  if (state === 'gone') return { kind: 'deleted' }
  if (expected === 'stream-exists') {
    if (state === 'deleted') return { kind: 'deleted' }
    if (state === 'absent') return { kind: 'conflict', current }
  }
  if (expected === 'any' || expected === 'stream-exists') return decideByIds(log, stream, events, knownSince)
  const revision = expected === 'no-stream' ? -1n : expected
  if (revision > current) return { kind: 'conflict', current }
  if (revision === current) return { kind: 'new' }
  const decision = decideByPlace(log, stream, revision, events)
  const comesBack = decision.kind === 'conflict' && expected === 'no-stream' && state === 'deleted'
  return comesBack && !startsThere(log, stream, events) ? { kind: 'new' } : decision
}

/** Whether the first event is at the beginning of the stream. */
function startsThere(log: Log, stream: string, events: readonly Proposed[]): boolean {
  return log.streams.get(stream)?.[0]?.id === events[0]?.id
}

/** All ids known: a repetition; only some: a conflict; the first unknown: new, whatever follows. */
function decideByIds(log: Log, stream: string, events: readonly Proposed[], knownSince: number): Decision {
  let last: Recorded | undefined
  for (const event of events) {
    const index = log.indexOfId.get(event.id) ?? -1
    const known = index >= knownSince ? log.records[index] : undefined
    if (known?.stream !== stream) {
      return last === undefined ? { kind: 'new' } : { kind: 'conflict', current: lastRevision(log, stream) }
    }
    last = known
  }
  return last === undefined ? { kind: 'new' } : { kind: 'repeated', last }
}

function decideByPlace(log: Log, stream: string, revision: bigint, events: readonly Proposed[]): Decision {
  const from = Number(revision + 1n)
  const standing = (log.streams.get(stream) ?? []).slice(from, from + events.length)
  const same = standing.length === events.length && standing.every(({ id }, index) => id === events[index]?.id)
  const last = standing.at(-1)
  return same && last !== undefined
    ? { kind: 'repeated', last }
    : { kind: 'conflict', current: lastRevision(log, stream) }
}

import type { RecordedEvent } from '../kernel/event.ts'
import type { Append, EventStore, LastEvent, ReadRange } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'
import { isoOf } from '../kernel/time.ts'
import { judge, singly } from './append.ts'

/** A store that takes everything and records nothing: what it took can be read from it, and be recorded elsewhere as one. */
export interface Collecting extends EventStore {
  /** What was taken, each stream once, with the belief that held when it was taken. */
  appends(): readonly Append[]
}

/**
 * A store on top of another one. Streams read as if what was taken stood in them; `readAll`, `follow` and read models see
 * nothing of it. So a handler can be run to see what it would do, or to do it together with something else.
 */
export function collecting(store: EventStore, clock: () => number): Collecting {
  const taken = new Map<StreamName, { readonly before: number; readonly events: RecordedEvent[] }>()

  async function last(stream: StreamName): Promise<LastEvent | undefined> {
    return taken.get(stream)?.events.at(-1) ?? store.last(stream)
  }

  async function read(stream: StreamName, range: ReadRange = {}): Promise<readonly RecordedEvent[]> {
    const added = taken.get(stream)?.events
    if (added === undefined) return store.read(stream, range)
    return partOf([...(await store.read(stream)), ...added], range)
  }

  async function take(append: Append) {
    const { stream, events, expected } = append
    const revision = (await last(stream))?.revision ?? -1
    const isPlain = expected === revision || (expected === 'no-stream' && revision < 0)
    const standing = isPlain ? [] : await read(stream)
    const verdict = judge(append, { revision, idsFrom: (from, limit) => idsOf(standing.slice(from, from + limit)) })
    if ('repeated' in verdict) return { stream, revision: verdict.repeated, position: '' }
    const known = taken.get(stream) ?? { before: revision, events: [] }
    taken.set(stream, known)
    const recordedAt = isoOf(clock())
    for (const event of events)
      known.events.push({
        recordedAt,
        ...event,
        stream,
        revision: known.before + 1 + known.events.length,
        position: '',
      })
    return { stream, revision: known.before + known.events.length, position: '' }
  }

  async function appendMany(appends: readonly Append[]) {
    const answers = []
    for (const append of appends) answers.push(await take(append))
    return answers
  }

  return {
    append: singly(appendMany),
    appendMany,
    read,
    last,
    readAll: store.readAll,
    follow: store.follow,
    latest: store.latest,
    close: async () => {},
    appends: () =>
      [...taken].map(([stream, { before, events }]) => ({
        stream,
        events: events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
        expected: before < 0 ? 'no-stream' : before,
      })),
  }
}

function idsOf(events: readonly RecordedEvent[]): readonly string[] {
  return events.map(({ id }) => id)
}

function partOf(events: readonly RecordedEvent[], { from, limit, backwards = false }: ReadRange) {
  const wanted = backwards
    ? events.filter(({ revision }) => revision <= (from ?? revision)).reverse()
    : events.slice(from ?? 0)
  return wanted.slice(0, limit)
}

import {
  type Decider,
  type Event,
  type EventStore,
  fold,
  type RecordedEvent,
  type StreamName,
} from '../../engine/index.ts'

/** Maximum number of cached streams; the least recently used one is dropped. */
const maxKept = 10_000

interface CachedStream<State> {
  readonly lastId: string
  readonly state: State
}

/** The state of a stream in a store; undefined if there is no such stream. */
type Folded<State> = (store: Pick<EventStore, 'read' | 'last'>, stream: StreamName) => Promise<State | undefined>

/** Caches the folded state of streams. An unchanged stream costs one look at its end. */
export function foldedStreams<State, E extends Event>(
  decider: Pick<Decider<State, never, E>, 'initial' | 'evolve'>,
): Folded<State> {
  const kept = new Map<StreamName, CachedStream<State>>()

  function keep(stream: StreamName, value: CachedStream<State>) {
    kept.delete(stream)
    kept.set(stream, value)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return value.state
  }

  return async (store, stream) => {
    const last = await store.last(stream)
    if (last === undefined) return undefined
    const known = kept.get(stream)
    if (known?.lastId === last.id) return keep(stream, known)
    const events = (await store.read(stream)) as readonly RecordedEvent<E>[]
    const lastId = events.at(-1)?.id
    return lastId === undefined ? undefined : keep(stream, { lastId, state: fold(decider, events) })
  }
}

import { type RecordedEvent, type TrackingEvent, tracking } from '../../engine/index.ts'
import { type Case, measured, type Settings } from '../harness.ts'

/** How a stream is folded, and whether the result is one. */
interface Folding<State> {
  readonly initial: () => State
  readonly evolve: (state: State, fact: Fact) => State
  readonly isRight: (state: State) => boolean
}

/** What a reducer leaves that only takes the code over, as their users would write it. */
interface Status {
  readonly status: string | undefined
  readonly delivered: boolean
}

/** An event in the form for a peer. */
interface Fact {
  readonly type: string
  readonly data: object
}

/** The measured parts of @event-driven-io/emmett. */
interface Emmett {
  getInMemoryEventStore(): {
    appendToStream(stream: string, facts: readonly Fact[]): Promise<unknown>
    aggregateStream<State>(
      stream: string,
      options: { readonly initialState: () => State; readonly evolve: (state: State, fact: Fact) => State },
    ): Promise<{ readonly state: State }>
  }
}

/** An event as castore stores it. */
interface EventDetail {
  readonly aggregateId: string
  readonly version: number
  readonly type: string
  readonly timestamp: string
  readonly payload: object
}

/** The measured parts of @castore/core. */
interface Castore {
  readonly EventType: new (options: { readonly type: string }) => object
  readonly EventStore: new (options: {
    readonly eventStoreId: string
    readonly eventTypes: readonly object[]
    readonly reducer: (state: unknown, detail: EventDetail) => unknown
    readonly eventStorageAdapter: object
  }) => { getAggregate(id: string): Promise<{ readonly aggregate: unknown }> }
}

/** The measured parts of its adapter. */
interface CastoreAdapter {
  readonly InMemoryEventStorageAdapter: new (options: { readonly initialEvents: readonly EventDetail[] }) => object
}

/**
 * The same recorded events of some streams, folded by emmett and by castore, each from its store in memory, and each with
 * the reducer of our engine and with one that only takes the code over. `passes` is the number of passes through the
 * streams, and `reference` the case to compare with.
 */
export async function foldPeers(
  streams: readonly (readonly RecordedEvent[])[],
  passes: number,
  reference: string,
  peer: Settings['peer'],
): Promise<readonly Case[]> {
  const folds = {
    'emmett, in memory': await emmettFold(streams, plain, peer),
    'castore, in memory': castoreFold(streams, plain, peer),
    'emmett, the same reducer': await emmettFold(streams, same, peer),
    'castore, the same reducer': castoreFold(streams, same, peer),
  }
  const units = passes * streams.reduce((sum, events) => sum + events.length, 0)
  return Object.entries(folds).flatMap(([name, fold]): readonly Case[] => {
    if (fold === undefined) return []
    const run = () =>
      measured(units, async () => {
        for (let pass = 0; pass < passes; pass++)
          for (const index of streams.keys())
            if (!(await fold(String(index)))) throw new Error(`${name} has no status.`)
      })
    return [{ name, reference, run }]
  })
}

const plain: Folding<Status> = {
  initial: () => ({ status: undefined, delivered: false }),
  evolve: (status, { data }) => {
    const { event } = data as { readonly event?: { readonly status_code: string } }
    if (event === undefined) return status
    return { ...status, status: event.status_code, delivered: status.delivered || event.status_code === 'delivered' }
  },
  isRight: ({ status }) => status !== undefined,
}

const same: Folding<ReturnType<typeof tracking.initial>> = {
  initial: tracking.initial,
  evolve: (state, fact) => tracking.evolve(state, fact as TrackingEvent),
  isRight: ({ entries }) => entries.length > 0,
}

/** Folds a stream by its number, and returns whether the result is one. */
type Fold = (stream: string) => Promise<boolean>

async function emmettFold<State>(
  streams: readonly (readonly RecordedEvent[])[],
  { initial, evolve, isRight }: Folding<State>,
  peer: Settings['peer'],
): Promise<Fold | undefined> {
  const store = peer<Emmett>('@event-driven-io/emmett')?.getInMemoryEventStore()
  if (store === undefined) return undefined
  for (const [index, events] of streams.entries())
    await store.appendToStream(
      String(index),
      events.map(({ type, data }) => ({ type, data: data as object })),
    )
  const options = { initialState: initial, evolve }
  return async (stream) => isRight((await store.aggregateStream(stream, options)).state)
}

function castoreFold<State>(
  streams: readonly (readonly RecordedEvent[])[],
  { initial, evolve, isRight }: Folding<State>,
  peer: Settings['peer'],
): Fold | undefined {
  const core = peer<Castore>('@castore/core')
  const adapter = peer<CastoreAdapter>('@castore/event-storage-adapter-in-memory')
  if (core === undefined || adapter === undefined) return undefined
  const initialEvents = streams.flatMap((events, index) => events.map((event) => detailOf(event, String(index))))
  const types = new Set(initialEvents.map(({ type }) => type))
  const store = new core.EventStore({
    eventStoreId: 'tracking',
    eventTypes: [...types].map((type) => new core.EventType({ type })),
    reducer: (state, { type, payload }) => evolve((state as State | undefined) ?? initial(), { type, data: payload }),
    eventStorageAdapter: new adapter.InMemoryEventStorageAdapter({ initialEvents }),
  })
  return async (stream) => {
    const { aggregate } = await store.getAggregate(stream)
    return aggregate !== undefined && isRight(aggregate as State)
  }
}

function detailOf({ type, data, revision, recordedAt }: RecordedEvent, aggregateId: string): EventDetail {
  return { aggregateId, version: revision + 1, type, timestamp: recordedAt, payload: data as object }
}

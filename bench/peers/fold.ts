import type { RecordedEvent } from '../../engine/index.ts'
import { type Case, measured, type Settings } from '../harness.ts'

/** The state of the peers, folded by a reducer as their users would write it. */
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
    aggregateStream(
      stream: string,
      options: { readonly initialState: () => Status; readonly evolve: (status: Status, fact: Fact) => Status },
    ): Promise<{ readonly state: Status }>
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
    readonly reducer: (status: Status, detail: EventDetail) => Status
    readonly eventStorageAdapter: object
  }) => { getAggregate(id: string): Promise<{ readonly aggregate: Status | undefined }> }
}

/** The measured parts of its adapter. */
interface CastoreAdapter {
  readonly InMemoryEventStorageAdapter: new (options: { readonly initialEvents: readonly EventDetail[] }) => object
}

/**
 * The same recorded events of some streams, folded to their status by emmett and by castore, each from its store in
 * memory; `passes` is the number of passes through the streams, and `reference` the case to compare with.
 */
export async function foldPeers(
  streams: readonly (readonly RecordedEvent[])[],
  passes: number,
  reference: string,
  peer: Settings['peer'],
): Promise<readonly Case[]> {
  const folds = { emmett: await emmettFold(streams, peer), castore: castoreFold(streams, peer) }
  const units = passes * streams.reduce((sum, events) => sum + events.length, 0)
  return Object.entries(folds).flatMap(([name, fold]): readonly Case[] => {
    if (fold === undefined) return []
    const run = () =>
      measured(units, async () => {
        for (let pass = 0; pass < passes; pass++)
          for (const index of streams.keys())
            if (!(await fold(String(index)))) throw new Error(`${name} has no status.`)
      })
    return [{ name: `${name}, in memory`, reference, run }]
  })
}

/** Folds a stream by its number, and returns whether it has a status. */
type Fold = (stream: string) => Promise<boolean>

async function emmettFold(
  streams: readonly (readonly RecordedEvent[])[],
  peer: Settings['peer'],
): Promise<Fold | undefined> {
  const store = peer<Emmett>('@event-driven-io/emmett')?.getInMemoryEventStore()
  if (store === undefined) return undefined
  for (const [index, events] of streams.entries())
    await store.appendToStream(
      String(index),
      events.map(({ type, data }) => ({ type, data: data as object })),
    )
  const options = { initialState: () => initial, evolve: (status: Status, { data }: Fact) => evolve(status, data) }
  return async (stream) => (await store.aggregateStream(stream, options)).state.status !== undefined
}

function castoreFold(streams: readonly (readonly RecordedEvent[])[], peer: Settings['peer']): Fold | undefined {
  const core = peer<Castore>('@castore/core')
  const adapter = peer<CastoreAdapter>('@castore/event-storage-adapter-in-memory')
  if (core === undefined || adapter === undefined) return undefined
  const initialEvents = streams.flatMap((events, index) => events.map((event) => detailOf(event, String(index))))
  const types = new Set(initialEvents.map(({ type }) => type))
  const store = new core.EventStore({
    eventStoreId: 'tracking',
    eventTypes: [...types].map((type) => new core.EventType({ type })),
    reducer: (status: Status | undefined, { payload }) => evolve(status ?? initial, payload),
    eventStorageAdapter: new adapter.InMemoryEventStorageAdapter({ initialEvents }),
  })
  return async (stream) => (await store.getAggregate(stream)).aggregate?.status !== undefined
}

function detailOf({ type, data, revision, recordedAt }: RecordedEvent, aggregateId: string): EventDetail {
  return { aggregateId, version: revision + 1, type, timestamp: recordedAt, payload: data as object }
}

const initial: Status = { status: undefined, delivered: false }

function evolve(status: Status, data: object): Status {
  const { event } = data as { readonly event?: { readonly status_code: string } }
  if (event === undefined) return status
  return { ...status, status: event.status_code, delivered: status.delivered || event.status_code === 'delivered' }
}

import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import { isAhead } from './ahead.ts'
import { joinedState, type Parts } from './containment.ts'
import type { TrackingEvent } from './events.ts'
import { readState } from './read.ts'

/** A stream, and the id of its last event. */
type Head = readonly [StreamName, string | undefined]

/** What else than its stream decides a timeline; nothing for most. */
interface Known {
  /** The streams of the containers that it is joined with, and that of its sensors. */
  readonly heads: readonly Head[]
  /** The instants of events that lay ahead of the clock, in epoch milliseconds. */
  readonly ahead: readonly number[]
}

/** The most timelines whose containers are remembered. */
const maxKnown = 20_000

const knownByStore = new WeakMap<EventStore, Map<string, Known>>()

/**
 * What is added to the version of a timeline because of its containers, its sensors, and of events whose time has not come: empty if there
 * are none, which is read off the last event of its stream, once for each. `last` is the id of that event.
 */
export async function containersVersion(
  context: Parts & Pick<Context, 'randomId' | 'clock'>,
  stream: StreamName,
  last: string | undefined,
): Promise<string> {
  if (last === undefined) return ''
  const { store } = context
  const { origin = store } = store
  const cache = knownByStore.get(origin) ?? new Map<string, Known>()
  knownByStore.set(origin, cache)
  const name = `${stream} ${last}`
  const found = cache.get(name)
  if (found !== undefined && (await isCurrent(store, found.heads))) return textOf(found, context.clock())
  const known = await knownOf(context, stream)
  if (known === undefined) return ` ${context.randomId()}`
  cache.delete(name)
  cache.set(name, known)
  for (const oldest of cache.keys()) {
    if (cache.size <= maxKnown) break
    cache.delete(oldest)
  }
  return textOf(known, context.clock())
}

/** Whether the thing of a stream was ever in a container, by the last event. */
export async function isContained(store: EventStore, stream: StreamName): Promise<boolean> {
  const event = await lastIn(store, stream)
  return event !== undefined && 'contained' in event.data
}

async function lastIn(store: EventStore, stream: StreamName): Promise<RecordedEvent<TrackingEvent> | undefined> {
  const range = { backwards: true, limit: 1, opens: () => false }
  const [event] = (await store.read(stream, range)) as readonly RecordedEvent<TrackingEvent>[]
  return event
}

/** Undefined if the containers changed meanwhile. */
async function knownOf(context: Parts & Pick<Context, 'clock'>, stream: StreamName): Promise<Known | undefined> {
  const { store, clock } = context
  const last = await lastIn(store, stream)
  const isJoined = last !== undefined && 'contained' in last.data
  const measured = last !== undefined && 'measured' in last.data ? [await headOfSeries(context, stream)] : []
  if (!isJoined && !mayHaveAhead(last, clock())) return { heads: measured, ahead: [] }
  const read = await readState(context, stream)
  const joined = isJoined ? await joinedState(context, stream, read) : undefined
  const containers = joined === undefined ? [] : await headsOf(context, joined.streams)
  if (containers === undefined) return undefined
  const heads = [...containers, ...measured]
  const { entries } = joined?.state ?? read.state
  return { heads, ahead: entries.flatMap(({ at, withdrawn }) => (withdrawn || !isAhead(at, clock()) ? [] : [at])) }
}

/** The readings of a thing are in another stream than its timeline. */
async function headOfSeries({ store, ports }: Parts, stream: StreamName): Promise<Head> {
  const series = ports.tracking.seriesStreamOf(stream)
  return [series, (await store.last(series))?.id]
}

/** Whether an event of a stream lay ahead of the clock when the last one was recorded. Before that was noted, it was the last one. */
function mayHaveAhead(last: RecordedEvent<TrackingEvent> | undefined, now: number): boolean {
  if (last === undefined || 'ahead' in last.data) return last !== undefined
  return last.type === 'TrackingEventRecorded' && isAhead(instantOf(last.data.event.occurred_at), now)
}

async function isCurrent(store: EventStore, heads: readonly Head[]): Promise<boolean> {
  for (const [stream, id] of heads) if ((await store.last(stream))?.id !== id) return false
  return true
}

/** The heads of all streams that are joined; undefined if one of them grew meanwhile, because it may name new ones. */
async function headsOf(context: Parts, streams: ReadonlyMap<StreamName, number>): Promise<readonly Head[] | undefined> {
  const heads: Head[] = []
  for (const [one, revision] of streams) {
    const last = await context.store.last(one)
    if ((last?.revision ?? -1) !== revision) return undefined
    heads.push([one, last?.id])
  }
  return heads
}

function textOf({ heads, ahead }: Known, now: number): string {
  const left = ahead.filter((at) => isAhead(at, now)).length
  return heads.map(([, id]) => ` ${id}`).join('') + (left === 0 ? '' : ` ${left} ahead`)
}

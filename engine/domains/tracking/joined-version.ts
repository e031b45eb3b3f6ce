import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { joinedState, type Parts } from './containment.ts'
import type { TrackingEvent } from './events.ts'
import { readState } from './read.ts'

/** A stream, and the id of its last event. */
type Head = readonly [StreamName, string | undefined]

/** The streams of the containers that a timeline is joined with; empty for most. */
interface Known {
  readonly heads: readonly Head[]
}

/** The most timelines whose containers are remembered. */
const maxKnown = 20_000

const knownByStore = new WeakMap<EventStore, Map<string, Known>>()

/**
 * What is added to the version of a timeline because of its containers: empty if it never was in one, which is read off
 * the last event of its stream, once for each. `last` is the id of that event.
 */
export async function containersVersion(
  context: Parts & Pick<Context, 'randomId'>,
  stream: StreamName,
  last: string | undefined,
): Promise<string> {
  if (last === undefined) return ''
  const { store } = context
  const { origin = store } = store
  const cache = knownByStore.get(origin) ?? new Map<string, Known>()
  knownByStore.set(origin, cache)
  const name = `${stream} ${last}`
  const known = cache.get(name) ?? { heads: [] }
  if (cache.has(name) && (await isCurrent(store, known.heads))) return textOf(known.heads)
  const heads = (await isContained(store, stream)) ? await headsOf(context, stream) : []
  if (heads === undefined) return ` ${context.randomId()}`
  cache.delete(name)
  cache.set(name, { heads })
  for (const oldest of cache.keys()) {
    if (cache.size <= maxKnown) break
    cache.delete(oldest)
  }
  return textOf(heads)
}

/** Whether the thing of a stream was ever in a container, by the last event. */
export async function isContained(store: EventStore, stream: StreamName): Promise<boolean> {
  const range = { backwards: true, limit: 1, opens: () => false }
  const [event] = (await store.read(stream, range)) as readonly RecordedEvent<TrackingEvent>[]
  return event !== undefined && 'contained' in event.data
}

async function isCurrent(store: EventStore, heads: readonly Head[]): Promise<boolean> {
  for (const [stream, id] of heads) if ((await store.last(stream))?.id !== id) return false
  return true
}

/** The heads of all streams that are joined; undefined if one of them grew meanwhile, because it may name new ones. */
async function headsOf(context: Parts, stream: StreamName): Promise<readonly Head[] | undefined> {
  const { streams } = await joinedState(context, stream, await readState(context, stream))
  const heads: Head[] = []
  for (const [one, revision] of streams) {
    const last = await context.store.last(one)
    if ((last?.revision ?? -1) !== revision) return undefined
    heads.push([one, last?.id])
  }
  return heads
}

function textOf(heads: readonly Head[]): string {
  return heads.map(([, id]) => ` ${id}`).join('')
}

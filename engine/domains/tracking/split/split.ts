import { actorOf } from '../../../kernel/audit.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event, NewEvent, RecordedEvent } from '../../../kernel/event.ts'
import type { Append, EventStore } from '../../../kernel/event-store.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { isoOf } from '../../../kernel/time.ts'
import { versionOf } from '../../../kernel/upcast.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import type { TimelineSplit, TrackingEvent } from '../events.ts'
import { type IdentifierAssigned, identifierStream, identifiersOf } from '../identifiers.ts'
import { maxEvents } from '../schema.ts'
import { upcasts } from '../upcasts.ts'
import { type Fact, type Known, nextName, partedBy, presentFacts, providersIn, reassigned, subjectOf } from './facts.ts'

/** The timeline that providers have now, and the numbers of events in both. */
interface Split {
  readonly splitOff: StreamName
  readonly moved: number
  readonly left: number
  readonly isNew: boolean
}

/**
 * Makes the events of some providers a separate timeline, in one transaction. Nothing is appended if that was done before. Refuses
 * with `provider_not_in_timeline`, `nothing_left_of_timeline`, and `too_many_events` for a long timeline.
 */
export function splitOff(context: Context, stream: StreamName, named: readonly string[]): Promise<Split> {
  const providers = [...new Set(named)].sort()
  return retryOnConflict(async () => {
    const { store } = context
    const last = await store.last(stream)
    if (last === undefined) throw new EngineError('timeline_not_found')
    if (last.revision >= maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    const facts = (await store.read(stream, { limit: last.revision + 1 })) as readonly Fact[]
    const before = earlierSplit(facts, providers)
    if (before !== undefined) return { ...(await countsOf(store, facts, before)), splitOff: before, isNew: false }
    const { to, appends, moved, left } = await decided(context, stream, { facts, providers })
    await store.appendMany([{ ...appends.own, expected: last.revision }, ...appends.others])
    return { splitOff: to, moved, left, isNew: true }
  })
}

/** The timeline to which just these providers were split off, if none of them has reported here since. */
function earlierSplit(facts: readonly Fact[], providers: readonly string[]): StreamName | undefined {
  if (providersIn(presentFacts(facts)).some((name) => providers.includes(name))) return undefined
  const split = splitsIn(facts).findLast(
    ({ data }) => data.to !== undefined && data.providers.join('\0') === providers.join('\0'),
  )
  return split?.data.to
}

function splitsIn(facts: readonly Fact[]): readonly RecordedEvent<TimelineSplit>[] {
  return facts.filter((fact): fact is RecordedEvent<TimelineSplit> => fact.type === 'TimelineSplit')
}

async function countsOf(store: EventStore, facts: readonly Fact[], other: StreamName) {
  const count = (all: readonly Fact[]) =>
    presentFacts(all).filter(({ type }) => type === 'TrackingEventRecorded').length
  const moved = (await store.read(other, { opens: () => false })) as readonly Fact[]
  return { moved: count(moved), left: count(facts) }
}

/** What is appended, from the facts of the timeline. */
async function decided(
  context: Context,
  from: StreamName,
  { facts, providers }: { readonly facts: readonly Fact[]; readonly providers: readonly string[] },
) {
  const { leaving, staying, isErased } = partedBy(facts, providers)
  const known = await Promise.all(
    identifiersOf(subjectOf(leaving)).map(async (identifier): Promise<Known> => {
      const events = await context.store.read(identifierStream(identifier))
      return { identifier, events: events as readonly RecordedEvent<IdentifierAssigned>[] }
    }),
  )
  const to = nextName(known, from)
  if (to === undefined) throw new EngineError('timeline_not_found')
  const at = isoOf(context.clock())
  const ids = splitsIn(facts).findLast(({ data }) => data.ids !== undefined)?.data.ids ?? from
  const split = (more: Partial<TimelineSplit['data']>): TimelineSplit => ({
    type: 'TimelineSplit',
    data: { at, providers, ...more },
  })
  const made = <E extends Event>(events: readonly E[]) => events.map((event) => newEvent(context, event))
  const last = leaving.at(-1)
  const mark = last !== undefined && 'ahead' in last.data ? { ahead: true as const } : {}
  const erased: readonly TrackingEvent[] = isErased ? [{ type: 'PersonalDataErased', data: { at, ...mark } }] : []
  const opening = made<TrackingEvent>([split({ from, ids }), ...leaving, ...erased])
  const others: Append[] = [{ stream: to, events: opening, expected: 'no-stream' }]
  for (const one of known) {
    const assignment = reassigned(one, { from, to, providers, staying: subjectOf(staying) })
    const expected = one.events.at(-1)?.revision ?? 'no-stream'
    if (assignment !== undefined)
      others.push({ stream: identifierStream(one.identifier), events: made([assignment]), expected })
  }
  const recorded = (all: readonly TrackingEvent[]) => all.filter(({ type }) => type === 'TrackingEventRecorded').length
  const own = { stream: from, events: made<TrackingEvent>([split({ to }), ...staying]) }
  return { to, appends: { own, others }, moved: recorded(leaving), left: recorded(staying) }
}

function newEvent<E extends Event>({ caller, requestId, randomId }: Context, event: E): NewEvent<E> {
  const schemaVersion = versionOf(event.type, upcasts)
  const metadata = { actor: actorOf(caller), correlationId: requestId, schemaVersion }
  return { ...event, id: randomId(), metadata } as unknown as NewEvent<E>
}

/** A timeline, and all those that it was split into or from, whatever was split first. */
export async function splitFamily(store: EventStore, stream: StreamName): Promise<readonly StreamName[]> {
  const family = [stream]
  for (const one of family) {
    const facts = (await store.read(one, { opens: () => false })) as readonly Fact[]
    for (const { data } of splitsIn(facts))
      for (const other of [data.to, data.from]) if (other !== undefined && !family.includes(other)) family.push(other)
  }
  return family
}

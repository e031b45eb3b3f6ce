import type { Reducer } from '../../kernel/decider.ts'
import { instantOf } from '../../kernel/time.ts'
import type { Subject, Withdrawal } from '../../kernel/timeline.ts'
import type { EventName, KeptEvent, TrackingEvent, TrackingEventRecorded } from './events.ts'
import { merge } from './merge.ts'
import { splitPersonal, withPersonal } from './personal.ts'

/** One event of a timeline as all facts together tell it. */
export interface Entry {
  /** Epoch milliseconds of `occurred_at`. */
  readonly at: number
  readonly provider: string
  event: KeptEvent
  withdrawn: Withdrawal | undefined
}

/** A timeline as it is folded. */
export interface TrackingState {
  profile: string | undefined
  subject: Subject
  /** When the earliest and the latest event occurred, in epoch milliseconds. */
  earliest: number
  latest: number
  /** In order of recording. */
  readonly entries: Entry[]
  /** Whether every event occurred after the one before it. */
  isInOrder: boolean
  /** The first of them by the names of their events, as many as there were when one was last asked for. */
  readonly named: Map<string, Entry>
  /** Whether what it told of people was erased. */
  forgotten: boolean
}

/** The state of a timeline that nobody has reported on. */
export function initial(): TrackingState {
  return {
    profile: undefined,
    subject: {},
    earliest: Number.POSITIVE_INFINITY,
    latest: Number.NEGATIVE_INFINITY,
    entries: [],
    isInOrder: true,
    named: new Map(),
    forgotten: false,
  }
}

/** The event of this name in a timeline, if it is there. */
export function entryOf({ entries, named }: TrackingState, name: EventName): Entry | undefined {
  for (let index = named.size; index < entries.length; index++) {
    const entry = entries[index] as Entry
    named.set(keyOf(entry.provider, entry.event.event_id), entry)
  }
  return named.get(keyOf(name.provider, name.event_id))
}

function keyOf(provider: string, id: string): string {
  return `${provider}\0${id}`
}

/** Takes one fact into the state. Identifiers that are known stay; facts about an event that is not there change nothing. */
export const evolve: Reducer<TrackingState, TrackingEvent> = (state, { type: fact, data }) => {
  switch (fact) {
    case 'TrackingEventRecorded': {
      state.profile ??= data.profile
      identify(state, data.subject)
      enter(state, data)
      return state
    }
    case 'TrackingEventEnriched': {
      const entry = entryOf(state, data)
      if (entry !== undefined) entry.event = withPersonal(merge(entry.event, data.added), data.personal)
      return state
    }
    case 'TrackingEventWithdrawn': {
      const entry = entryOf(state, data)
      if (entry !== undefined) entry.withdrawn ??= withPersonal({ withdrawn: data.withdrawn }, data.personal).withdrawn
      return state
    }
    case 'SubjectIdentified':
      identify(state, data.subject)
      return state
    case 'PersonalDataErased':
      state.forgotten = true
      for (const entry of state.entries) {
        const { event, withdrawn } = entry
        entry.event = splitPersonal(event).said
        entry.withdrawn = splitPersonal({ withdrawn }).said.withdrawn
      }
      return state
    default:
      fact satisfies never
      return state
  }
}

function identify(state: TrackingState, subject: Subject): void {
  for (const kind in subject) {
    if (Object.hasOwn(state.subject, kind)) continue
    state.subject = { ...subject, ...state.subject }
    return
  }
}

function enter(state: TrackingState, { provider, event: said, personal }: TrackingEventRecorded['data']): void {
  const at = instantOf(said.occurred_at)
  // An id stands for one moment, so an event after all others is none of them.
  const isNext = at > state.latest
  if (!isNext && entryOf(state, { provider, event_id: said.event_id }) !== undefined) return
  state.entries.push({ at, provider, event: withPersonal(said, personal), withdrawn: undefined })
  state.earliest = Math.min(state.earliest, at)
  state.latest = Math.max(state.latest, at)
  state.isInOrder &&= isNext
}

/** What the order of a timeline looks at: when an event occurred and when it was recorded, in epoch milliseconds. */
export interface Dated {
  readonly at: number
  readonly recorded: number
}

/** The order of a timeline: by occurrence, then by recording at the producer; what is equal stays as it arrived. */
export function byOccurrence(one: Dated, other: Dated): number {
  return one.at - other.at || one.recorded - other.recorded
}

/** Entries in the order of a timeline. */
export function inOrder({ entries, isInOrder }: TrackingState): readonly Entry[] {
  if (isInOrder) return entries
  const dated = entries.map((entry) => ({ at: entry.at, recorded: instantOf(entry.event.recorded_at), entry }))
  return dated.sort(byOccurrence).map(({ entry }) => entry)
}

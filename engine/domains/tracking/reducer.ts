import type { Reducer } from '../../kernel/decider.ts'
import type { Subject, Withdrawal } from '../../kernel/timeline.ts'
import type { EventName, KeptEvent, TrackingEvent } from './events.ts'
import { merge } from './merge.ts'
import { splitPersonal, withPersonal } from './personal.ts'

/** One event of a timeline as all facts together tell it. */
export interface Entry {
  /** Epoch milliseconds of `occurred_at`. */
  readonly at: number
  /** Epoch milliseconds of `recorded_at`. */
  readonly recorded: number
  readonly provider: string
  event: KeptEvent
  withdrawn: Withdrawal | undefined
}

/** A timeline as it is folded: its subject, and its events by name in order of recording. */
export interface TrackingState {
  profile: string | undefined
  subject: Subject
  /** When the earliest event occurred, in epoch milliseconds. */
  earliest: number
  readonly entries: Map<string, Entry>
  /** Whether what it told of people was erased. */
  forgotten: boolean
}

/** The state of a timeline that nobody has reported on. */
export function initial(): TrackingState {
  return { profile: undefined, subject: {}, earliest: Number.POSITIVE_INFINITY, entries: new Map(), forgotten: false }
}

/** The key of an event in the state. */
export function entryKey({ provider, event_id }: EventName): string {
  return `${provider}\0${event_id}`
}

/** Takes one fact into the state. Identifiers that are known stay; facts about an event that is not there change nothing. */
export const evolve: Reducer<TrackingState, TrackingEvent> = (state, { type: fact, data }) => {
  switch (fact) {
    case 'TrackingEventRecorded': {
      const { profile, subject, provider, event: said, personal } = data
      const event = withPersonal(said, personal)
      state.profile ??= profile
      state.subject = { ...subject, ...state.subject }
      const key = entryKey({ provider, event_id: event.event_id })
      if (!state.entries.has(key)) {
        const at = Date.parse(event.occurred_at)
        state.entries.set(key, { at, recorded: Date.parse(event.recorded_at), provider, event, withdrawn: undefined })
        state.earliest = Math.min(state.earliest, at)
      }
      return state
    }
    case 'TrackingEventEnriched': {
      const entry = state.entries.get(entryKey(data))
      if (entry !== undefined) entry.event = withPersonal(merge(entry.event, data.added), data.personal)
      return state
    }
    case 'TrackingEventWithdrawn': {
      const entry = state.entries.get(entryKey(data))
      if (entry !== undefined) entry.withdrawn ??= withPersonal({ withdrawn: data.withdrawn }, data.personal).withdrawn
      return state
    }
    case 'SubjectIdentified':
      state.subject = { ...data.subject, ...state.subject }
      return state
    case 'PersonalDataErased':
      state.forgotten = true
      for (const entry of state.entries.values()) {
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
export function inOrder(state: TrackingState): readonly Entry[] {
  return [...state.entries.values()].sort(byOccurrence)
}

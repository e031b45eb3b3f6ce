import type { Reducer } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Profile } from '../../kernel/profile.ts'
import { atOnce } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import { asSplitOff, isSplitOff, type Subject, type Withdrawal } from '../../kernel/timeline.ts'
import type { EventName, StoredEvent, TimelineSplit, TrackingEvent, TrackingEventRecorded } from './events.ts'
import { merge } from './merge.ts'
import { inTimelineOrder, type Place } from './order.ts'
import { splitPersonal, withPersonal } from './personal.ts'

/** One event of a timeline, with all later changes. */
export interface Entry {
  /** Epoch milliseconds of `occurred_at`. */
  readonly at: number
  readonly provider: string
  event: StoredEvent
  withdrawn: Withdrawal | undefined
  /** The identifiers of the subject when its last version became known; undefined until the state keeps versions. */
  subject: Subject | undefined
  /** When its last version became known; undefined if it is the first. */
  since: string | undefined
  /** The versions before; absent if there are none. */
  earlier: EntryVersion[] | undefined
  /** Whether documents tell it with the former namespace of OTEP's own members. */
  readonly isFormer: boolean
}

/** An event as it was known for a time. */
export interface EntryVersion {
  event: StoredEvent
  readonly subject: Subject
  readonly since: string | undefined
}

/** The folded state of a timeline. */
export interface TrackingState {
  profile: string | undefined
  subject: Subject
  /** Instants of the earliest and the latest event, in epoch milliseconds. */
  earliest: number
  latest: number
  /** In order of recording. */
  readonly entries: Entry[]
  /** Whether every event occurred after the one before it. */
  isInOrder: boolean
  /** Entries by name, once there are many. It lags behind `entries` until the next lookup. */
  byName: Map<string, Entry> | undefined
  /** Hashes of the ids of `entries`, as far as they were needed, while there are few. */
  readonly hashes: number[]
  /** Whether the thing was ever put into a container. */
  isContained: boolean
  /** Whether readings of sensors were recorded for the thing. */
  isMeasured: boolean
  /** Whether the personal data was erased. */
  isErased: boolean
  /** Whether what is learnt of an event from now on is a further version of it. */
  keepsVersions: boolean
  /** Whether an event was ever withdrawn. */
  hasWithdrawn: boolean
  /** The timeline that ids of events are derived from, if it is another one. */
  origin?: StreamName
  /** The events that were recorded ahead of their time, which has come: provider and id. */
  readonly due: EventName[]
  /** The status after so many entries, if somebody has looked at the steps of the state. */
  looked?: { readonly entries: number; readonly status: string | undefined }
}

/** A fact, and when the store recorded it. */
type Fact = TrackingEvent & Partial<Pick<RecordedEvent, 'recordedAt'>>

/** The state of a timeline without events. */
export function initial(): TrackingState {
  return {
    profile: undefined,
    subject: {},
    earliest: Number.POSITIVE_INFINITY,
    latest: Number.NEGATIVE_INFINITY,
    entries: [],
    isInOrder: true,
    byName: undefined,
    hashes: [],
    isContained: false,
    isMeasured: false,
    isErased: false,
    keepsVersions: false,
    hasWithdrawn: false,
    due: [],
  }
}

/** The entry of an event in a timeline, if it is there. */
export function entryOf(state: TrackingState, { provider, event_id }: EventName): Entry | undefined {
  const { entries, hashes } = state
  if (entries.length > fewEntries) return nameEntries(state).get(keyOf(provider, event_id))
  for (let at = hashes.length; at < entries.length; at++) hashes.push(hashOf((entries[at] as Entry).event.event_id))
  const hash = hashOf(event_id)
  for (let at = hashes.length - 1; at >= 0; at--) {
    if (hashes[at] !== hash) continue
    const entry = entries[at] as Entry
    if (entry.event.event_id === event_id && entry.provider === provider) return entry
  }
  return undefined
}

/** So few hashes are looked through faster than a name is looked up, and need a tenth of the memory. */
const fewEntries = 100

/** FNV-1a over the units of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Brings `byName` up to date with `entries`. */
export function nameEntries(state: TrackingState): ReadonlyMap<string, Entry> {
  const { entries } = state
  state.byName ??= new Map()
  const { byName } = state
  for (let index = byName.size; index < entries.length; index++) {
    const entry = entries[index] as Entry
    byName.set(keyOf(entry.provider, entry.event.event_id), entry)
  }
  return byName
}

function keyOf(provider: string, id: string): string {
  return `${provider}\0${id}`
}

/** Applies one event to the state. Known identifiers stay; changes to an unknown event are ignored. */
export const evolve: Reducer<TrackingState, Fact> = (state, { type: fact, data, recordedAt: now }) => {
  const recordedAt = 'moved' in data ? data.moved : now
  if (data.before_versions === undefined) keepVersions(state)
  if ('contained' in data) state.isContained = true
  if ('measured' in data) state.isMeasured = true
  switch (fact) {
    case 'TrackingEventRecorded': {
      state.profile ??= data.profile
      identify(state, data.subject)
      addEntry(state, data)
      return state
    }
    case 'TrackingEventEnriched': {
      const entry = entryOf(state, data)
      if (entry === undefined) return state
      addVersion(state, entry, recordedAt)
      entry.event = withPersonal(merge(entry.event, data.added), data.personal)
      return state
    }
    case 'TrackingEventWithdrawn': {
      const entry = entryOf(state, data)
      state.hasWithdrawn ||= entry !== undefined
      if (entry !== undefined) entry.withdrawn ??= withPersonal({ withdrawn: data.withdrawn }, data.personal).withdrawn
      return state
    }
    case 'SubjectIdentified': {
      const before = state.subject
      identify(state, data.subject)
      const latest = state.entries.at(-1)
      if (latest !== undefined && state.subject !== before) addVersion(state, latest, recordedAt)
      return state
    }
    case 'TrackingEventBecameDue':
      state.due.push({ provider: data.provider, event_id: data.event_id })
      return state
    case 'PersonalDataErased':
      state.isErased = true
      state.isContained = false
      for (const entry of state.entries) {
        const { event, withdrawn } = entry
        entry.event = splitPersonal(event).rest
        entry.withdrawn = splitPersonal({ withdrawn }).rest.withdrawn
        for (const version of entry.earlier ?? []) version.event = splitPersonal(version.event).rest
      }
      return state
    case 'TimelineSplit':
      return begunAgain(state, data)
    default:
      fact satisfies never
      return state
  }
}

/** The state before the facts of a timeline follow once more, without those of another one. */
function begunAgain(
  { isErased, isMeasured, origin, subject }: TrackingState,
  { from, ids }: TimelineSplit['data'],
): TrackingState {
  const state: TrackingState = {
    ...initial(),
    isErased,
    isMeasured,
    subject: from === undefined ? onlyMark(subject) : asSplitOff({}),
  }
  const known = ids ?? origin
  return known === undefined ? state : { ...state, origin: known }
}

function onlyMark(subject: Subject): Subject {
  return isSplitOff(subject) ? asSplitOff({}) : {}
}

/** Whether it is noted that the time of an event has come. */
export function isDue({ due }: TrackingState, { provider, event_id }: EventName): boolean {
  return due.some((name) => name.event_id === event_id && name.provider === provider)
}

/** From the first fact on that keeps versions, nothing changes what was known of the events before. */
function keepVersions(state: TrackingState): void {
  if (state.keepsVersions) return
  state.keepsVersions = true
  for (const entry of state.entries) entry.subject = state.subject
}

/** Begins a version of an event with the identifiers that its subject has now. */
function addVersion(
  { keepsVersions, subject: now }: TrackingState,
  entry: Entry,
  recordedAt: string | undefined,
): void {
  const { event, subject, since } = entry
  if (!keepsVersions || subject === undefined) return
  entry.earlier = [...(entry.earlier ?? []), { event, subject, since }]
  entry.subject = now
  entry.since = recordedAt ?? event.recorded_at
}

function identify(state: TrackingState, subject: Subject): void {
  for (const kind in subject) {
    if (Object.hasOwn(state.subject, kind)) continue
    state.subject = { ...subject, ...state.subject }
    return
  }
}

function addEntry(state: TrackingState, data: TrackingEventRecorded['data']): void {
  const { provider, event, personal } = data
  const at = instantOf(event.occurred_at)
  // An event id has one instant, so an event later than all others is new.
  const isNext = at > state.latest
  if (!isNext && entryOf(state, { provider, event_id: event.event_id }) !== undefined) return
  const subject = state.keepsVersions ? state.subject : undefined
  const whole = withPersonal(event, personal)
  state.entries.push({
    at,
    provider,
    event: whole,
    withdrawn: undefined,
    subject,
    since: undefined,
    earlier: undefined,
    isFormer: data.former_namespace === true,
  })
  state.earliest = Math.min(state.earliest, at)
  state.latest = Math.max(state.latest, at)
  state.isInOrder &&= isNext
}

/** Entries in the order of a timeline. */
export function inOrder(state: TrackingState, profile: Profile): readonly Entry[] {
  return atOnce(orderInSteps(state, profile))
}

/** The same in steps. Without a profile, events of one instant are in the order of their ids. */
export function* orderInSteps(
  { entries, isInOrder }: TrackingState,
  profile?: Profile,
): Generator<void, readonly Entry[]> {
  return isInOrder ? entries : yield* inTimelineOrder(entries, placeOf, profile)
}

function placeOf({ at, provider, event, withdrawn }: Entry): Place {
  return { at, code: event.status_code, id: event.event_id, provider, isWithdrawn: withdrawn !== undefined }
}

import type { EventStore, LastEvent } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import { asSplitOff, isSplitOff, type Subject, type Withdrawal } from '../../kernel/timeline.ts'
import type { EventName, StoredEvent } from './events.ts'
import { splitPersonal } from './personal.ts'
import { type Entry, type EntryVersion, initial, type TrackingState } from './reducer.ts'

/**
 * Names the fold of a timeline and the form of its snapshots. Raise it when events lead to another state than before;
 * older snapshots are then ignored.
 */
export const foldName = 'tracking 2'

/** A long timeline is read and folded in pages, and a snapshot is opened in one step. */
const maxEvents = 500

/** So few events are folded as fast as a snapshot is opened. */
const minEvents = 4

/** A state in JSON. Subjects are listed once, because versions of an event differ if their subjects are not the same object. */
interface KeptState {
  readonly profile?: string
  readonly subjects: readonly Subject[]
  /** Place of the current subject. */
  readonly subject: number
  readonly entries: readonly KeptEntry[]
  readonly isInOrder: boolean
  readonly isContained: boolean
  readonly isMeasured?: true
  readonly isErased: boolean
  readonly keepsVersions: boolean
  readonly origin?: StreamName
  readonly isSplitOff?: true
  /** Absent if there are none. */
  readonly due?: readonly EventName[]
}

type KeptEntry = readonly [provider: string, event: StoredEvent, withdrawn?: Withdrawal | null, ...known: Known]

/** Versions, once the state keeps them; and whether documents tell the event with the former namespace. */
type Known =
  | readonly []
  | readonly [subject: number | null, since: string | null, earlier: readonly KeptVersion[], isFormer?: true]

type KeptVersion = readonly [event: StoredEvent, subject: number, since: string | null]

/** The state of a stream as of an event. */
export interface StateAt {
  readonly state: TrackingState
  readonly last: LastEvent
}

/** The state in the snapshot of a stream; undefined if there is none. */
export async function keptState(store: EventStore, stream: StreamName): Promise<StateAt | undefined> {
  const snapshot = await store.snapshots?.find(stream, foldName)
  return snapshot && { last: snapshot.last, state: stateIn(snapshot.state as KeptState) }
}

/** Has a snapshot made, if many events were folded since the last one. Nothing is kept of erased timelines. */
export function keepState(store: EventStore, stream: StreamName, { state, last }: StateAt, folded: number): void {
  const events = state.entries.length
  if (store.snapshots === undefined || folded < minEvents || events > maxEvents || state.isErased) return
  const kept = keptFrom(state)
  store.snapshots.keep(stream, foldName, { last, state: kept, events, isPersonal: () => isPersonal(kept) })
}

/** A state that does not change with the one it is made from: events and subjects are replaced, and never changed. */
export function keptFrom(state: TrackingState): KeptState {
  const places = new Map<Subject, number>()
  const placeOf = (subject: Subject): number => {
    const place = places.get(subject) ?? places.size
    places.set(subject, place)
    return place
  }
  const { profile, isInOrder, isContained, isMeasured, isErased, keepsVersions, due } = state
  const entries = state.entries.map((entry) => keptEntry(entry, placeOf))
  const subject = placeOf(state.subject)
  const flags = { isInOrder, isContained, isErased, keepsVersions, ...(due.length > 0 && { due: [...due] }) }
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(state.origin === undefined ? {} : { origin: state.origin }),
    ...(isSplitOff(state.subject) && { isSplitOff: true }),
    ...(isMeasured && { isMeasured }),
    ...{ subjects: [...places.keys()], subject, entries, ...flags },
  }
}

function keptEntry(
  { provider, event, withdrawn, subject, since, earlier = [], isFormer }: Entry,
  placeOf: (subject: Subject) => number,
): KeptEntry {
  if (subject === undefined && !isFormer)
    return withdrawn === undefined ? [provider, event] : [provider, event, withdrawn]
  const versions = earlier.map(
    (version): KeptVersion => [version.event, placeOf(version.subject), version.since ?? null],
  )
  const place = subject === undefined ? null : placeOf(subject)
  const known = [provider, event, withdrawn ?? null, place, since ?? null, versions] as const
  return isFormer ? [...known, true] : known
}

/** The state of which this was kept. */
export function stateIn({
  subjects: kept,
  subject,
  entries,
  isSplitOff,
  due = [],
  ...known
}: KeptState): TrackingState {
  const subjects = isSplitOff === true ? kept.map(asSplitOff) : kept
  const state: TrackingState = { ...initial(), subject: subjects[subject] as Subject, ...known, due: [...due] }
  for (const [provider, event, withdrawn, place, since, earlier, isFormer = false] of entries) {
    const at = instantOf(event.occurred_at)
    state.entries.push({
      at,
      provider,
      event,
      withdrawn: withdrawn ?? undefined,
      subject: subjects[place ?? -1],
      since: since ?? undefined,
      earlier:
        earlier === undefined || earlier.length === 0 ? undefined : earlier.map((one) => versionIn(one, subjects)),
      isFormer,
    })
    state.earliest = Math.min(state.earliest, at)
    state.latest = Math.max(state.latest, at)
    state.hasWithdrawn ||= (withdrawn ?? undefined) !== undefined
  }
  return state
}

function versionIn([event, place, since]: KeptVersion, subjects: readonly Subject[]): EntryVersion {
  return { event, subject: subjects[place] as Subject, since: since ?? undefined }
}

function isPersonal({ entries }: KeptState): boolean {
  const has = (part: object) => splitPersonal(part).personal !== undefined
  return entries.some(
    ([, event, withdrawn, , , earlier = []]) =>
      has(event) || (withdrawn && has({ withdrawn })) || earlier.some(([version]) => has(version)),
  )
}

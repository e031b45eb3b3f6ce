import { EngineError, isEngineError } from '../kernel/errors.ts'
import type { NewEvent, RecordedEvent } from '../kernel/event.ts'
import type { Append, Appended, EventFilter, EventStore, RoomForStates } from '../kernel/event-store.ts'
import { isObject, type Members } from '../kernel/members.ts'
import type { SnapshotRows } from '../kernel/snapshots.ts'
import { createPauses, type Pause } from '../kernel/steps.ts'
import { type Upcasts, versionOf } from '../kernel/upcast.ts'
import type { DraftSeal, Open, Seal, Vault } from '../kernel/vault.ts'
import { appendThrough } from './append.ts'
import { sealedSnapshots } from './snapshots.ts'

/** How stored events differ from the events that readers see. */
export interface Sealing {
  readonly vault: Vault
  readonly upcasts: Upcasts
  /** `Domain.erasures` of all domains. */
  readonly erasures: readonly string[]
  /** Lets other requests be served while many events are sealed; nobody else is served if absent. */
  readonly pause?: Pause
  /** Where snapshots of streams are kept; none are if absent. */
  readonly snapshots?: SnapshotRows | undefined
  /** `EventStore.roomForStates`. */
  readonly roomForStates?: RoomForStates
}

/**
 * The store as the engine uses it. `data.personal` of an event is encrypted with the key of its stream, and decrypted
 * while that key exists. Events of earlier versions are upcast. Recording an erasure event destroys the key, and
 * reading one makes sure that it is destroyed. All other events pass unchanged.
 */
export function sealedStore(store: EventStore, sealing: Sealing): EventStore {
  const { vault, snapshots, roomForStates } = sealing
  const reader = createReader(sealing)
  const states = { snapshots: snapshots && sealedSnapshots(snapshots, vault), roomForStates }
  const { forRequest } = store
  const ofRequest = forRequest && (() => sealedOn(forRequest(), sealing, reader, { ...states, origin: sealed }))
  const sealed = sealedOn(store, sealing, reader, { ...states, forRequest: ofRequest })
  return sealed
}

/** A sealed store on a store, or on a view of it; without a spread, which would cost a request more than the rest. */
function sealedOn(
  store: EventStore,
  sealing: Sealing,
  { isToday, isErasure, opened, forget }: SealedReader,
  { snapshots, roomForStates, forRequest, origin }: Partial<EventStore>,
): EventStore {
  const appendSealed = createSealedAppend(store, sealing)

  async function appendMany(appends: readonly Append[]): Promise<readonly Appended[]> {
    const answers = await (appends.some(isPersonal) ? appendSealed(appends) : store.appendMany(appends))
    await forgetAll(appends.filter(({ events }) => events.some(isErasure)).map(({ stream }) => stream))
    return answers
  }

  /** Destroys as many keys as it can, and then throws if one was left. */
  async function forgetAll(streams: readonly string[]): Promise<void> {
    const failures: unknown[] = []
    for (const stream of streams) await forget(stream).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  function each(events: AsyncIterable<RecordedEvent>, { opens }: EventFilter = {}): AsyncIterable<RecordedEvent> {
    const isKept = opens === undefined ? isToday : (event: RecordedEvent) => isToday(event) || !opens(event)
    return mapped(events, async (event) => (await opened(event.stream, [event]))[0] as RecordedEvent, isKept)
  }

  return {
    append: appendThrough(appendMany),
    appendMany,
    read: (stream, range) =>
      store.read(stream, range).then((read) => (read.some(range?.opens ?? always) ? opened(stream, read) : read)),
    last: store.last,
    knownRevision: store.knownRevision,
    endsAt: store.endsAt,
    readAll: (after, filter) => each(store.readAll(after, filter), filter),
    follow: (after, filter, signal) => each(store.follow(after, filter, signal), filter),
    latest: store.latest,
    close: store.close,
    opened,
    snapshots,
    roomForStates,
    forRequest,
    origin,
  }
}

const always = () => true

const streamsAtOnce = 250

type Draft = DraftSeal | undefined

/** Returns the function that appends events with personal data, sealed. */
function createSealedAppend(
  { appendMany, addsKeys }: EventStore,
  { vault, pause = async () => {} }: Sealing,
): EventStore['appendMany'] {
  /** New keys are stored with what they seal; if that is refused, perhaps because of a key, they are stored before. */
  async function appendSealed(appends: readonly Append[]): Promise<readonly Appended[]> {
    if (addsKeys !== true) return appendMany(await eachSealed(appends, await durableSeals(vault, appends)))
    const drafts = await draftsFor(vault, appends, pause)
    const isNew = drafts.some((draft) => draft?.key !== undefined)
    let answers: readonly Appended[]
    try {
      answers = await appendMany(await eachSealed(appends, drafts))
    } catch (error) {
      if (!isNew || !isEngineError(error, 'wrong_expected_revision')) throw error
      return appendMany(await eachSealed(appends, await durableSeals(vault, appends)))
    }
    const pauses = createPauses(pause)
    for (const draft of drafts) {
      const turn = pauses.next()
      if (turn !== undefined) await turn
      draft?.stored?.()
    }
    return answers
  }

  /** The appends with their events sealed; without personal data where there is no seal. */
  async function eachSealed(appends: readonly Append[], drafts: readonly Draft[]): Promise<readonly Append[]> {
    const pauses = createPauses(pause)
    const stored: Append[] = []
    for (let index = 0; index < appends.length; index++) {
      const append = appends[index] as Append
      if (!isPersonal(append)) {
        stored.push(append)
        continue
      }
      const draft = drafts[index]
      const events = append.events.slice()
      for (let at = 0; at < events.length; at++) {
        const turn = pauses.next()
        if (turn !== undefined) await turn
        const event = events[at] as NewEvent
        if (hasPersonal(event)) events[at] = sealedEvent(event, draft?.seal)
      }
      const { stream, expected } = append
      stored.push(
        draft?.key === undefined ? { stream, expected, events } : { stream, expected, events, key: draft.key },
      )
    }
    return stored
  }

  return appendSealed
}

/** Side by side, because each may be a call to a server. */
async function draftsFor(vault: Vault, appends: readonly Append[], pause: Pause): Promise<readonly Draft[]> {
  const pauses = createPauses(pause)
  const drafts: Draft[] = []
  const waits: Promise<void>[] = []
  const keep = (index: number, draft: Draft) => {
    drafts[index] = draft
  }
  for (const [index, append] of appends.entries()) {
    const turn = pauses.next()
    if (turn !== undefined) await turn
    const draft = isPersonal(append) ? vault.draft(append.stream, append.expected === 'no-stream') : undefined
    if (draft instanceof Promise) waits.push(reportedLater(draft.then((made) => keep(index, made))))
    else keep(index, draft)
  }
  if (waits.length > 0) await Promise.all(waits)
  return drafts
}

/** A promise that may fail before anybody waits for it. */
function reportedLater(promise: Promise<void>): Promise<void> {
  promise.catch(() => {})
  return promise
}

/** Keys are made for many streams at once, because each group of new keys is a transaction. */
async function durableSeals(vault: Vault, appends: readonly Append[]): Promise<readonly Draft[]> {
  const drafts: Draft[] = []
  for (let at = 0; at < appends.length; at += streamsAtOnce) {
    const group = appends.slice(at, at + streamsAtOnce)
    const seals = await Promise.all(group.map((append) => isPersonal(append) && vault.sealing(append.stream)))
    drafts.push(...seals.map((seal) => (seal ? { seal } : undefined)))
  }
  return drafts
}

type SealedReader = ReturnType<typeof createReader>

/** Returns the functions that turn stored events of a stream into current ones. */
function createReader({ vault, upcasts: listed, erasures, snapshots }: Sealing) {
  // No prototype, because an event type can have any name.
  const upcasts: Upcasts = Object.assign(Object.create(null), listed)

  function isErasure({ type }: NewEvent): boolean {
    return erasures.includes(type)
  }

  function isOld({ type, metadata }: RecordedEvent): boolean {
    return upcasts[type] !== undefined && metadata.schemaVersion !== versionOf(type, upcasts)
  }

  /** Whether an event can be returned unchanged. */
  function isToday(event: RecordedEvent): boolean {
    return !hasPersonal(event) && !isOld(event) && !isErasure(event)
  }

  async function forget(stream: string): Promise<void> {
    snapshots?.drop(stream)
    await vault.forget(stream)
  }

  async function opened(stream: string, events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    if (events.every(isToday)) return events
    if (events.some(isErasure)) await forget(stream).catch(unlessUnfinished)
    const open = events.some((event) => hasPersonal(event) || isOld(event)) ? await vault.opening(stream) : undefined
    return events.map((event) => {
      const clear = typeof personalOf(event) === 'string' ? openedEvent(event, open) : event
      const lifted = isOld(clear) ? upcasted(clear, upcasts) : clear
      return open === undefined ? withoutPersonal(lifted) : lifted
    })
  }

  return { isToday, isErasure, opened, forget }
}

/** Only the erasing caller gets the error that a key still lies in a log; readers go on. */
function unlessUnfinished(error: unknown): void {
  if (!isEngineError(error, 'erasure_unfinished')) throw error
}

/** The event in its current version. Refuses an event of a later version, whose shape is unknown here. */
export function upcasted(event: RecordedEvent, upcasts: Upcasts): RecordedEvent {
  const schemaVersion = versionOf(event.type, upcasts)
  const version = event.metadata.schemaVersion
  if (version > schemaVersion) {
    throw new EngineError('internal', { request: `a ${event.type} of version ${version}, which a later program wrote` })
  }
  const steps = upcasts[event.type]?.slice(version - 1) ?? []
  const data = steps.reduce<unknown>((shape, step) => step(shape as never), event.data)
  return { ...event, data, metadata: { ...event.metadata, schemaVersion } }
}

/** The personal data of an event; a string if it is sealed. */
export function personalOf({ data }: Pick<NewEvent, 'data'>): unknown {
  return isObject(data) ? data.personal : undefined
}

function hasPersonal(event: NewEvent): boolean {
  return personalOf(event) !== undefined
}

function isPersonal({ events }: Append): boolean {
  return events.some(hasPersonal)
}

/** Leaves data that is already sealed alone. */
function sealedEvent(event: NewEvent, seal: Seal | undefined): NewEvent {
  const personal = personalOf(event)
  if (seal === undefined) return withoutPersonal(event)
  return isObject(personal)
    ? { ...event, data: { ...(event.data as Members), personal: seal(event.id, personal) } }
    : event
}

function openedEvent(event: RecordedEvent, open: Open | undefined): RecordedEvent {
  if (open === undefined) return event
  return { ...event, data: { ...(event.data as Members), personal: open(event.id, personalOf(event) as string) } }
}

function withoutPersonal<OneEvent extends NewEvent>(event: OneEvent): OneEvent {
  if (!isObject(event.data)) return event
  const { personal, ...data } = event.data
  return personal === undefined ? event : { ...event, data }
}

/**
 * Maps each item in order with `change`, except those that are `kept`. Not a generator, so that kept items cost no
 * extra turn of the event loop.
 */
function mapped<Item>(
  items: AsyncIterable<Item>,
  change: (item: Item) => Promise<Item>,
  kept: (item: Item) => boolean,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]()
      return {
        next: () =>
          iterator
            .next()
            .then((result) =>
              result.done === true || kept(result.value)
                ? result
                : change(result.value).then((value) => ({ done: false, value })),
            ),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

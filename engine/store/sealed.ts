import { EngineError, isEngineError } from '../kernel/errors.ts'
import type { NewEvent, RecordedEvent } from '../kernel/event.ts'
import type { Append, Appended, EventStore } from '../kernel/event-store.ts'
import { isObject, type Members } from '../kernel/members.ts'
import { type Upcasts, versionOf } from '../kernel/upcast.ts'
import type { Open, Seal, Vault } from '../kernel/vault.ts'
import { appendThrough } from './append.ts'

/** How facts are kept otherwise than they are read. */
export interface Sealing {
  readonly vault: Vault
  readonly upcasts: Upcasts
  /** `Domain.erasures` of all domains. */
  readonly erasures: readonly string[]
}

/**
 * The store as everybody reads and writes it: what `data.personal` of an event holds is sealed with the key of its stream,
 * and opened again as long as there is that key; events of earlier versions read as those of today. Recording an erasure
 * throws the key away, and reading one makes sure of it. An event that has nothing of all this passes as it is.
 */
export function sealedStore(store: EventStore, sealing: Sealing): EventStore {
  const { vault } = sealing
  const { isToday, isErasure, opened } = createReader(sealing)

  async function appendMany(appends: readonly Append[]): Promise<readonly Appended[]> {
    const isPlain = !appends.some(isPersonal)
    const kept = isPlain
      ? appends
      : await Promise.all(appends.map((append) => (isPersonal(append) ? sealed(append) : append)))
    const answers = await store.appendMany(kept)
    for (const { stream, events } of appends) if (events.some(isErasure)) await vault.forget(stream)
    return answers
  }

  async function sealed(append: Append): Promise<Append> {
    const seal = await vault.sealing(append.stream)
    return { ...append, events: append.events.map((event) => (hasPersonal(event) ? sealedEvent(event, seal) : event)) }
  }

  function each(events: AsyncIterable<RecordedEvent>): AsyncIterable<RecordedEvent> {
    return mapped(events, async (event) => (await opened(event.stream, [event]))[0] as RecordedEvent, isToday)
  }

  return {
    append: appendThrough(appendMany),
    appendMany,
    read: async (stream, range) => opened(stream, await store.read(stream, range)),
    last: store.last,
    readAll: (after, filter) => each(store.readAll(after, filter)),
    follow: (after, filter, signal) => each(store.follow(after, filter, signal)),
    latest: store.latest,
    close: store.close,
  }
}

/** What reads events of one stream as they are today. */
function createReader({ vault, upcasts: listed, erasures }: Sealing) {
  // Without what every object inherits: a type may have any name.
  const upcasts: Upcasts = Object.assign(Object.create(null), listed)

  function isErasure({ type }: NewEvent): boolean {
    return erasures.includes(type)
  }

  function isOld({ type, metadata }: RecordedEvent): boolean {
    return upcasts[type] !== undefined && metadata.schemaVersion !== versionOf(type, upcasts)
  }

  /** Whether an event is as it is to be read. */
  function isToday(event: RecordedEvent): boolean {
    return !hasPersonal(event) && !isOld(event) && !isErasure(event)
  }

  async function opened(stream: string, events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    if (events.every(isToday)) return events
    if (events.some(isErasure)) await vault.forget(stream).catch(unlessUnfinished)
    const open = events.some((event) => hasPersonal(event) || isOld(event)) ? await vault.opening(stream) : undefined
    return events.map((event) => {
      const clear = typeof personalOf(event) === 'string' ? openedEvent(event, open) : event
      const lifted = isOld(clear) ? upcasted(clear, upcasts) : clear
      return open === undefined ? withoutPersonal(lifted) : lifted
    })
  }

  return { isToday, isErasure, opened }
}

/** That the key still lies in a log is told to whoever erases, and does not keep others from reading. */
function unlessUnfinished(error: unknown): void {
  if (!isEngineError(error, 'erasure_unfinished')) throw error
}

/** The event with its data in the shape of today. Refuses one of a later version: its shape is not known here. */
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

/** What an event holds of people: text where it is sealed. */
export function personalOf({ data }: Pick<NewEvent, 'data'>): unknown {
  return isObject(data) ? data.personal : undefined
}

function hasPersonal(event: NewEvent): boolean {
  return personalOf(event) !== undefined
}

function isPersonal({ events }: Append): boolean {
  return events.some(hasPersonal)
}

/** What is sealed already is left alone. */
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

function withoutPersonal<Kept extends NewEvent>(event: Kept): Kept {
  if (!isObject(event.data)) return event
  const { personal, ...data } = event.data
  return personal === undefined ? event : { ...event, data }
}

/** Each item as `change` makes it, in order. No generator: what is `kept` as it comes costs one turn and no more. */
function mapped<Item>(
  items: AsyncIterable<Item>,
  change: (item: Item) => Promise<Item>,
  kept: (item: Item) => boolean,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]()
      return {
        next: async () => {
          const result = await iterator.next()
          return result.done === true || kept(result.value)
            ? result
            : { done: false, value: await change(result.value) }
        },
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

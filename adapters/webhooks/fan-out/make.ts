import {
  type Announcement,
  categoryOf,
  type Hooks,
  isEngineError,
  type Notice,
  type NoticeSource,
  type Owner,
  ownersOf,
  type Recipient,
  type RecordedEvent,
  recipientsOf,
  type StreamName,
} from '../../../engine/index.ts'
import type { NewDelivery, Told } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import type { HooksBook } from './hooks.ts'
import type { FanOutOptions } from './options.ts'
import { render } from './render.ts'

/** What an event has led to, before it is kept. */
export interface Made {
  readonly deliveries: readonly NewDelivery[]
  readonly told: readonly Told[]
  /** Subjects about which what was told of people is thrown away. */
  readonly forgotten: readonly string[]
}

/** What most events lead to. */
export const nothing: Made = { deliveries: [], told: [], forgotten: [] }

/** How often an event is tried that a domain cannot tell of, before it is passed over. */
const tries = 3

/** When something was last told to an endpoint that is told once per interval; epoch milliseconds. */
export type LastTold = (endpointId: string, throttle: string) => Promise<number | undefined>

/** Makes what turns an event into deliveries; `isListening` says whether anybody has wanted to be told before the first. */
export function createMaker(
  options: FanOutOptions,
  lastTold: LastTold,
  isListening: boolean,
): (event: RecordedEvent) => Promise<Made> {
  const { hooks, ownerOf, log } = options
  const sourcesOf = createSources(options.sources)
  const made = createMaking(options, sourcesOf, lastTold)
  let isAnybodyTold = isListening

  /** What an event erases is forgotten, though the event cannot be told. */
  async function untold(event: RecordedEvent): Promise<Made> {
    try {
      return { ...nothing, forgotten: await forgottenBy(options, sourcesOf(event), event) }
    } catch (error) {
      if (isPassing(error)) throw error
      return nothing
    }
  }

  return async (event) => {
    const owner = ownerOf(event.stream)
    if (owner !== undefined) {
      hooks.changed(owner)
      isAnybodyTold = true
    }
    if (!isAnybodyTold) return nothing
    for (let attempt = 1; ; attempt++) {
      try {
        return await made(event)
      } catch (error) {
        if (isPassing(error)) throw error
        if (attempt < tries) continue
        log.error({ position: event.position, type: event.type, ...errorFields(error) }, 'an event was not told')
        return untold(event)
      }
    }
  }
}

/** A store that fails is waited for; what cannot be told today, cannot tomorrow. */
function isPassing(error: unknown): boolean {
  return isEngineError(error, 'store_unavailable') || isEngineError(error, 'wrong_secret_key')
}

type SourcesOf = (event: RecordedEvent) => readonly NoticeSource[]

function createSources(sources: readonly NoticeSource[]): SourcesOf {
  const byCategory = new Map(
    sources.map((source) => [source.category, sources.filter(({ category }) => category === source.category)]),
  )
  return ({ stream }) => byCategory.get(categoryOf(stream)) ?? []
}

function createMaking(options: FanOutOptions, sourcesOf: SourcesOf, lastTold: LastTold) {
  const { notices, hooks } = options
  const byName = new Map(notices.map((notice) => [notice.name, notice]))

  return async (event: RecordedEvent): Promise<Made> => {
    const sources = sourcesOf(event)
    const deliveries: NewDelivery[] = []
    const told: Told[] = []
    for (const announcement of await announcedBy(options, sources, event)) {
      const notice = byName.get(announcement.notice)
      if (notice === undefined) throw new Error(`There is no notice ${announcement.notice}.`)
      const due: Recipient[] = []
      for (const recipient of await recipientsFor(notice, announcement, hooks)) {
        if (!(await isDue(announcement, recipient, lastTold))) continue
        due.push(recipient)
        told.push(...toldBy(announcement, recipient))
      }
      deliveries.push(...(await render(notice, announcement, due, options)))
    }
    return { deliveries, told, forgotten: await forgottenBy(options, sources, event) }
  }
}

/** Opens an event, where it may be told. */
async function announcedBy({ facts, store }: FanOutOptions, sources: readonly NoticeSource[], event: RecordedEvent) {
  const concerned = sources.filter(({ types }) => types.includes(event.type))
  if (concerned.length === 0) return []
  const [opened] = await store.read(event.stream as StreamName, { from: event.revision, limit: 1 })
  const all: Announcement[] = []
  if (opened !== undefined) for (const source of concerned) all.push(...(await source.announce(facts, opened)))
  return all
}

async function forgottenBy({ facts }: FanOutOptions, sources: readonly NoticeSource[], event: RecordedEvent) {
  const concerned = sources.flatMap(({ forgets }) => (forgets?.types.includes(event.type) ? [forgets] : []))
  return (await Promise.all(concerned.map((one) => one.subjects(facts, event)))).flat()
}

async function recipientsFor(notice: Notice, announcement: Announcement, hooks: HooksBook) {
  const owners = ownersOf(announcement, notice)
  const found = await Promise.all(owners.map(async (owner): Promise<[Owner, Hooks]> => [owner, await hooks.of(owner)]))
  return recipientsOf(notice, announcement, new Map(found))
}

/** Whether the interval of the endpoint has passed since it was last told of the same thing. */
async function isDue({ throttle, occurredAt }: Announcement, { endpoint, isHeld }: Recipient, lastTold: LastTold) {
  if (throttle === undefined || !isHeld) return true
  const last = await lastTold(endpoint.id, throttle)
  return last === undefined || Date.parse(occurredAt) - last >= endpoint.interval
}

function toldBy({ throttle, occurredAt }: Announcement, { endpoint, isHeld }: Recipient): readonly Told[] {
  if (throttle === undefined || !isHeld) return []
  return [{ endpointId: endpoint.id, throttle, at: Date.parse(occurredAt) }]
}

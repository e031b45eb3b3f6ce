import {
  categoryOf,
  type Hooks,
  isEngineError,
  isObject,
  type Owner,
  ownersOf,
  type Recipient,
  type RecordedEvent,
  recipientsOf,
  type StreamName,
  type WebhookEvent,
  type WebhookEventSource,
  type WebhookEventType,
} from '../../../engine/index.ts'
import type { NewDelivery, ThrottleMark } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import { once } from '../../node/once.ts'
import type { HooksCache } from '../hooks-cache.ts'
import type { FanOutOptions } from './options.ts'
import { releasedBy } from './park.ts'
import { render } from './render.ts'

/** What follows from an event, before it is saved. */
export interface FanOutResult {
  readonly deliveries: readonly NewDelivery[]
  readonly throttleMarks: readonly ThrottleMark[]
  /** Subjects whose personal data is erased from saved deliveries. */
  readonly forgotten: readonly string[]
}

/** Saves a part of what follows from an event, before the event counts as processed. */
export type SavePage = (page: FanOutResult) => Promise<void>

/** The result of most events. */
export const noDeliveries: FanOutResult = { deliveries: [], throttleMarks: [], forgotten: [] }

/** Attempts per event before it is parked. */
const maxTries = 3

/** Epoch milliseconds of the last notification of an endpoint under a throttle. */
export type LastNotifiedAt = (endpointId: string, throttle: string) => Promise<number | undefined>

/** So many deliveries are made of an event before they are saved. */
const pageSize = 250

/**
 * Creates the function that turns an event into deliveries, which are handed to `save` page by page if there are many; the
 * rest is returned. `hadSettings` finds out whether there have ever been webhook settings, which takes a look at the whole
 * log; it is asked when that first matters. Until it is known, and without it, there may be.
 */
export function createFanOut(
  options: FanOutOptions,
  lastNotifiedAt: LastNotifiedAt,
  hadSettings: () => Promise<boolean> = async () => true,
): (event: RecordedEvent, save: SavePage) => Promise<FanOutResult> {
  const { hooks, ownerOf, log } = options
  const sourcesOf = createSources(options.sources)
  const made = createDeliveryMaker(options, sourcesOf, lastNotifiedAt)
  let hasListeners: boolean | undefined
  const learn = once(async () => {
    const found = await hadSettings()
    hasListeners ??= found
  })

  /** Erasures apply even if no delivery can be made of the event. */
  async function erasuresOnly(event: RecordedEvent): Promise<FanOutResult> {
    try {
      return { ...noDeliveries, forgotten: await erasedSubjectsOf(options, sourcesOf(event), event) }
    } catch (error) {
      if (isTemporary(error)) throw error
      return noDeliveries
    }
  }

  return async (cause, save) => {
    const event = await releasedBy(options.store, cause)
    const owner = ownerOf(event.stream)
    if (owner !== undefined) {
      hooks.changed(owner)
      // It may be on again, and what waited is due.
      if (event.type === 'WebhookEndpointTuned' && isObject(event.data)) options.wake([String(event.data.endpoint_id)])
      hasListeners = true
    }
    if (hasListeners === undefined && sourcesOf(event).length > 0) learn().catch(() => {})
    if (hasListeners === false) return noDeliveries
    for (let attempt = 1; ; attempt++) {
      try {
        return await made(event, save)
      } catch (error) {
        if (isTemporary(error)) throw error
        if (attempt < maxTries) continue
        log.error({ position: event.position, type: event.type, ...errorFields(error) }, 'an event was not told')
        await options.park(event, cause, error)
        return erasuresOnly(event)
      }
    }
  }
}

/** Store failures are retried; every other error is treated as permanent. */
function isTemporary(error: unknown): boolean {
  return isEngineError(error, 'store_unavailable') || isEngineError(error, 'wrong_secret_key')
}

type SourcesOf = (event: RecordedEvent) => readonly WebhookEventSource[]

function createSources(sources: readonly WebhookEventSource[]): SourcesOf {
  const byCategory = new Map(
    sources.map((source) => [source.category, sources.filter(({ category }) => category === source.category)]),
  )
  return ({ stream }) => byCategory.get(categoryOf(stream)) ?? []
}

function createDeliveryMaker(options: FanOutOptions, sourcesOf: SourcesOf, lastTold: LastNotifiedAt) {
  const { eventTypes, hooks, reportsOf } = options
  const byName = new Map(eventTypes.map((eventType) => [eventType.name, eventType]))

  async function deliveriesOf(
    webhookEvent: WebhookEvent,
    { position: sequence, recordedAt }: RecordedEvent,
  ): Promise<FanOutResult> {
    const eventType = byName.get(webhookEvent.type)
    if (eventType === undefined) throw new Error(`There is no webhook event type ${webhookEvent.type}.`)
    const due: Recipient[] = []
    const throttleMarks: ThrottleMark[] = []
    for (const recipient of await recipientsFor(eventType, webhookEvent, hooks)) {
      if (!(await isDue(webhookEvent, recipient, lastTold))) continue
      due.push(recipient)
      throttleMarks.push(...throttleMarksOf(webhookEvent, recipient))
    }
    const deliveries = await render(eventType, webhookEvent, due, {
      ...options,
      ...{ sequence, createdAt: Date.parse(recordedAt) },
    })
    return { deliveries, throttleMarks, forgotten: [] }
  }

  return async (event: RecordedEvent, save: SavePage): Promise<FanOutResult> => {
    const sources = sourcesOf(event)
    const createdAt = Date.parse(event.recordedAt)
    const deliveries: NewDelivery[] = (await reportsOf(event)).map((one) => ({ ...one, createdAt }))
    const throttleMarks: ThrottleMark[] = []
    for await (const webhookEvent of webhookEventsOf(options, sources, event)) {
      const made = await deliveriesOf(webhookEvent, event)
      deliveries.push(...made.deliveries)
      throttleMarks.push(...made.throttleMarks)
      if (deliveries.length < pageSize) continue
      await save({ deliveries: deliveries.splice(0), throttleMarks: throttleMarks.splice(0), forgotten: [] })
    }
    return { deliveries, throttleMarks, forgotten: await erasedSubjectsOf(options, sources, event) }
  }
}

/** Decrypts an event and makes the webhook events that follow from it, one by one where they may be many. */
async function* webhookEventsOf(
  { facts, store }: FanOutOptions,
  sources: readonly WebhookEventSource[],
  event: RecordedEvent,
): AsyncGenerator<WebhookEvent> {
  const concerned = sources.filter(({ types }) => types.includes(event.type))
  if (concerned.length === 0) return
  const [opened] = await store.read(event.stream as StreamName, { from: event.revision, limit: 1 })
  if (opened === undefined) return
  for (const source of concerned) yield* await source.webhookEventsOf(facts, opened)
  for (const source of concerned) if (source.furtherEventsOf) yield* source.furtherEventsOf(facts, opened)
}

async function erasedSubjectsOf(
  { facts }: FanOutOptions,
  sources: readonly WebhookEventSource[],
  event: RecordedEvent,
) {
  const concerned = sources.flatMap(({ forgets }) => (forgets?.types.includes(event.type) ? [forgets] : []))
  return (await Promise.all(concerned.map((one) => one.subjects(facts, event)))).flat()
}

async function recipientsFor(eventType: WebhookEventType, webhookEvent: WebhookEvent, hooks: HooksCache) {
  const owners = ownersOf(webhookEvent, eventType)
  const found = await Promise.all(owners.map(async (owner): Promise<[Owner, Hooks]> => [owner, await hooks.of(owner)]))
  return recipientsOf(eventType, webhookEvent, new Map(found))
}

/**
 * Whether the interval of the endpoint has passed since it was last notified of the same thing. What is reported again and again
 * is not kept for an endpoint that is off.
 */
async function isDue(
  { throttle, occurredAt }: WebhookEvent,
  { endpoint, isThrottled: isHeld }: Recipient,
  lastTold: LastNotifiedAt,
) {
  if (throttle === undefined || !isHeld) return true
  if (endpoint.isOff === true) return false
  const last = await lastTold(endpoint.id, throttle)
  return last === undefined || Date.parse(occurredAt) - last >= endpoint.interval
}

function throttleMarksOf(
  { throttle, occurredAt }: WebhookEvent,
  { endpoint, isThrottled: isHeld }: Recipient,
): readonly ThrottleMark[] {
  if (throttle === undefined || !isHeld) return []
  return [{ endpointId: endpoint.id, throttle, at: Date.parse(occurredAt) }]
}

import {
  type DeliveryDetail,
  type DeliveryRecord,
  type Endpoint,
  EngineError,
  isCallback,
  isQueue,
  type Owner,
  type Webhooks,
} from '../../../engine/index.ts'
import type { Envelope, NewDelivery } from '../../node/deliveries.ts'
import { acceptsDelivery, bodyFor, firstAttempt, redeliveryOf } from '../redelivery.ts'
import type { Allowance } from './allowance.ts'
import type { Dispatcher } from './index.ts'
import { createReplay, type ReplayParts } from './replay.ts'

/** What users do with deliveries: test, list, redeliver, retry, replay. */
type DeliveryActions = Pick<Webhooks, 'test' | 'page' | 'find' | 'health' | 'redeliver' | 'retry' | 'replay'>

/** Dependencies of the actions. */
interface DeliveryActionParts extends ReplayParts {
  readonly dispatcher: Pick<Dispatcher, 'wake' | 'attempt'>
  readonly allowance: Allowance
  /** A test event for an endpoint, with its native body; refuses an event that the endpoint does not receive. */
  readonly example: (eventType: string, endpoint: Endpoint) => TestEvent
}

/** A test event. */
export interface TestEvent {
  readonly envelope: Envelope
  readonly native: Uint8Array
}

/** Creates the actions. */
export function createDeliveryActions(parts: DeliveryActionParts): DeliveryActions {
  const { repository, dispatcher, allowance, clock, randomId } = parts

  const page: DeliveryActions['page'] = async (query, range) => {
    const { deliveries, ...rest } = await repository.page(query, range)
    return { ...rest, deliveries: await Promise.all(deliveries.map((one) => withName(parts, one))) }
  }

  const find: DeliveryActions['find'] = async (businessId, id) => {
    const found = await repository.find(businessId, id)
    return found && withName(parts, found)
  }

  const test: DeliveryActions['test'] = async (endpoint, eventType) => {
    const delivery = testOf(parts, endpoint, eventType)
    allowance.consume(endpoint.businessId)
    await repository.add([delivery])
    await dispatcher.attempt(firstAttempt(delivery), endpoint)
    return requireDelivery(await find(delivery.businessId, delivery.id))
  }

  const redeliver: DeliveryActions['redeliver'] = async (businessId, id) => {
    const original = await repository.original(businessId, id)
    if (original === undefined) return undefined
    if (original.state === 'waiting' || original.state === 'sending') throw new EngineError('delivery_under_way')
    if (original.native.length === 0) throw new EngineError('delivery_erased')
    const endpoint = await currentEndpoint(parts, original.endpoint.owner, original.endpoint.id, original)
    allowance.consume(businessId)
    const fresh = { id: randomId(), dueAt: clock(), structured: parts.structured }
    const again = redeliveryOf(original, endpoint, fresh)
    const [added] = await repository.add([again])
    if (added === undefined) throw new EngineError('delivery_erased')
    dispatcher.wake([endpoint.id])
    return recordIn(requireDelivery(await find(businessId, again.id)))
  }

  const retry: DeliveryActions['retry'] = async (businessId, id) => {
    const found = await find(businessId, id)
    if (found === undefined) return undefined
    if (found.state !== 'dead' && found.state !== 'waiting') throw new EngineError('delivery_not_retryable')
    if (found.body === '') throw new EngineError('delivery_erased')
    await currentEndpoint(parts, found.owner, found.endpointId, found)
    allowance.consume(businessId)
    if (!(await repository.retryNow(businessId, id, clock()))) throw new EngineError('delivery_not_retryable')
    dispatcher.wake([found.endpointId])
    return recordIn(requireDelivery(await find(businessId, id)))
  }

  return { test, page, find, health: repository.health, redeliver, retry, replay: createReplay(parts) }
}

/** A delivery with the name of its endpoint. Callbacks have none, and each is a separate owner. */
async function withName<Delivery extends DeliveryRecord>(
  { endpointOf }: Pick<DeliveryActionParts, 'endpointOf'>,
  delivery: Delivery,
): Promise<Delivery> {
  const { owner, endpointId } = delivery
  const { name } = (isCallback(owner) ? undefined : await endpointOf(owner, endpointId)) ?? {}
  return name === undefined ? delivery : { ...delivery, urlName: name }
}

function testOf(parts: DeliveryActionParts, endpoint: Endpoint, eventType: string): NewDelivery {
  const { example, structured, clock, randomId } = parts
  const { envelope: given, native } = example(eventType, endpoint)
  const envelope = { ...given, isTest: true }
  const body = bodyFor(endpoint, envelope, native, structured)
  return { ...envelope, id: randomId(), endpoint, body, native, dueAt: clock(), state: 'sending' }
}

/** The current endpoint. Throws `endpoint_gone` if it is off or no longer receives sandbox events, and refuses a queue. */
async function currentEndpoint(
  { endpointOf }: DeliveryActionParts,
  owner: Owner,
  endpointId: string,
  delivery: Pick<DeliveryRecord, 'isSandbox'>,
): Promise<Endpoint> {
  const endpoint = await endpointOf(owner, endpointId)
  if (endpoint === undefined || !acceptsDelivery(endpoint, delivery)) throw new EngineError('endpoint_gone')
  if (isQueue(endpoint.url)) throw new EngineError('webhook_is_pulled')
  return endpoint
}

function requireDelivery(found: DeliveryDetail | undefined): DeliveryDetail {
  if (found === undefined) throw new EngineError('internal', { request: 'a delivery that was kept is gone' })
  return found
}

function recordIn({ body: _, contentType: __, history: ___, ...record }: DeliveryDetail): DeliveryRecord {
  return record
}

import {
  type DeliveryDetail,
  type DeliveryRecord,
  type Endpoint,
  EngineError,
  type Owner,
  type Webhooks,
} from '../../../engine/index.ts'
import type { Envelope, NewDelivery } from '../../node/deliveries.ts'
import type { Allowance } from './allowance.ts'
import type { Dispatcher } from './index.ts'
import { bodyFor, firstAttempt, isTaking, redeliveryOf } from './redelivery.ts'
import { createReplay, type ReplayParts } from './replay.ts'

/** What people do with deliveries. */
export type Care = Pick<Webhooks, 'test' | 'page' | 'find' | 'redeliver' | 'retry' | 'replay'>

/** What care is taken with. */
export interface CareParts extends ReplayParts {
  readonly dispatcher: Pick<Dispatcher, 'wake' | 'attempt'>
  readonly allowance: Allowance
  /** A test event of a notice for an endpoint, and its native body; refuses a notice that the endpoint is not told. */
  readonly example: (notice: string, endpoint: Endpoint) => Example
}

/** A test event. */
export interface Example {
  readonly envelope: Envelope
  readonly native: Uint8Array
}

/** Lets people look at deliveries, test endpoints and send again. */
export function createCare(parts: CareParts): Care {
  const { book, dispatcher, allowance, clock, randomId } = parts

  const test: Care['test'] = async (endpoint, notice) => {
    const delivery = testOf(parts, endpoint, notice)
    allowance.spend(endpoint.businessId)
    await book.add([delivery])
    await dispatcher.attempt(firstAttempt(delivery), endpoint.keys)
    return kept(await book.find(delivery.businessId, delivery.id))
  }

  const redeliver: Care['redeliver'] = async (businessId, id) => {
    const original = await book.original(businessId, id)
    if (original === undefined) return undefined
    if (original.state === 'waiting' || original.state === 'sending') throw new EngineError('delivery_under_way')
    if (original.native.length === 0) throw new EngineError('delivery_erased')
    const endpoint = await standing(parts, original.endpoint.owner, original.endpoint.id, original)
    allowance.spend(businessId)
    const fresh = { id: randomId(), dueAt: clock(), structured: parts.structured }
    const again = redeliveryOf(original, endpoint, fresh)
    const [added] = await book.add([again])
    if (added === undefined) throw new EngineError('delivery_erased')
    dispatcher.wake([endpoint.id])
    return recordIn(kept(await book.find(businessId, again.id)))
  }

  const retry: Care['retry'] = async (businessId, id) => {
    const found = await book.find(businessId, id)
    if (found === undefined) return undefined
    if (found.state !== 'dead' && found.state !== 'waiting') throw new EngineError('delivery_not_retryable')
    if (found.body === '') throw new EngineError('delivery_erased')
    await standing(parts, found.owner, found.endpointId, found)
    allowance.spend(businessId)
    if (!(await book.revive(businessId, id, clock()))) throw new EngineError('delivery_not_retryable')
    dispatcher.wake([found.endpointId])
    return recordIn(kept(await book.find(businessId, id)))
  }

  const { page, find } = book
  return { test, page, find, redeliver, retry, replay: createReplay(parts) }
}

function testOf(parts: CareParts, endpoint: Endpoint, notice: string): NewDelivery {
  const { example, structured, clock, randomId } = parts
  const { envelope: given, native } = example(notice, endpoint)
  const envelope = { ...given, isTest: true }
  const body = bodyFor(endpoint, envelope, native, structured)
  return { ...envelope, id: randomId(), endpoint, body, native, dueAt: clock(), state: 'sending' }
}

/** The endpoint as it stands now; refuses with `endpoint_gone` where it is off, or is not told of the sandbox any more. */
async function standing(
  { endpointOf }: CareParts,
  owner: Owner,
  endpointId: string,
  delivery: Pick<DeliveryRecord, 'isSandbox'>,
): Promise<Endpoint> {
  const endpoint = await endpointOf(owner, endpointId)
  if (endpoint === undefined || !isTaking(endpoint, delivery)) throw new EngineError('endpoint_gone')
  return endpoint
}

function kept(found: DeliveryDetail | undefined): DeliveryDetail {
  if (found === undefined) throw new EngineError('internal', { request: 'a delivery that was kept is gone' })
  return found
}

function recordIn({ body: _, contentType: __, history: ___, ...record }: DeliveryDetail): DeliveryRecord {
  return record
}

import { EngineError, type SigningKey, signingKey } from '../../../engine/index.ts'
import type { DueDelivery, Outgoing } from '../../node/deliveries.ts'
import { contentTypeOf, eventHeaders } from './cloud-event.ts'
import { publicSignature } from './ed25519.ts'
import { contentDigest, handoffSignature, providerSignature, standardSignature, tenantSignature } from './recipes.ts'

/** Input of the request of an attempt. */
export interface AttemptInput {
  readonly delivery: DueDelivery
  /** The keys of its endpoint, newest first. */
  readonly keys: readonly SigningKey[]
  /** Epoch milliseconds. */
  readonly now: number
  /** The seed of the ed25519 key of a secret: 32 bytes in hexadecimal. */
  readonly seedOf: (secret: string) => string
  /** Version of this program. */
  readonly version: string
  /** The public address of the server, if it has one. */
  readonly publicUrl?: string | undefined
}

type Headers = Readonly<Record<string, string>>

/** Input of the native headers of a channel. */
interface SigningInput {
  readonly delivery: DueDelivery
  readonly secret: string
  /** Unix seconds. */
  readonly timestamp: string
}

/**
 * The request of an attempt with fresh signatures over the saved body. The newest key makes the native signatures;
 * Standard Webhooks gets one signature per unexpired key. Throws `internal` if an id could break a header or change
 * what a signature covers.
 */
export function requestOf({ delivery, keys, now, seedOf, version, publicUrl }: AttemptInput): Outgoing {
  const [newest] = keys
  if (newest === undefined) throw new EngineError('internal', { request: 'an endpoint without a key' })
  checkIds(delivery)
  const timestamp = String(Math.floor(now / 1_000))
  return {
    url: delivery.url,
    headers: {
      'Content-Type': contentTypeOf(delivery.format),
      'User-Agent': `otep-engine/${version}`,
      ...natives[delivery.channel]({ delivery, secret: newest.secret, timestamp }),
      'X-Webhook-Attempt': String(delivery.attemptNumber),
      ...(delivery.sequence === undefined ? {} : { 'X-Webhook-Sequence': delivery.sequence }),
      ...(delivery.isTest || delivery.isSandbox ? { 'X-Webhook-Test': '1' } : {}),
      ...(delivery.format === 'ce_binary' ? eventHeaders(delivery, delivery.attemptNumber, publicUrl) : {}),
      ...(delivery.standard ? standardHeaders(delivery, timestamp, unexpired(keys, now), seedOf) : {}),
    },
    body: delivery.body,
  }
}

/** The headers of each channel (document 3, "Authentication"). */
const natives: Readonly<Record<DueDelivery['channel'], (signing: SigningInput) => Headers>> = {
  tenant: tenantHeaders,
  order_lifecycle: secondHeaders,
  driver_location: secondHeaders,
  device_order: secondHeaders,
  provider_locker: providerHeaders,
  third_party_delivery: providerHeaders,
  order_handoff: handoffHeaders,
  callback: callbackHeaders,
  epcis_query: reportHeaders,
  // A shop gets requests of its own kind, which are not made here.
  shop: () => ({}),
}

function tenantHeaders({ delivery, secret, timestamp }: SigningInput): Headers {
  return {
    Signature: tenantSignature(secret, delivery.body),
    'X-Webhook-Event-Id': delivery.eventId,
    'X-Webhook-Timestamp': timestamp,
  }
}

function secondHeaders(signing: SigningInput): Headers {
  const { delivery, secret, timestamp } = signing
  const { eventId: id, body } = delivery
  return {
    ...tenantHeaders(signing),
    'X-Webhook-Id': id,
    'X-Webhook-Signature-V2': providerSignature(secret, { id, timestamp }, body),
  }
}

/** The headers of requests with a callback: each of the three families has its name for the id of the event. */
function callbackHeaders(signing: SigningInput): Headers {
  return { ...secondHeaders(signing), 'X-Open-Delivery': signing.delivery.eventId }
}

function providerHeaders({ delivery, secret, timestamp }: SigningInput): Headers {
  const { eventId, body } = delivery
  const id = `${delivery.id}_${delivery.attemptNumber}`
  return {
    'X-Webhook-Signature': providerSignature(secret, { id, timestamp }, body),
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Delivery-Id': id,
    'X-Webhook-Id': eventId,
    'X-Webhook-Event-Id': eventId,
    'X-Webhook-Content-Digest': contentDigest(body),
  }
}

function handoffHeaders({ delivery, secret, timestamp }: SigningInput): Headers {
  return {
    'X-Ohp-Signature': handoffSignature(secret, timestamp, delivery.body),
    'X-Ohp-Timestamp': timestamp,
    'X-Ohp-Delivery': delivery.eventId,
  }
}

/** The headers of EPCIS 2.0 (REST bindings, query subscriptions); nothing is signed without a token. */
function reportHeaders({ delivery, secret, timestamp }: SigningInput): Headers {
  return {
    ...(secret !== '' && { 'GS1-Signature': tenantSignature(secret, delivery.body) }),
    'GS1-EPCIS-Version': '2.0.0',
    'X-Webhook-Event-Id': delivery.eventId,
    'X-Webhook-Timestamp': timestamp,
  }
}

function standardHeaders(
  { eventId: id, body }: DueDelivery,
  timestamp: string,
  keys: readonly SigningKey[],
  seedOf: AttemptInput['seedOf'],
): Headers {
  const signed = { id, timestamp }
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [
      ...keys.map(({ secret }) => standardSignature(signingKey(secret), signed, body)),
      ...keys.flatMap(({ secret, isPublic }) => (isPublic ? [publicSignature(seedOf(secret), signed, body)] : [])),
    ].join(' '),
  }
}

function unexpired(keys: readonly SigningKey[], now: number): readonly SigningKey[] {
  return keys.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
}

/** Refuses a dot or a line break in an id, because both separate the parts that are signed. */
function checkIds({ id, eventId, attemptNumber }: DueDelivery): void {
  for (const part of [id, eventId, String(attemptNumber)])
    if (!/^[\w-]{1,64}$/.test(part)) throw new EngineError('internal', { request: 'an id that cannot be signed' })
}

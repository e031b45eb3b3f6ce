import type { Channel } from '../../../engine/index.ts'
import type { JsonSchema } from '../../http/schema.ts'
import type { Recipe } from '../../node/webhook-catalogue.ts'

/** The ways in which deliveries are signed. */
export const recipes: readonly Recipe[] = ['tenant', 'lifecycle', 'provider', 'handoff', 'callback']

/** The recipe of each channel (document 3, "Authentication"). */
export const recipeOf: Readonly<Record<Channel, Recipe>> = {
  tenant: 'tenant',
  order_lifecycle: 'lifecycle',
  driver_location: 'lifecycle',
  device_order: 'lifecycle',
  provider_locker: 'provider',
  third_party_delivery: 'provider',
  order_handoff: 'handoff',
  callback: 'callback',
}

const seconds = { type: 'string', pattern: '^[0-9]{1,12}$', description: 'Unix seconds of the attempt.' }
const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' }
const base64 = '[A-Za-z0-9+/]{43}='
const eventId = {
  ...id,
  description: "The event's own id where the body has one; the same at every attempt.",
}

const common: Readonly<Record<string, JsonSchema>> = {
  'X-Webhook-Attempt': { type: 'string', pattern: '^[1-9][0-9]*$', description: 'From 1.' },
  'User-Agent': { type: 'string', pattern: '^otep-engine/' },
}

const signature = {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description: 'HMAC-SHA256 of the raw body, keyed with the secret as UTF-8, in hexadecimal.',
}

const threeLines = {
  type: 'string',
  pattern: `^${base64}$`,
  description:
    'HMAC-SHA256 of timestamp, newline, id, newline and the raw body, keyed with the secret as UTF-8, in base64.',
}

const tenant: Readonly<Record<string, JsonSchema>> = {
  ...common,
  Signature: signature,
  'X-Webhook-Event-Id': eventId,
  'X-Webhook-Timestamp': seconds,
}

const lifecycle = { ...tenant, 'X-Webhook-Id': eventId, 'X-Webhook-Signature-V2': threeLines }

const own: Readonly<Record<Recipe, Readonly<Record<string, JsonSchema>>>> = {
  tenant,
  lifecycle,
  callback: { ...lifecycle, 'X-Open-Delivery': eventId },
  provider: {
    ...common,
    'X-Webhook-Signature': threeLines,
    'X-Webhook-Timestamp': seconds,
    'X-Webhook-Delivery-Id': { ...id, description: 'Of this attempt; the id that is signed.' },
    'X-Webhook-Id': eventId,
    'X-Webhook-Event-Id': eventId,
    'X-Webhook-Content-Digest': {
      type: 'string',
      pattern: `^sha-256=:${base64}:$`,
      description: 'SHA-256 of the body (RFC 9530).',
    },
  },
  handoff: {
    ...common,
    'X-Ohp-Signature': {
      type: 'string',
      pattern: '^v1=[0-9a-f]{64}$',
      description: 'v1= and HMAC-SHA256 of timestamp, full stop and the raw body, in hexadecimal.',
    },
    'X-Ohp-Timestamp': seconds,
    'X-Ohp-Delivery': { ...id, description: '`message_id`; the same at every attempt.' },
  },
}

/** The headers that are signed with a challenge. */
export const challengeHeaders: JsonSchema = {
  'X-Ohp-Signature': own.handoff['X-Ohp-Signature'],
  'X-Ohp-Timestamp': own.handoff['X-Ohp-Timestamp'],
}

const signatureHeaders: Readonly<Record<Recipe | 'standard', string>> = {
  tenant: 'Signature',
  lifecycle: 'X-Webhook-Signature-V2',
  provider: 'X-Webhook-Signature',
  handoff: 'X-Ohp-Signature',
  callback: 'X-Webhook-Signature-V2',
  standard: 'webhook-signature',
}

/** How a receiver knows who has sent a request: by the signature in a header. */
export const securitySchemes: JsonSchema = Object.fromEntries(
  Object.entries(signatureHeaders).map(([recipe, header]) => [
    recipe,
    { type: 'httpApiKey', name: header, in: 'header', description: 'An HMAC-SHA256, which the receiver verifies.' },
  ]),
)

/** The place of an event among those of its subject. */
export const sequence = {
  type: 'string',
  pattern: '^[0-9/]{1,64}$',
  description: 'Orders the events about one subject: a later one has a text that sorts after it. Not on test events.',
}

/** Headers that are sent where they apply. */
const optional: Readonly<Record<string, JsonSchema>> = {
  'X-Webhook-Sequence': sequence,
  'X-Webhook-Test': { const: '1', description: 'On test events and on what comes from the sandbox.' },
  'webhook-id': { ...id, description: 'Standard Webhooks, where it is asked for.' },
  'webhook-timestamp': seconds,
  'webhook-signature': {
    type: 'string',
    pattern: `^v1,${base64}( v1,${base64}| v1a,[A-Za-z0-9+/]{86}==)*$`,
    description: 'One entry for each key: v1 by the secret, v1a by the ed25519 key where it is asked for.',
  },
}

const safe = '^[\\x21\\x23-\\x24\\x26-\\x7e]+$'

/** The attributes of CloudEvents 1.0 as headers (HTTP binding, binary content mode). */
const cloudEvent: Readonly<Record<string, JsonSchema>> = {
  'ce-specversion': { const: '1.0' },
  'ce-id': id,
  'ce-source': { type: 'string', format: 'uri-reference', pattern: safe },
  'ce-type': { type: 'string', pattern: safe },
  'ce-subject': { type: 'string', pattern: safe },
  'ce-time': { type: 'string', format: 'date-time' },
  'ce-otepbusinessid': { type: 'string', pattern: '^[1-9][0-9]*$' },
  'ce-otepattempt': { type: 'string', pattern: '^[1-9][0-9]*$' },
}

/** The schema is absent where the server has no public address, the sequence in tests. */
const optionalAttributes: Readonly<Record<string, JsonSchema>> = {
  'ce-dataschema': { type: 'string', format: 'uri' },
  'ce-sequence': sequence,
}

/** The headers of a delivery besides those of every request; `isBinary` adds the attributes of CloudEvents. */
export function headersOf(recipe: Recipe, isBinary: boolean): JsonSchema {
  const needed = { ...own[recipe], ...(isBinary ? cloudEvent : {}) }
  const properties = { ...needed, ...optional, ...(isBinary ? optionalAttributes : {}) }
  return { type: 'object', properties, required: Object.keys(needed) }
}

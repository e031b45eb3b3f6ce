import {
  type BodyFormat,
  bodyFormats,
  type Channel,
  channels,
  filterableIn,
  isObject,
  urlFields,
  type WebhookEventType,
} from '../../../engine/index.ts'
import { type JsonSchema, jsonSchemaOf } from '../../http/schema.ts'
import { attemptDeadline, retryPolicies } from '../retry-policy.ts'
import { challengeParts } from './challenge.ts'
import { challengeHeaders, headersOf, recipeOf, recipes, securitySchemes, sequence } from './headers.ts'

/** Input of the description. */
export interface DescriptionOptions {
  readonly eventTypes: readonly WebhookEventType[]
  readonly version: string
}

const contentTypes: Readonly<Record<BodyFormat, string>> = {
  native: 'application/json',
  ce_binary: 'application/json',
  ce_structured: 'application/cloudevents+json',
}

/** The AsyncAPI 3.0 description of all webhook events: payloads, headers and retries. */
export function asyncapi({ eventTypes, version }: DescriptionOptions): JsonSchema {
  const challenge = challengeParts(challengeHeaders)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'otep-engine webhooks',
      version,
      description:
        'The service sends an HTTP POST to the URLs of an account whenever something happens. Receivers answer 2xx within 3 seconds, verify the signature over the raw body, and expect an event more than once. Requests also have the headers that the account has set for the URL. An endpoint with conditions (where) only receives events whose data meets them; x-filterable of a channel has the members of data that they may name.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      receiver: {
        host: '{host}',
        protocol: 'https',
        description: 'The endpoint of the account.',
        variables: { host: { default: 'receiver.example', description: 'The host of the URL that was configured.' } },
      },
    },
    channels: {
      ...Object.fromEntries(eventTypes.map((eventType) => [eventType.name, channelOf(eventType)])),
      ...challenge.channels,
    },
    operations: {
      ...Object.fromEntries(eventTypes.map((eventType) => [`send.${eventType.name}`, sendingOf(eventType)])),
      ...challenge.operations,
    },
    components: {
      messages: { ...Object.fromEntries(eventTypes.flatMap(messagesOf)), ...challenge.messages },
      securitySchemes,
      messageTraits: Object.fromEntries(recipes.flatMap(traitsOf)),
      schemas: Object.fromEntries(eventTypes.flatMap(schemasOf)),
    },
    'x-channels': Object.fromEntries(channels.map((channel) => [channel, deliveryRulesOf(channel)])),
  }
}

/** The retry rules of a channel (document 3, "Limits"). */
function deliveryRulesOf(channel: (typeof channels)[number]): JsonSchema {
  const { pauses, end } = retryPolicies[channel]
  return {
    attempts: pauses.length + 1,
    pauses_seconds: pauses.map((pause) => pause / 1000),
    jitter_percent: 10,
    timeout_seconds: attemptDeadline / 1000,
    after_the_last: end,
    fields: Object.entries(urlFields).flatMap(([field, of]) => (of === channel ? [field] : [])),
  }
}

function channelOf(eventType: WebhookEventType): JsonSchema {
  const { name, summary, channel, field } = eventType
  return {
    address: null,
    title: name,
    summary,
    messages: Object.fromEntries(
      bodyFormats.map((format) => [format, { $ref: `#/components/messages/${messageName(name, format)}` }]),
    ),
    'x-channel': channel,
    ...(field === undefined ? {} : { 'x-settings-field': field }),
    // Callbacks of requests have no conditions.
    ...(channel === 'callback' ? {} : { 'x-filterable': filterableIn(eventType) }),
  }
}

function sendingOf({ name, summary, channel }: WebhookEventType): JsonSchema {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${name}` },
    summary,
    security: [recipeOf[channel], 'standard'].map((scheme) => ({ $ref: `#/components/securitySchemes/${scheme}` })),
    bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    messages: bodyFormats.map((format) => ({ $ref: `#/channels/${name}/messages/${format}` })),
  }
}

function messageName(name: string, format: BodyFormat): string {
  return format === 'native' ? name : `${name}.${format}`
}

function messagesOf(eventType: WebhookEventType): readonly (readonly [string, JsonSchema])[] {
  const { name, summary, channel } = eventType
  return bodyFormats.map((format) => [
    messageName(name, format),
    {
      name,
      title: name,
      summary,
      contentType: contentTypes[format],
      traits: [{ $ref: `#/components/messageTraits/${traitName(recipeOf[channel], format)}` }],
      payload: { $ref: `#/components/schemas/${format === 'ce_structured' ? `${name}.cloudevent` : name}` },
      ...(format === 'native' ? { examples: [{ name: 'example', payload: exampleOf(eventType) }] } : {}),
    },
  ])
}

function traitName(recipe: string, format: BodyFormat): string {
  return format === 'ce_binary' ? `${recipe}.ce_binary` : recipe
}

function traitsOf(recipe: (typeof recipes)[number]): readonly (readonly [string, JsonSchema])[] {
  return [
    [recipe, { headers: headersOf(recipe, false) }],
    [`${recipe}.ce_binary`, { headers: headersOf(recipe, true) }],
  ]
}

const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' }

/** Prefixes of event ids in bodies. Most tenant events have their id in a header only. */
const idPrefixes: Readonly<Record<Exclude<Channel, 'tenant'>, string>> & Readonly<Record<string, string>> = {
  order_lifecycle: 'OLE-',
  driver_location: 'OLE-',
  device_order: 'DOE-',
  provider_locker: 'PLE-',
  third_party_delivery: 'TPD-',
  order_handoff: 'OHM-',
  callback: 'OPE-',
  'pod.files_updated': 'PFU-',
  'order.deleted': 'ODE-',
  'endpoint.failing': 'EPH-',
  'endpoint.disabled': 'EPH-',
  'endpoint.recovered': 'EPH-',
}

function idPrefixOf({ name, channel }: WebhookEventType): string {
  return idPrefixes[name] ?? idPrefixes[channel] ?? ''
}

function idSchemaOf(eventType: WebhookEventType): JsonSchema {
  const forms = [
    `${idPrefixOf(eventType)} and the id of what was recorded`,
    ...(eventType.name.startsWith('partner_locker.') ? ['PLE-MOCK- from a mock cabinet'] : []),
    'TEST- in test events',
  ]
  const pattern = `^(?:${idPrefixOf(eventType)}|TEST-)[A-Za-z0-9_-]{1,60}$`
  return { type: 'string', pattern, description: `${forms.join(', ')}. The same at every attempt.` }
}

const instant = { type: 'string', format: 'date-time' }
const isTest = { const: true, description: 'In test events alone.' }

/** The schemas of the native body and of the CloudEvent around it. */
function schemasOf(eventType: WebhookEventType): readonly (readonly [string, JsonSchema])[] {
  const { name, channel, idMember, summary } = eventType
  const hasMode = recipeOf[channel] === 'provider'
  const data = opened(jsonSchemaOf(eventType.data)) as JsonSchema
  const members = {
    event: { const: name },
    ...(idMember === undefined ? {} : { [idMember]: idSchemaOf(eventType) }),
    occurred_at: instant,
    business_id: { type: 'integer', minimum: 1 },
    ...(hasMode ? { livemode: { type: 'boolean', description: 'false for what comes from the sandbox.' } } : {}),
    data: { ...data, properties: { ...(data.properties as object), test: isTest } },
  }
  const body = objectOf(members, summary)
  return [
    [name, body],
    [`${name}.cloudevent`, cloudEventOf(name)],
  ]
}

function cloudEventOf(name: string): JsonSchema {
  return objectOf(
    {
      specversion: { const: '1.0' },
      id,
      source: { type: 'string', format: 'uri-reference' },
      type: { type: 'string' },
      subject: { type: 'string' },
      time: instant,
      dataschema: { type: 'string', format: 'uri' },
      datacontenttype: { const: 'application/json' },
      otepbusinessid: { type: 'string' },
      sequence,
      data: { $ref: `#/components/schemas/${name}` },
    },
    'The same at every attempt (CloudEvents 1.0, JSON format).',
    ['dataschema', 'sequence'],
  )
}

function objectOf(properties: JsonSchema, description: string, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', description, properties, required }
}

/** The schema without its bans on other members, because members may be added at any time. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened)
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([name, value]) => !(name === 'additionalProperties' && value === false))
  return Object.fromEntries(kept.map(([name, value]) => [name, opened(value)]))
}

const exampleId = '0d3b6a52-6d0e-4d1c-8f52-1f0f3f3c2a11'

/** The native body of the example of an event. */
export function exampleOf(eventType: WebhookEventType): JsonSchema {
  const { name, channel, idMember, example } = eventType
  return {
    event: name,
    ...(idMember === undefined ? {} : { [idMember]: `${idPrefixOf(eventType)}${exampleId}` }),
    occurred_at: '2026-06-10T10:00:00.000Z',
    business_id: 1,
    ...(recipeOf[channel] === 'provider' ? { livemode: true } : {}),
    data: example,
  }
}

import { type UrlField, urlFields } from '../../kernel/channel.ts'
import { fold } from '../../kernel/decider.ts'
import { type Endpoint, endpointId, type Owner, type SigningKey } from '../../kernel/endpoint.ts'
import { filterOf } from '../../kernel/event-filter.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { type EndpointState, type ProviderEndpoint, providerEndpoints } from './endpoint-decider.ts'
import type { EndpointEvent, SettingsEvent, UrlFormat } from './events.ts'
import { webhookStream } from './owners.ts'
import type { Settings } from './settings.ts'
import { webhookSettings } from './settings-decider.ts'
import type { Tunings } from './tuning.ts'
import { urlFieldNames } from './urls.ts'

/** The webhooks of an owner, in the form that sending needs. */
export interface Hooks {
  readonly owner: Owner
  readonly endpoints: readonly Endpoint[]
  /** The endpoints by field: a webhook event needs those of its own field only. */
  readonly byField: ReadonlyMap<Endpoint['field'], readonly Endpoint[]>
  /** For a customer: whether the business also receives the webhook events. */
  readonly businessCopy: boolean
  /** Whether sandbox webhook events are sent at all. */
  readonly isSandboxEnabled: boolean
  /** The keys of the owner, also without a URL: callbacks are signed with them. Newest first. */
  readonly keys: readonly SigningKey[]
}

/** Webhooks of an owner with these endpoints. */
export function hooksOf(
  owner: Owner,
  endpoints: readonly Endpoint[],
  more: Partial<Pick<Hooks, 'businessCopy' | 'isSandboxEnabled' | 'keys'>> = {},
): Hooks {
  const fields = new Set(endpoints.map(({ field }) => field))
  const byField = new Map([...fields].map((field) => [field, endpoints.filter((one) => one.field === field)]))
  return { owner, endpoints, byField, businessCopy: false, isSandboxEnabled: true, keys: [], ...more }
}

/** The webhooks of a business, a customer or a provider; empty for any other owner. */
export async function loadHooks(store: Pick<EventStore, 'read'>, owner: Owner): Promise<Hooks> {
  if (owner.startsWith('provider.')) return endpointHooks(owner, await loadEndpoint(store, owner))
  return settingsHooks(owner, await loadSettings(store, owner))
}

/** The settings of a business or a customer. */
export async function loadSettings(store: Pick<EventStore, 'read'>, owner: Owner): Promise<Settings> {
  return fold(webhookSettings, (await store.read(webhookStream(owner))) as readonly SettingsEvent[])
}

/** The endpoint of a provider, if it exists. */
export async function loadEndpoint(store: Pick<EventStore, 'read'>, owner: Owner): Promise<EndpointState> {
  return fold(providerEndpoints, (await store.read(webhookStream(owner))) as readonly EndpointEvent[])
}

/** The endpoint with this id, if the owner still has it. */
export function endpointIn({ endpoints }: Hooks, id: string): Endpoint | undefined {
  return endpoints.find((endpoint) => endpoint.id === id)
}

/** The webhooks that follow from the settings of a business or a customer. */
export function settingsHooks(owner: Owner, { businessId, customerId, values, keys, tunings }: Settings): Hooks {
  if (businessId === undefined || !isSigning(keys)) return hooksOf(owner, [], { keys })
  const whose = { owner, businessId, ...(customerId === undefined ? {} : { customerId }) }
  const formats = new Map(values.url_formats.map((one) => [`${one.field} ${one.url}`, one]))
  const endpoints = urlFieldNames.flatMap((field) =>
    (values.urls[field] ?? []).map((url): Endpoint => {
      const id = endpointId(owner, field, url)
      const sent = { channel: urlFields[field], field, url, ...mannerOf(formats.get(`${field} ${url}`), keys) }
      return { ...whose, id, ...sent, ...limitsOf(field, values), ...tuningFor(id, tunings) }
    }),
  )
  return hooksOf(owner, endpoints, { businessCopy: values.business_copy, keys })
}

/** How events are sent to a URL, and which. */
function mannerOf(
  manner: UrlFormat | undefined,
  keys: Endpoint['keys'],
): Pick<Endpoint, 'format' | 'standard' | 'isInOrder' | 'filter' | 'keys'> {
  if (manner === undefined) return { format: 'native', standard: false, keys }
  const { format, standard_signature: standard, in_order, ed25519, where } = manner
  return {
    ...{ format, standard, keys: ed25519 === true ? publicly(keys) : keys },
    ...(in_order === true ? { isInOrder: true } : {}),
    ...filterOf(where),
  }
}

/** The same keys, whose ed25519 keys sign too. */
export function publicly([newest, ...older]: Endpoint['keys']): Endpoint['keys'] {
  const isPublic = true as const
  return [{ ...newest, isPublic }, ...older.map((key) => ({ ...key, isPublic }))]
}

/** Which events a field receives, and how often. */
function limitsOf(field: UrlField, values: Settings['values']): Pick<Endpoint, 'events' | 'interval'> {
  if (field === 'driver_location_webhook_url') return { interval: 1_000 * values.driver_location_min_interval_sec }
  const narrowed = eventFilters[field]
  const events = narrowed === undefined ? [] : values[narrowed]
  return { interval: 0, ...(events.length === 0 ? {} : { events }) }
}

/** The name, the switch, the limits and the headers of an endpoint. */
function tuningFor(
  id: string,
  tunings: Tunings,
): Pick<Endpoint, 'name' | 'isOff' | 'inFlight' | 'perSecond' | 'headers'> {
  const { name, isOff, inFlight, perSecond, headers } = tunings[id] ?? {}
  return {
    ...(name === undefined ? {} : { name }),
    ...(isOff === undefined ? {} : { isOff }),
    ...(inFlight === undefined ? {} : { inFlight }),
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(headers === undefined ? {} : { headers }),
  }
}

const eventFilters: Readonly<Partial<Record<UrlField, 'device_order_events' | 'order_lifecycle_events'>>> = {
  device_order_webhook_url: 'device_order_events',
  order_lifecycle_webhook_url: 'order_lifecycle_events',
}

/** The webhooks that follow from a provider's endpoint. */
export function endpointHooks(owner: Owner, endpoint: EndpointState): Hooks {
  if (endpoint === undefined || !isSigning(endpoint.keys)) return hooksOf(owner, [])
  const { url, sandboxUrl, isSandboxEnabled } = endpoint
  const keys = endpoint.ed25519 ? publicly(endpoint.keys) : endpoint.keys
  const endpointAt = (field: 'url' | 'sandbox_url', to: string | undefined) =>
    to === undefined ? [] : [providerEndpoint(owner, endpoint, field, to, keys)]
  return hooksOf(owner, [...endpointAt('url', url), ...endpointAt('sandbox_url', sandboxUrl)], { isSandboxEnabled })
}

function providerEndpoint(
  owner: Owner,
  { businessId, channel, format, standard, isInOrder, events, where, isSandboxEnabled, tunings }: ProviderEndpoint,
  field: 'url' | 'sandbox_url',
  url: string,
  keys: Endpoint['keys'],
): Endpoint {
  const narrowed = events === undefined ? {} : { events }
  const order = isInOrder ? ({ isInOrder } as const) : {}
  const bounds = {
    ...narrowed,
    ...filterOf(where),
    ...order,
    ...(isSandboxEnabled ? {} : ({ isSandboxOff: true } as const)),
  }
  const id = endpointId(owner, field, url)
  const tuning = tuningFor(id, tunings)
  return { id, owner, businessId, channel, field, url, format, standard, ...bounds, ...tuning, interval: 0, keys }
}

function isSigning(keys: readonly SigningKey[]): keys is Endpoint['keys'] {
  return keys.length > 0
}

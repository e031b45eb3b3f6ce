import type { Decider, Reducer } from '../../kernel/decider.ts'
import { type BodyFormat, endpointId, type SigningKey } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isMasked } from '../../kernel/signing-secret.ts'
import type { EndpointEvent, ProviderEndpointSet, WebhookEventBase } from './events.ts'
import { decideOnKeys, type KeyCommand, keysAfter, replacement } from './keys.ts'
import { type ProviderChannel, providerOwner } from './owners.ts'
import { refuse } from './refuse.ts'
import {
  decideOnTuning,
  isTuned,
  isTuning,
  type TuningCommand,
  type Tunings,
  tuningsAfter,
  tuningsOf,
} from './tuning.ts'

/** The endpoint of a business for a provider and a channel. */
export interface ProviderEndpoint {
  readonly businessId: number
  readonly channel: ProviderChannel
  readonly provider: string
  /** Missing after an erasure; then nothing is sent. */
  readonly url?: string
  readonly sandboxUrl?: string
  readonly isSandboxEnabled: boolean
  /** Names of events; all events of the channel if missing. */
  readonly events?: readonly string[]
  readonly format: BodyFormat
  readonly standard: boolean
  readonly isInOrder: boolean
  /** Whether an ed25519 key signs Standard Webhooks, too. */
  readonly ed25519: boolean
  /** Conditions on the data of events; missing for all. */
  readonly where?: string
  /** Newest first. */
  readonly keys: readonly SigningKey[]
  readonly tunings: Tunings
}

/** Replaces all settings of an endpoint. */
export interface SetEndpoint extends WebhookEventBase {
  readonly type: 'SetEndpoint'
  readonly endpoint: Omit<ProviderEndpoint, 'keys' | 'tunings'> & { readonly url: string }
  /** A new secret, or the mask of the current one, which keeps it. */
  readonly secret?: string
  /** A generated secret, for an endpoint without one. */
  readonly generatedSecret: string
}

/** The commands of a provider's endpoint. Refusals: `webhook_endpoint_not_found`, `webhook_secret_missing`. */
export type EndpointCommand =
  | SetEndpoint
  | (WebhookEventBase & { readonly type: 'RemoveEndpoint' })
  | KeyCommand
  | TuningCommand

/** Undefined before the endpoint was set and after it was removed. */
export type EndpointState = ProviderEndpoint | undefined

const evolve: Reducer<EndpointState, EndpointEvent> = (endpoint, event) => {
  switch (event.type) {
    case 'ProviderEndpointSet':
      return endpointAfter(event.data, endpoint)
    case 'ProviderEndpointRemoved':
      return undefined
    default:
      if (endpoint === undefined) return undefined
      if (isTuned(event)) return { ...endpoint, tunings: tuningsAfter(event, endpoint.tunings) }
      return { ...endpoint, keys: keysAfter(event, endpoint.keys) }
  }
}

function endpointAfter(data: ProviderEndpointSet['data'], before: EndpointState): ProviderEndpoint {
  const { keys = [], tunings = {} } = before ?? {}
  const { business_id: businessId, channel, provider, sandbox_enabled, events, format, personal } = data
  const next = {
    businessId,
    channel,
    provider,
    ...(personal === undefined ? {} : { url: personal.url }),
    ...(personal?.sandbox_url === undefined ? {} : { sandboxUrl: personal.sandbox_url }),
    isSandboxEnabled: sandbox_enabled,
    ...(events === undefined ? {} : { events }),
    format,
    standard: data.standard_signature,
    isInOrder: data.in_order === true,
    ed25519: data.ed25519 === true,
    ...(personal?.where === undefined ? {} : { where: personal.where }),
    keys,
  }
  return { ...next, tunings: tuningsOf(idsOf(next), tunings) }
}

/** The ids of the endpoints at the URLs of a provider's endpoint. */
function idsOf({
  businessId,
  provider,
  channel,
  url,
  sandboxUrl,
}: Omit<ProviderEndpoint, 'keys' | 'tunings'>): readonly string[] {
  const owner = providerOwner(businessId, provider, channel)
  const idAt = (field: 'url' | 'sandbox_url', to: string | undefined) =>
    to === undefined ? [] : [endpointId(owner, field, to)]
  return [...idAt('url', url), ...idAt('sandbox_url', sandboxUrl)]
}

function decide(command: EndpointCommand, endpoint: EndpointState): readonly EndpointEvent[] {
  if (command.type === 'SetEndpoint') return set(command, endpoint)
  if (endpoint === undefined) throw new EngineError('webhook_endpoint_not_found')
  if (isTuning(command)) return decideOnTuning(command, endpoint.tunings, idsOf(endpoint))
  if (command.type !== 'RemoveEndpoint') return decideOnKeys(command, endpoint.keys)
  const { businessId: business_id, channel, provider } = endpoint
  return [{ type: 'ProviderEndpointRemoved', data: { at: command.at, by: command.by, business_id, channel, provider } }]
}

function set(command: SetEndpoint, before: EndpointState): readonly EndpointEvent[] {
  const { at, by, secret, generatedSecret, endpoint } = command
  const keys = before?.keys ?? []
  const isMask = secret !== undefined && isMasked(secret)
  if (isMask && keys.length === 0) refuse([{ path: 'secret', code: 'webhook_secret_missing' }])
  const data = { at, by, ...dataOf(endpoint) }
  const next = endpointAfter(data, before)
  const isSame = JSON.stringify(next) === JSON.stringify(before)
  const nextSecret = secret ?? (keys.length === 0 ? generatedSecret : undefined)
  return [
    ...(isSame ? [] : [{ type: 'ProviderEndpointSet', data } as const]),
    ...(nextSecret === undefined || isMask ? [] : replacement(command, nextSecret, keys)),
  ]
}

function dataOf(endpoint: SetEndpoint['endpoint']) {
  const { businessId, url, sandboxUrl, isSandboxEnabled, events, standard, isInOrder, ed25519, where, ...rest } =
    endpoint
  return {
    business_id: businessId,
    ...rest,
    sandbox_enabled: isSandboxEnabled,
    ...(events === undefined ? {} : { events }),
    standard_signature: standard,
    ...(isInOrder ? ({ in_order: true } as const) : {}),
    ...(ed25519 ? ({ ed25519 } as const) : {}),
    personal: {
      url,
      ...(sandboxUrl === undefined ? {} : { sandbox_url: sandboxUrl }),
      ...(where === undefined ? {} : { where }),
    },
  }
}

/** The decider of a provider's endpoint, with one stream for each business, provider and channel. */
export const providerEndpoints: Decider<EndpointState, EndpointCommand, EndpointEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

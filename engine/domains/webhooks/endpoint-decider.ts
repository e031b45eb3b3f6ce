import type { Decider, Reducer } from '../../kernel/decider.ts'
import type { BodyFormat, SigningKey } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isMasked } from '../../kernel/signing-secret.ts'
import type { EndpointEvent, ProviderEndpointSet, WebhookEventBase } from './events.ts'
import { decideOnKeys, type KeyCommand, keysAfter, replacement } from './keys.ts'
import type { ProviderChannel } from './owners.ts'
import { refuse } from './refuse.ts'

/** The endpoint that a business has for a provider and a channel. */
export interface ProviderEndpoint {
  readonly businessId: number
  readonly channel: ProviderChannel
  readonly provider: string
  /** Missing once it was erased: nothing is sent then. */
  readonly url?: string
  readonly sandboxUrl?: string
  readonly isSandboxEnabled: boolean
  /** Names; all of the channel where missing. */
  readonly events?: readonly string[]
  readonly format: BodyFormat
  readonly standard: boolean
  /** Newest first. */
  readonly keys: readonly SigningKey[]
}

/** Sets an endpoint as a whole. */
export interface SetEndpoint extends WebhookEventBase {
  readonly type: 'SetEndpoint'
  readonly endpoint: Omit<ProviderEndpoint, 'keys'> & { readonly url: string }
  /** A new one, or the mask of one, which keeps it. */
  readonly secret?: string
  /** A new secret, for an endpoint that has none. */
  readonly generatedSecret: string
}

/** What can be asked of the endpoint of a provider. Refusals: `webhook_endpoint_not_found`, `webhook_secret_missing`. */
export type EndpointCommand = SetEndpoint | (WebhookEventBase & { readonly type: 'RemoveEndpoint' }) | KeyCommand

/** Nothing before the endpoint was set, and after it was removed. */
export type EndpointState = ProviderEndpoint | undefined

const evolve: Reducer<EndpointState, EndpointEvent> = (endpoint, event) => {
  switch (event.type) {
    case 'ProviderEndpointSet':
      return endpointAfter(event.data, endpoint?.keys ?? [])
    case 'ProviderEndpointRemoved':
      return undefined
    default:
      return endpoint && { ...endpoint, keys: keysAfter(event, endpoint.keys) }
  }
}

function endpointAfter(data: ProviderEndpointSet['data'], keys: readonly SigningKey[]): ProviderEndpoint {
  const { business_id: businessId, channel, provider, sandbox_enabled, events, format, personal } = data
  return {
    businessId,
    channel,
    provider,
    ...(personal === undefined ? {} : { url: personal.url }),
    ...(personal?.sandbox_url === undefined ? {} : { sandboxUrl: personal.sandbox_url }),
    isSandboxEnabled: sandbox_enabled,
    ...(events === undefined ? {} : { events }),
    format,
    standard: data.standard_signature,
    keys,
  }
}

function decide(command: EndpointCommand, endpoint: EndpointState): readonly EndpointEvent[] {
  if (command.type === 'SetEndpoint') return set(command, endpoint)
  if (endpoint === undefined) throw new EngineError('webhook_endpoint_not_found')
  if (command.type !== 'RemoveEndpoint') return decideOnKeys(command, endpoint.keys)
  const { businessId: business_id, channel, provider } = endpoint
  return [{ type: 'ProviderEndpointRemoved', data: { at: command.at, by: command.by, business_id, channel, provider } }]
}

function set(command: SetEndpoint, before: EndpointState): readonly EndpointEvent[] {
  const { at, by, secret, generatedSecret: spare, endpoint } = command
  const keys = before?.keys ?? []
  const isMask = secret !== undefined && isMasked(secret)
  if (isMask && keys.length === 0) refuse([{ path: 'secret', code: 'webhook_secret_missing' }])
  const data = { at, by, ...dataOf(endpoint) }
  const next = endpointAfter(data, keys)
  const isSame = JSON.stringify(next) === JSON.stringify(before)
  const wanted = secret ?? (keys.length === 0 ? spare : undefined)
  return [
    ...(isSame ? [] : [{ type: 'ProviderEndpointSet', data } as const]),
    ...(wanted === undefined || isMask ? [] : replacement(command, wanted, keys)),
  ]
}

function dataOf({ businessId, url, sandboxUrl, isSandboxEnabled, events, standard, ...rest }: SetEndpoint['endpoint']) {
  return {
    business_id: businessId,
    ...rest,
    sandbox_enabled: isSandboxEnabled,
    ...(events === undefined ? {} : { events }),
    standard_signature: standard,
    personal: { url, ...(sandboxUrl === undefined ? {} : { sandbox_url: sandboxUrl }) },
  }
}

/** The decider of the endpoint of a provider, one stream for each business, provider and channel. */
export const providerEndpoints: Decider<EndpointState, EndpointCommand, EndpointEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

import type { EventBase } from '../../entity/machine.ts'
import type { UrlField } from '../../kernel/channel.ts'
import type { BodyFormat } from '../../kernel/endpoint.ts'
import type { Event } from '../../kernel/event.ts'
import type { ProviderChannel } from './owners.ts'

/** What every fact says beside itself: when (ISO 8601, UTC), and by whose account. */
export interface WebhookEventBase extends EventBase {
  readonly by: number
}

/** The URLs of each field; a field that has none may be missing. */
export type UrlsByField = Readonly<Partial<Record<UrlField, readonly string[]>>>

/** How the bodies for one URL are put into requests. */
export interface UrlFormat {
  readonly field: UrlField
  readonly url: string
  readonly format: BodyFormat
  /** Whether the headers of Standard Webhooks are sent too. */
  readonly standard_signature: boolean
}

/** What the settings of a business or a customer are, beside secrets and URLs. */
export interface PlainSettings {
  /** Names; none for all. */
  readonly device_order_events: readonly string[]
  readonly order_lifecycle_events: readonly string[]
  readonly driver_location_min_interval_sec: number
  /** Of a customer: whether its business is told too where the customer is. */
  readonly business_copy: boolean
}

/** The settings of a business or a customer have changed; what is not named stays as it was. */
export type WebhookSettingsChanged = Event<
  'WebhookSettingsChanged',
  WebhookEventBase & {
    readonly business_id: number
    readonly customer_id?: number
    /** URLs may hold names and passes. Formats of URLs that are no longer there end with them. */
    readonly personal?: { readonly urls?: UrlsByField; readonly url_formats?: readonly UrlFormat[] }
  } & Partial<PlainSettings>
>

/** A secret is the newest from now on. */
export type WebhookSecretReplaced = Event<
  'WebhookSecretReplaced',
  WebhookEventBase & {
    /** Until when the one before signs beside it; missing for the first. */
    readonly replaced_until?: string
    readonly personal?: { readonly secret: string }
  }
>

/** What happened to the keys of an owner. */
export type KeyEvent =
  | WebhookSecretReplaced
  /** Somebody was shown the secret. */
  | Event<'WebhookSecretRevealed', WebhookEventBase>
  /** Only the newest signs. */
  | Event<'ReplacedWebhookKeysExpired', WebhookEventBase>

/** What happened to the webhooks of a business or a customer. */
export type SettingsEvent = WebhookSettingsChanged | KeyEvent

interface ProviderEventBase extends WebhookEventBase {
  readonly business_id: number
  readonly channel: ProviderChannel
  readonly provider: string
}

/** A provider is told at these URLs from now on. */
export type ProviderEndpointSet = Event<
  'ProviderEndpointSet',
  ProviderEventBase & {
    readonly sandbox_enabled: boolean
    /** Names; all of the channel where missing. */
    readonly events?: readonly string[]
    readonly format: BodyFormat
    readonly standard_signature: boolean
    readonly personal?: { readonly url: string; readonly sandbox_url?: string }
  }
>

/** What happened to the endpoint of a provider. */
export type EndpointEvent = ProviderEndpointSet | Event<'ProviderEndpointRemoved', ProviderEventBase> | KeyEvent

const types: Readonly<Record<SettingsEvent['type'] | EndpointEvent['type'], true>> = {
  WebhookSettingsChanged: true,
  WebhookSecretReplaced: true,
  WebhookSecretRevealed: true,
  ReplacedWebhookKeysExpired: true,
  ProviderEndpointSet: true,
  ProviderEndpointRemoved: true,
}

/** The types of the events of webhooks. */
export const webhookEventTypes: readonly string[] = Object.keys(types)

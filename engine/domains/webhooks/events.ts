import type { EventBase } from '../../entity/machine.ts'
import type { UrlField } from '../../kernel/channel.ts'
import type { CustomHeader } from '../../kernel/custom-headers.ts'
import type { BodyFormat } from '../../kernel/endpoint.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { AttemptFailure } from '../../kernel/webhooks.ts'
import type { ProviderChannel } from './owners.ts'

/** The common data of all webhook events: when (ISO 8601, UTC), and by which account. */
export interface WebhookEventBase extends EventBase {
  readonly by: number
}

/** The URLs of each field; fields without URLs may be missing. */
export type UrlsByField = Readonly<Partial<Record<UrlField, readonly string[]>>>

/** How bodies are sent to a URL. */
export interface UrlFormat {
  readonly field: UrlField
  readonly url: string
  readonly format: BodyFormat
  /** Whether Standard Webhooks headers are sent too. */
  readonly standard_signature: boolean
  /** Whether the events of a subject are sent one after the other. */
  readonly in_order?: boolean
  /** Whether an ed25519 key signs Standard Webhooks, too. */
  readonly ed25519?: boolean
  /** Conditions on the data of events, such as `type in (D)`; all events are sent if missing. */
  readonly where?: string
}

/** The settings of a business or a customer, without secrets and URLs. */
export interface PlainSettings {
  /** Names of events; empty for all. */
  readonly device_order_events: readonly string[]
  readonly order_lifecycle_events: readonly string[]
  readonly driver_location_min_interval_sec: number
  /** For a customer: whether the business also receives the customer's webhook events. */
  readonly business_copy: boolean
  /** Days of failure after which an endpoint is switched off; 0 for never. */
  readonly disable_failing_after_days: number
}

/** Settings of a business or a customer changed; missing members keep their values. */
type WebhookSettingsChanged = Event<
  'WebhookSettingsChanged',
  WebhookEventBase & {
    readonly business_id: number
    readonly customer_id?: number
    /** URLs can contain names and passwords. The format of a URL ends when the URL is removed. */
    readonly personal?: {
      readonly urls?: UrlsByField
      readonly url_formats?: readonly UrlFormat[]
      readonly endpoint_health_emails?: readonly string[]
    }
  } & Partial<PlainSettings>
>

/** A new secret replaced the newest one. */
type WebhookSecretReplaced = Event<
  'WebhookSecretReplaced',
  WebhookEventBase & {
    /** When the previous secret stops signing; missing for the first secret. */
    readonly replaced_until?: string
    readonly personal?: { readonly secret: string }
  }
>

/** The events of an owner's keys. */
export type KeyEvent =
  | WebhookSecretReplaced
  /** The secret was shown. */
  | Event<'WebhookSecretRevealed', WebhookEventBase>
  /** All replaced keys expired. */
  | Event<'ReplacedWebhookKeysExpired', WebhookEventBase>

/** How an endpoint fails. */
export interface EndpointFailed extends Pick<EventBase, 'at'> {
  readonly endpoint_id: string
  /** The first failed attempt after the last one that was delivered. */
  readonly since: string
  /** HTTP status of the last response. */
  readonly status?: number
  readonly failure?: AttemptFailure
}

/** The events of one endpoint of an owner: its switch and limits, and its health. */
export type EndpointHealthEvent =
  | Event<
      'WebhookEndpointTuned',
      WebhookEventBase & {
        readonly endpoint_id: string
        /** Whether it is switched on; missing if that did not change. */
        readonly on?: boolean
        /** Attempts in flight at most, and started in a second; null for no limit, missing if it did not change. */
        readonly in_flight?: number | null
        readonly per_second?: number | null
        readonly personal?: {
          /** All headers of the owner, if they changed: their values may be tokens. */
          readonly headers?: readonly CustomHeader[]
          /** What people call it; null for nothing, missing if it did not change. */
          readonly name?: string | null
        }
      }
    >
  /** Attempts have failed for a while. */
  | Event<'WebhookEndpointFailing', EndpointFailed>
  /** It was switched off because it had failed for days, or because its receiver said that it is gone. */
  | Event<'WebhookEndpointDisabled', EndpointFailed & { readonly gone?: true }>
  /** An attempt was delivered after it had failed. */
  | Event<'WebhookEndpointRecovered', Pick<EndpointFailed, 'at' | 'endpoint_id' | 'since'>>

/** The events of a business's or customer's webhooks. */
export type SettingsEvent = WebhookSettingsChanged | KeyEvent | EndpointHealthEvent

interface ProviderEventBase extends WebhookEventBase {
  readonly business_id: number
  readonly channel: ProviderChannel
  readonly provider: string
}

/** A provider's endpoint was set. */
export type ProviderEndpointSet = Event<
  'ProviderEndpointSet',
  ProviderEventBase & {
    readonly sandbox_enabled: boolean
    /** Names of events; all events of the channel if missing. */
    readonly events?: readonly string[]
    readonly format: BodyFormat
    readonly standard_signature: boolean
    /** Whether the events of a subject are sent one after the other. */
    readonly in_order?: true
    /** Whether an ed25519 key signs Standard Webhooks, too. */
    readonly ed25519?: true
    /** Conditions name what is in events, so they are sealed like the URLs. */
    readonly personal?: { readonly url: string; readonly sandbox_url?: string; readonly where?: string }
  }
>

/** The events of a provider's endpoint. */
export type EndpointEvent =
  | ProviderEndpointSet
  | Event<'ProviderEndpointRemoved', ProviderEventBase>
  | KeyEvent
  | EndpointHealthEvent

/** A URL was given with a request, to be notified of what becomes of it. The only event of its stream. */
export type CallbackRegistered = Event<
  'WebhookCallbackRegistered',
  WebhookEventBase & {
    readonly business_id: number
    /** The customer whose request it was. */
    readonly customer_id?: number
    readonly format: BodyFormat
    readonly standard_signature: boolean
    readonly ed25519?: true
    readonly personal?: { readonly url: string }
  }
>

/** The shapes of the events of webhooks. */
export const webhookEventShapes: ShapesOf<SettingsEvent | EndpointEvent | CallbackRegistered> = {
  WebhookSettingsChanged: {
    by: 'number',
    at: 'text',
    business_id: 'number',
    customer_id: 'number?',
    device_order_events: 'list?',
    order_lifecycle_events: 'list?',
    driver_location_min_interval_sec: 'number?',
    business_copy: 'flag?',
    disable_failing_after_days: 'number?',
  },
  WebhookSecretReplaced: { by: 'number', at: 'text', replaced_until: 'text?' },
  WebhookSecretRevealed: { by: 'number', at: 'text' },
  ReplacedWebhookKeysExpired: { by: 'number', at: 'text' },
  WebhookEndpointTuned: {
    by: 'number',
    at: 'text',
    endpoint_id: 'text',
    on: 'flag?',
    in_flight: 'number or null?',
    per_second: 'number or null?',
  },
  WebhookEndpointFailing: { endpoint_id: 'text', since: 'text', status: 'number?', failure: 'text?', at: 'text' },
  WebhookEndpointDisabled: {
    ...{ endpoint_id: 'text', since: 'text', status: 'number?', failure: 'text?', at: 'text' },
    gone: 'flag?',
  },
  WebhookEndpointRecovered: { at: 'text', endpoint_id: 'text', since: 'text' },
  ProviderEndpointSet: {
    business_id: 'number',
    channel: 'text',
    provider: 'text',
    by: 'number',
    at: 'text',
    sandbox_enabled: 'flag',
    events: 'list?',
    format: 'text',
    standard_signature: 'flag',
    in_order: 'flag?',
    ed25519: 'flag?',
  },
  ProviderEndpointRemoved: { business_id: 'number', channel: 'text', provider: 'text', by: 'number', at: 'text' },
  WebhookCallbackRegistered: {
    by: 'number',
    at: 'text',
    business_id: 'number',
    customer_id: 'number?',
    format: 'text',
    standard_signature: 'flag',
    ed25519: 'flag?',
  },
}

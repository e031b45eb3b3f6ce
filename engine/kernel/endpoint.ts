import type { DeliveryChannel, UrlField } from './channel.ts'
import type { CustomHeader } from './custom-headers.ts'
import { deriveId } from './id.ts'

// The contract between the domains that have endpoints (webhooks and handoffs) and the dispatcher.

/** How a body is sent: unchanged, with CloudEvents attributes as headers, or inside a CloudEvent. */
export const bodyFormats = ['native', 'ce_binary', 'ce_structured'] as const

/** How a body is sent. */
export type BodyFormat = (typeof bodyFormats)[number]

/**
 * The owner of an endpoint: `business.7`, `customer.12`, `provider.7.acme.provider_locker`, `subscription.7.acme`,
 * `callback.7.` and the id of a callback, `epcis.` and the id of a provider, or `shop.3`. Also the id of the settings' stream.
 */
export type Owner = string

/**
 * A signing key. The newest key of an endpoint signs everything; replaced keys add their signatures to Standard
 * Webhooks only.
 */
export interface SigningKey {
  readonly secret: string
  /** Epoch milliseconds when it stops signing; absent for the newest key. */
  readonly expiresAt?: number
  /** Whether the ed25519 key of the secret signs Standard Webhooks too. */
  readonly isPublic?: true
}

/** One condition of a filter: whether a member of an event has one of these values. */
export interface Condition {
  /** The names on the way to the member, from `data` on. */
  readonly path: readonly string[]
  readonly isNegated: boolean
  readonly values: readonly string[]
}

/** A shop as a destination. */
export interface ShopAddressed {
  readonly id: number
  /** The name of its format, such as `woocommerce`. */
  readonly kind: string
  readonly credentials: Readonly<Record<string, string>>
}

/** A URL that receives webhook events, with its current settings. */
export interface Endpoint {
  /** Derived from owner, field and URL, and so unchanged while the owner keeps this URL in this field. */
  readonly id: string
  readonly owner: Owner
  readonly businessId: number
  /** The customer whose own webhook this is. */
  readonly customerId?: number
  readonly channel: DeliveryChannel
  readonly field: UrlField | 'url' | 'sandbox_url'
  /** Or a queue (`isQueue`), from which its receiver reads. */
  readonly url: string
  /** What people call it; absent if it has no name. */
  readonly name?: string
  readonly format: BodyFormat
  /** Whether Standard Webhooks headers are sent too. */
  readonly standard: boolean
  /** Whether a webhook event waits until the one before it about the same subject was delivered or given up. */
  readonly isInOrder?: true
  /** Whether all deliveries that are due at one time are sent in one request. */
  readonly isJoined?: true
  /** Names of the event types that it receives; absent for all types of its field. */
  readonly events?: readonly string[]
  /** What the data of an event has to meet; absent for all. */
  readonly filter?: readonly Condition[]
  /** Minimum milliseconds between two webhook events of one throttle key; 0 for no throttling. */
  readonly interval: number
  /** Whether sandbox webhook events are no longer sent, including waiting ones. */
  readonly isSandboxOff?: true
  /** Whether it is switched off: nothing is sent, and what waits is kept. */
  readonly isOff?: true
  /** The most concurrent attempts, and attempts started in a second; absent if it does not have its own limit. */
  readonly inFlight?: number
  readonly perSecond?: number
  /** Headers of the owner, which each request has besides ours. */
  readonly headers?: readonly CustomHeader[]
  /** The shop that it is, which is sent requests of its own kind. */
  readonly shop?: ShopAddressed
  /** Newest first, at least one. */
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

/** The owner of a partner's subscriptions to order handoffs. */
export function subscriptionOwner(businessId: number, provider: string): Owner {
  return `subscription.${businessId}.${provider}`
}

/** The owner of the endpoint that a shop is. */
export function shopOwner(id: number): Owner {
  return `shop.${id}`
}

/** `Endpoint.id`. A queue is one endpoint, whatever fields name it, so that its events are in one order. */
export function endpointId(owner: Owner, field: Endpoint['field'], url: string): string {
  return deriveId('endpoint', owner, isQueue(url) ? 'queue' : field, url)
}

const queue = /^pull:[a-z0-9][a-z0-9_-]{0,39}$/

/** Whether a queue is in the place of a URL, `pull:` and a name: its events wait until their receiver reads them. */
export function isQueue(url: string): boolean {
  return queue.test(url)
}

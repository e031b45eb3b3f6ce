import type { Channel, UrlField } from './channel.ts'
import { deriveId } from './id.ts'

/** How a body is put into a request: as it is, with CloudEvents attributes as headers, or within a CloudEvent. */
export const bodyFormats = ['native', 'ce_binary', 'ce_structured'] as const

/** How a body is put into a request. */
export type BodyFormat = (typeof bodyFormats)[number]

/**
 * Whose settings an endpoint stands in: `business.7`, `customer.12`, `provider.7.acme.provider_locker` or
 * `subscription.7.acme`; also the id of their stream.
 */
export type Owner = string

/** A key that signs. The newest of an endpoint signs everything; those that it replaced sign Standard Webhooks beside it. */
export interface SigningKey {
  readonly secret: string
  /** Epoch milliseconds at which it signs no more; absent for the newest. */
  readonly expiresAt?: number
}

/** One URL that notices go to, as the settings have it at the moment. */
export interface Endpoint {
  /** The same as long as its owner has this URL in this field: derived from the three. */
  readonly id: string
  readonly owner: Owner
  readonly businessId: number
  /** The customer whose own webhook it is. */
  readonly customerId?: number
  readonly channel: Channel
  readonly field: UrlField | 'url' | 'sandbox_url'
  readonly url: string
  readonly format: BodyFormat
  /** Whether the headers of Standard Webhooks are sent too. */
  readonly standard: boolean
  /** Names of the notices that it is told; all of its field where absent. */
  readonly events?: readonly string[]
  /** Milliseconds between two notices of one throttle; 0 where none is held back. */
  readonly interval: number
  /** Whether nothing from the sandbox is sent to it any more, not even what waits. */
  readonly isSandboxOff?: true
  /** Newest first, at least one. */
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

/** The owner of the subscriptions of a partner to order handoffs. */
export function subscriptionOwner(businessId: number, provider: string): Owner {
  return `subscription.${businessId}.${provider}`
}

/** `Endpoint.id`. */
export function endpointId(owner: Owner, field: Endpoint['field'], url: string): string {
  return deriveId('endpoint', owner, field, url)
}

/** How often a channel tries, and what becomes of what it gives up. */
export interface RetryPolicy {
  /** Milliseconds from one attempt to the next, so one less than there are attempts. */
  readonly pauses: readonly number[]
  /** What a delivery is after the last: `dead` ones wait for somebody to send them again. */
  readonly end: 'failed' | 'dead'
}

const tenant: RetryPolicy = { pauses: [10_000, 100_000, 1_000_000, 10_000_000], end: 'failed' }
const provider: RetryPolicy = { pauses: [10_000, 50_000, 250_000, 1_250_000, 6_250_000, 31_250_000], end: 'dead' }

/** The patience of each channel (document 3, "Limits"). */
export const retryPolicies: Readonly<Record<Channel, RetryPolicy>> = {
  tenant,
  order_lifecycle: tenant,
  driver_location: tenant,
  device_order: tenant,
  provider_locker: provider,
  third_party_delivery: provider,
  order_handoff: provider,
}

/** Milliseconds that an attempt may take, from its beginning to the status line (document 3, "Limits"). */
export const attemptDeadline = 3_000

/** Milliseconds that a replaced key still signs for (document 3, "Formats and Standard Webhooks"). */
export const keyOverlap = 24 * 3_600_000

import type { DeliveryChannel } from '../../engine/index.ts'

/** Retry schedule of a channel, and the final state of a delivery that exhausts it. */
interface RetryPolicy {
  /** Milliseconds between attempts; one entry fewer than there are attempts. */
  readonly pauses: readonly number[]
  /** State after the last attempt; `dead` deliveries can be sent again by hand. */
  readonly end: 'failed' | 'dead'
}

const tenant: RetryPolicy = { pauses: [10_000, 100_000, 1_000_000, 10_000_000], end: 'failed' }
const provider: RetryPolicy = { pauses: [10_000, 50_000, 250_000, 1_250_000, 6_250_000, 31_250_000], end: 'dead' }

/** The retry policy of each channel (document 3, "Limits"). */
export const retryPolicies: Readonly<Record<DeliveryChannel, RetryPolicy>> = {
  tenant,
  order_lifecycle: tenant,
  driver_location: tenant,
  device_order: tenant,
  provider_locker: provider,
  third_party_delivery: provider,
  order_handoff: provider,
  callback: tenant,
  epcis_query: provider,
  shop: provider,
}

/** Time limit of an attempt in milliseconds, from its start to the status line (document 3, "Limits"). */
export const attemptDeadline = 3_000

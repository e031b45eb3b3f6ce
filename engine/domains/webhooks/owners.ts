import type { Channel } from '../../kernel/channel.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The channels for which a provider has its own endpoint. */
export const providerChannels = ['provider_locker', 'third_party_delivery'] as const satisfies readonly Channel[]

/** A channel for which a provider has its own endpoint. */
export type ProviderChannel = (typeof providerChannels)[number]

/** The owner of the webhooks of a business. */
export function businessOwner(businessId: number): Owner {
  return `business.${businessId}`
}

/** The owner of the webhooks of a customer. */
export function customerOwner(customerId: number): Owner {
  return `customer.${customerId}`
}

/** The owner of a business's endpoint for a provider and a channel. */
export function providerOwner(businessId: number, provider: string, channel: Channel): Owner {
  return `provider.${businessId}.${provider}.${channel}`
}

/** The stream of an owner's webhooks. */
export function webhookStream(owner: Owner): StreamName {
  return `webhook-${owner}`
}

/** The owner whose webhooks a stream holds, if it is such a stream. */
export function webhookOwnerOf(stream: string): Owner | undefined {
  return stream.startsWith('webhook-') ? stream.slice('webhook-'.length) : undefined
}

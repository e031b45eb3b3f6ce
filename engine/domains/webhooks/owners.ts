import type { Channel } from '../../kernel/channel.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The channels that a provider has an endpoint of its own for. */
export const providerChannels = ['provider_locker', 'third_party_delivery'] as const satisfies readonly Channel[]

/** A channel that a provider has an endpoint of its own for. */
export type ProviderChannel = (typeof providerChannels)[number]

/** The owner of the webhooks of a business. */
export function businessOwner(businessId: number): Owner {
  return `business.${businessId}`
}

/** The owner of the webhooks of a customer. */
export function customerOwner(customerId: number): Owner {
  return `customer.${customerId}`
}

/** The owner of the endpoint that a business has for a provider and a channel. */
export function providerOwner(businessId: number, provider: string, channel: Channel): Owner {
  return `provider.${businessId}.${provider}.${channel}`
}

/** The stream of the webhooks of an owner. */
export function webhookStream(owner: Owner): StreamName {
  return `webhook-${owner}`
}

/** The owner whose webhooks a stream holds; nothing where it holds none. */
export function webhookOwnerOf(stream: string): Owner | undefined {
  return stream.startsWith('webhook-') ? stream.slice('webhook-'.length) : undefined
}

import type { Gives, Giving } from '../../entity/domain.ts'
import { providerEventShapes } from './events.ts'
import { getIngestHealth } from './ingest-health.ts'
import { providerMessages } from './messages.ts'
import { addProvider, listProviders, revokeProvider, rotateProviderKey } from './operations.ts'
import { addOwnProvider, listOwnProviders, revokeOwnProvider, rotateCallingKey, rotateOwnProviderKey } from './own.ts'
import { activeSince, businessOfProvider, providersOf, webhookOfProvider } from './read.ts'
import { reservedNames } from './reserve.ts'
import {
  removeProviderWebhook,
  removeWebhookOfOwnProvider,
  setProviderWebhook,
  setWebhookOfOwnProvider,
} from './webhooks.ts'

export {
  isExpired,
  keysOf,
  type Provider,
  type ProviderCommand,
  type ProviderKey,
  providers,
  type Register,
  registerStream,
} from './decider.ts'
export type { ProviderEvent } from './events.ts'
export { getIngestHealth } from './ingest-health.ts'
export type { ProviderCode } from './messages.ts'
export { addProvider, listProviders, revokeProvider, rotateProviderKey } from './operations.ts'
export {
  addOwnProvider,
  listOwnProviders,
  revokeOwnProvider,
  rotateCallingKey,
  rotateOwnProviderKey,
} from './own.ts'
export { keyExpiries } from './read.ts'
export { removeProviderWebhook, setProviderWebhook } from './webhooks.ts'

/** What others get from here, by who needs it. */
const gives = {
  epcis: { activeSince, providersOf },
  tracking: { businessOfProvider, reservedNames, webhookOfProvider },
} satisfies Gives

/** Providers that may push events, and their keys. */
export const providersDomain: Giving<typeof gives> = {
  gives,
  name: 'providers',
  messages: [providerMessages],
  events: { provider: providerEventShapes },
  audited: { ProviderAdded: 'key_made', ProviderKeyRotated: 'key_rotated', ProviderRevoked: 'key_revoked' },
  operations: [
    addProvider,
    rotateProviderKey,
    listProviders,
    revokeProvider,
    listOwnProviders,
    addOwnProvider,
    rotateOwnProviderKey,
    revokeOwnProvider,
    rotateCallingKey,
    setProviderWebhook,
    removeProviderWebhook,
    setWebhookOfOwnProvider,
    removeWebhookOfOwnProvider,
    getIngestHealth,
  ],
}

import type { Domain } from '../../kernel/domain.ts'
import { providerEventShapes } from './events.ts'
import { getIngestHealth } from './ingest-health.ts'
import { providerMessages } from './messages.ts'
import { addProvider, listProviders, revokeProvider, rotateProviderKey } from './operations.ts'
import { addOwnProvider, listOwnProviders, revokeOwnProvider, rotateCallingKey, rotateOwnProviderKey } from './own.ts'

/** Providers that may push events, and their keys. */
export const providersDomain: Domain = {
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
    getIngestHealth,
  ],
}

import type { Domain } from '../../../entity/domain.ts'
import { createServiceAccount, createServiceAccountKey, registerServiceAccount } from '../service-accounts.ts'
import { apiKeyEventShapes } from './events.ts'
import { apiKeyMessages } from './messages.ts'
import { apiKeyModel } from './model.ts'
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, revokeOwnApiKeys, rotateApiKey } from './operations.ts'
import { endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from './platform.ts'

export {
  createServiceAccount,
  createServiceAccountKey,
  registerServiceAccount,
} from '../service-accounts.ts'
export {
  type ApiKey,
  apiKeyStream,
  apiKeys,
  hasExpired,
  isUseDue,
  type KeySecret,
  secretsOf,
} from './key.ts'
export type { ApiKeyCode } from './messages.ts'
export {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  revokeOwnApiKeys,
  rotateApiKey,
} from './operations.ts'
export { endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from './platform.ts'
export { apiKeyIdIn } from './secret.ts'

/** API keys, and service accounts that have nothing else. */
export const keysDomain: Domain = {
  name: 'keys',
  messages: [apiKeyMessages],
  events: { api_key: apiKeyEventShapes },
  operations: [
    createServiceAccount,
    createServiceAccountKey,
    registerServiceAccount,
    createApiKey,
    listApiKeys,
    getApiKey,
    rotateApiKey,
    revokeApiKey,
    revokeOwnApiKeys,
    issueApiKey,
    listAllApiKeys,
    renewApiKey,
    endApiKey,
  ],
  readModels: [apiKeyModel],
  erasures: ['ApiKeyErased'],
  audited: {
    ApiKeyMade: 'key_made',
    ApiKeyRotated: 'key_rotated',
    ApiKeyRevoked: 'key_revoked',
    ServiceAccountOpened: 'account_open',
  },
}

import type { RecordedEvent } from '../../../kernel/event.ts'
import type { ReadModel } from '../../../kernel/read-model.ts'
import type { ApiKeyEvent } from './events.ts'

/** The API keys of a business, by account. Keys of accounts that were disabled, and expired ones, are still `open` here. */
export const apiKeyModel: ReadModel = {
  name: 'api_keys',
  version: 1,
  category: 'api_key',
  columns: {
    key_id: 'integer',
    business_id: 'integer',
    account_id: 'integer',
    generation: 'integer',
    state: 'text',
    expires_at: 'text',
  },
  key: ['key_id'],
  indexes: [['business_id'], ['account_id', 'state', 'expires_at']],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<ApiKeyEvent>
    const { key_id } = data
    switch (type) {
      case 'ApiKeyMade': {
        const { business_id, account_id, generation, expires_at } = data
        return [{ key_id, business_id, account_id, generation, state: 'open', expires_at }]
      }
      case 'ApiKeyRotated':
        return [{ key_id, expires_at: data.expires_at }]
      case 'ApiKeyRevoked':
      case 'ApiKeyErased':
        return [{ key_id, state: 'revoked' }]
      default:
        return []
    }
  },
}

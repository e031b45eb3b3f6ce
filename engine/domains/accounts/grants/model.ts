import type { RecordedEvent } from '../../../kernel/event.ts'
import type { ReadModel } from '../../../kernel/read-model.ts'
import type { GrantEvent } from './events.ts'

/**
 * The grants of a business, by account and client: `offered` until the code is redeemed, then `open`. Those of accounts that
 * were disabled, and those that ran out, are still `open` here.
 */
export const grantModel: ReadModel = {
  name: 'grants',
  version: 1,
  category: 'grant',
  columns: {
    grant_id: 'integer',
    business_id: 'integer',
    account_id: 'integer',
    generation: 'integer',
    client: 'text',
    state: 'text',
    ends_at: 'text',
  },
  key: ['grant_id'],
  indexes: [
    ['business_id', 'state'],
    ['account_id', 'state', 'ends_at'],
    ['client', 'state', 'ends_at'],
  ],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<GrantEvent>
    const { grant_id } = data
    switch (type) {
      case 'GrantMade': {
        const { business_id, account_id, generation, client, ends_at } = data
        return [{ grant_id, business_id, account_id, generation, client, state: 'offered', ends_at }]
      }
      case 'GrantRedeemed':
        return [{ grant_id, state: 'open' }]
      case 'GrantReused':
      case 'GrantRevoked':
      case 'GrantErased':
        return [{ grant_id, state: 'ended' }]
      default:
        return []
    }
  },
}

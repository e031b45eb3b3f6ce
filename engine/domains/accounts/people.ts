import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { AccountEvent } from './events.ts'

/** The accounts of a business without personal data: names are only in the streams. */
export const peopleModel = {
  name: 'people',
  version: 1,
  category: 'account',
  columns: { id: 'integer', business_id: 'integer', role: 'text', is_active: 'integer' },
  key: ['id'],
  indexes: [['business_id', 'role']],
  rows: (event) => rowsOf(event as RecordedEvent<AccountEvent>),
} as const satisfies ReadModel

function rowsOf({ type, data }: RecordedEvent<AccountEvent>): readonly Row[] {
  switch (type) {
    case 'AccountOpened':
      return [{ id: data.account_id, business_id: data.business_id, role: data.role, is_active: 1 }]
    case 'AccountDisabled':
    case 'AccountEnabled':
      return [{ id: data.account_id, is_active: type === 'AccountEnabled' ? 1 : 0 }]
    default:
      return []
  }
}

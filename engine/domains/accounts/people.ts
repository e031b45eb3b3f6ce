import { cellsOf, columnsOf } from '../../entity/list.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { accountTable } from './account-table.ts'
import type { AccountEvent } from './events.ts'

const cellsIn = cellsOf(accountTable)

/** The accounts of a business, without anything personal: names stay in their streams. */
export const peopleModel: ReadModel = {
  name: 'people',
  version: 5,
  category: accountTable.category,
  columns: columnsOf(accountTable),
  key: ['account_id'],
  indexes: [
    ['business_id', 'role'],
    ['business_id', 'staff_role_id'],
  ],
  rows: (event) => {
    const cells = cellsIn(event) ?? {}
    const { account_id } = (event as RecordedEvent<AccountEvent>).data
    return Object.keys(cells).length === 0 ? [] : [{ ...cells, account_id }]
  },
}

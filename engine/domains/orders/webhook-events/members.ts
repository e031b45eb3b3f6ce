import type { ObjectEntries } from 'valibot'
import type { Values } from '../../../entity/field.ts'
import { recordOf, recordSchemaOf } from '../../../entity/record.ts'
import { business, carriedBy, exampleAfter } from '../../../entity/webhook-events.ts'
import type { Reader } from '../../../kernel/webhook-event.ts'
import type { moves } from '../moves.ts'
import { orderTable } from '../order.ts'
import type { Order } from '../state.ts'
import { type Status, statusForCustomer } from '../status.ts'

/** The members of an order that a webhook event carries. */
export function orderEntries(event: string): ObjectEntries {
  return recordSchemaOf(carriedBy(orderTable, event)).entries
}

/** An order as a reader of a webhook event sees it: as it was after the event. */
function orderMembers(event: string, order: Values, reader: Reader): Values {
  const view = { ...business, reader: reader === 'customer' ? 'customer' : business.reader } as const
  return recordOf(carriedBy(orderTable, event), order, view)
}

/** An example of the members of an order after a move. */
export function exampleMembers(event: string, move: keyof typeof moves): Values {
  return orderMembers(event, exampleAfter(orderTable, move), 'business')
}

/** The status as a reader sees it. For a customer it does not depend on who carries the shipment. */
export function statusFor(reader: Reader, status: Status): Status {
  return reader === 'customer' ? statusForCustomer(status) : status
}

/** The data of a webhook event that holds the order only. */
export function membersOf(event: string, order: Order) {
  return (reader: Reader) => orderMembers(event, order, reader)
}

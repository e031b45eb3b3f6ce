import { moves, type Operation, orderStatuses, type Status, statusForCustomer } from '../../engine/index.ts'
import { code, page, table } from './markdown.ts'
import { moveTable, statusTable } from './statuses.ts'

/** The statuses of an order, and its moves. */
export function orderStatusesPage(operations: readonly Operation[]): string {
  const names = Object.keys(orderStatuses) as readonly Status[]
  const moving = { statuses: orderStatuses, moves }
  return page(
    'Statuses of orders',
    ['engine/domains/orders/status.ts', 'engine/domains/orders/index.ts'],
    [
      'Lists tell the name in `status` and the id in `order_status_id`; filters take either.',
      statusTable(moving),
      '## Moves',
      `Any other move is refused with ${code('order_status_forbids')} (409). An attempt to cancel that is refused is answered
with ${code('cancel_refused')} (409) and recorded; cancelling what is cancelled changes nothing. Who may do it must also see
the order: staff those of their business, a customer its own, a contractor and a driver those that they have.`,
      moveTable(moving, operations),
      `An order that failed and is with a third-party carrier stays with it: the carrier delivers it in the end
(${code('carrier_delivered')}), or it is taken back (${code('take_back')}) before a driver has it.`,
      '## What a customer is told',
      `A customer reads the same of a shipment whoever carries it: these statuses are told as others, in answers and in
deliveries to the customer's webhooks. The business is told them as they are.`,
      table(
        ['status', 'id', 'told to a customer as', 'id'],
        names
          .filter((name) => statusForCustomer(name) !== name)
          .map((name) => [...cellsOf(name), ...cellsOf(statusForCustomer(name))]),
      ),
    ],
  )
}

function cellsOf(name: Status): readonly string[] {
  return [code(name), String(orderStatuses[name].id)]
}

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
      'Lists have the name in `status` and the id in `order_status_id`; filters accept either.',
      statusTable(moving),
      '## Moves',
      `Any other move is refused with ${code('order_status_forbids')} (409). An attempt to cancel that is refused gets
${code('cancel_refused')} (409) and is recorded; cancelling a cancelled order changes nothing. The caller must also see
the order: staff see those of their business, a customer its own, a contractor and a driver those that they have.`,
      moveTable(moving, operations),
      `A failed order that is with a third-party carrier stays with it: the carrier delivers it in the end
(${code('carrier_delivered')}), or it is taken back (${code('take_back')}) before a driver has it.`,
      '## What a customer sees',
      `A customer sees the same for a shipment, whichever party carries it: these statuses are shown as others, in responses and in
deliveries to the customer's webhooks. The business sees the original statuses.`,
      table(
        ['status', 'id', 'shown to a customer as', 'id'],
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

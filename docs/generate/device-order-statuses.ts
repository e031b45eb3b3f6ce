import { deviceOrder, type Operation } from '../../engine/index.ts'
import { code, page } from './markdown.ts'
import { moveTable, statusTable } from './statuses.ts'

/** The statuses of a device order, and its moves. */
export function deviceOrderStatusesPage(operations: readonly Operation[]): string {
  return page(
    'Statuses of device orders',
    ['engine/domains/device-orders/moves.ts'],
    [
      'How they are used: [Run lockers](../how-to/run-lockers.md).',
      statusTable(deviceOrder),
      '## Moves',
      `From any other status a move is refused with ${code(deviceOrder.refusals.forbidden)} (409). The clock makes
${code('become_overdue')}, and a wrong pickup code makes ${code('refuse_code')}.`,
      moveTable(deviceOrder, operations),
    ],
  )
}

import { deviceMoves, deviceStatuses } from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

/** How a device order may stand, and what moves it. */
export function deviceOrderStatusesPage(): string {
  return page(
    'Statuses of device orders',
    ['engine/domains/device-orders/status.ts'],
    [
      'How they are used: [Run lockers](../how-to/run-lockers.md).',
      table(
        ['status', 'meaning'],
        Object.entries(deviceStatuses).map(([name, meaning]) => [code(name), plain(meaning)]),
      ),
      '## Moves',
      'From any other status a move is refused with `device_order_status_forbids`. `become_overdue` is made by the clock.',
      table(['move', 'from', 'to'], moveRows()),
    ],
  )
}

function moveRows(): readonly (readonly string[])[] {
  return Object.entries(deviceMoves).map(([name, move]) => [
    code(name),
    codes(move.from),
    'to' in move ? code(move.to) : '(stays)',
  ])
}

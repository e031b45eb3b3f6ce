import {
  type Move,
  moves,
  type Operation,
  orderStatuses,
  roles,
  type Status,
  statusForCustomer,
} from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

type WithCall = { [Name in Move]: (typeof moves)[Name] extends { readonly call: object } ? Name : never }[Move]

/** The operations that make the moves whose rows do not say so. */
const operationsByMove: Readonly<Record<Exclude<Move, WithCall>, string>> = {
  hold: 'hold_order',
  release: 'release_order',
  assign: 'assign_driver',
  unassign: 'unassign_driver',
  cancel: 'cancel_order',
  hand_to_carrier: 'hand_to_carrier',
  take_back: 'take_back_from_carrier',
  carrier_delivered: 'note_carrier_delivery',
}

function operationOf(move: Move): string {
  const row = moves[move]
  return 'call' in row ? row.call.operation : operationsByMove[move as Exclude<Move, WithCall>]
}

/** How an order stands, and what may be done with it then. */
export function orderStatusesPage(operations: readonly Operation[]): string {
  const names = Object.keys(orderStatuses) as readonly Status[]
  const all = Object.keys(moves) as readonly Move[]
  return page(
    'Statuses of orders',
    ['engine/domains/orders/status.ts', 'engine/domains/orders/index.ts'],
    [
      'Lists tell the name in `status` and the id in `order_status_id`; filters take either.',
      table(
        ['id', 'status', 'meaning', 'moves from here'],
        names.map((name) => [
          String(orderStatuses[name].id),
          code(name),
          plain(orderStatuses[name].meaning),
          codes(all.filter((move) => (moves[move].from as readonly Status[]).includes(name))),
        ]),
      ),
      '## Moves',
      `Any other move is refused with ${code('order_status_forbids')} (409). An attempt to cancel that is refused is answered
with ${code('cancel_refused')} (409) and recorded; cancelling what is cancelled changes nothing. Who may do it must also see
the order: staff those of their business, a customer its own, a contractor and a driver those that they have.`,
      table(
        ['move', 'from', 'to', 'who', 'REST'],
        all.map((move) => [code(move), codes(moves[move].from), code(moves[move].to), ...askedBy(operations, move)]),
      ),
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

/** Who may make a move, and where it is asked for. */
function askedBy(operations: readonly Operation[], move: Move): readonly string[] {
  const operation = operations.find(({ name }) => name === operationOf(move))
  if (operation?.rest === undefined)
    throw new Error(`The move ${move} has no operation ${operationOf(move)} over REST.`)
  const { method, path } = operation.rest
  return [codes(operation.roles ?? roles), code(`${method} ${path}`)]
}

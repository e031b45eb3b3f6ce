import type { CorrectedValues } from './commands.ts'
import { type CommandOf, eventBase, refusal, statusForbids } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { allows } from './moves.ts'
import type { Order } from './state.ts'
import { finalStatuses } from './status.ts'

type Correct = CommandOf<'CorrectOrder'>

const sides = ['delivery', 'pickup'] as const

/** The event of a correction; none if nothing differs. */
export function decideCorrection(command: Correct, order: Order): readonly OrderEvent[] {
  const { delivery, pickup, ...open } = changedIn(command.values, order)
  const people = { ...(delivery && { delivery }), ...(pickup && { pickup }) }
  const hasPeople = Object.keys(people).length > 0
  if (!hasPeople && Object.keys(open).length === 0) return []
  const isMoved = sides.some((side) => people[side] && !isSame(people[side].address, order[side]?.address))
  requireAllowed(command, order, { hasPeople, isMoved, isResized: open.items !== undefined })
  const { terms, address_terms } = command
  const personal = hasPeople && {
    personal: { ...people, ...(terms && { terms }), ...(address_terms && { address_terms }) },
  }
  const { business_id, customer_id } = order
  const whose = { business_id, ...(customer_id !== undefined && { customer_id }) }
  return [{ type: 'OrderCorrected', data: { ...eventBase(command), ...whose, ...open, ...personal } }]
}

/** The values that differ from those of the order. */
function changedIn(values: CorrectedValues, order: Order): CorrectedValues {
  const names = Object.keys(values) as (keyof CorrectedValues)[]
  const changed = names.filter((name) => values[name] !== undefined && !isSame(values[name], order[name]))
  return Object.fromEntries(changed.map((name) => [name, values[name]]))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

interface Scope {
  readonly hasPeople: boolean
  /** Whether the order goes elsewhere, or comes from elsewhere. */
  readonly isMoved: boolean
  readonly isResized: boolean
}

function requireAllowed(command: Correct, order: Order, { hasPeople, isMoved, isResized }: Scope): void {
  const { status, route_id, provider, service } = order
  const isDispatched = !allows(status, 'correct_address')
  const isOfCarriage = hasPeople || isResized
  // A customer learns neither of routes nor of carriers.
  if (command.isByCustomer) {
    if (isDispatched) throw statusForbids(command, order)
    const isPriced = service !== undefined && (isMoved || isResized)
    if (isPriced || (isMoved && route_id !== undefined)) throw refusal('staff_corrects', command, order)
  }
  if (isOfCarriage && finalStatuses.includes(status)) throw statusForbids(command, order)
  if (isOfCarriage && provider !== undefined) throw refusal('order_with_carrier', command, order)
  if (isMoved && isDispatched) throw statusForbids(command, order)
  if (isMoved && route_id !== undefined) throw refusal('order_on_route', command, order)
  if (hasPeople && order.isErased) throw refusal('order_forgotten', command, order)
}

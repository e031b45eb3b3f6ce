/** What the documentation says of orders that a business delivers, or hands to a carrier. It imports nothing of the engine. */

import { go, isNow, type Model, meanings, type Order, type Parcel, tell, touch } from './model.test.fixture.ts'

interface Move {
  readonly from: readonly string[]
  readonly to: string
  /** What the parcel's timeline says then, and what it says where somebody had the parcel already. */
  readonly code?: string
  readonly again?: string | false
  /** Whether the order is a carrier's: it has to be, or must not be. */
  readonly provider?: 'has' | 'has not'
}

const free = ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'FAILED']
const driven = ['PICKED_UP', 'ON_THE_WAY']

/** What may be done with a local delivery, by the last part of its path. */
export const moves: Readonly<Record<string, Move>> = {
  hold: { from: free, to: 'HOLD', provider: 'has not' },
  release: { from: ['HOLD'], to: 'NEW_ORDER' },
  'assign-driver': { from: free, to: 'ASSIGNED', provider: 'has not' },
  'unassign-driver': { from: ['ASSIGNED', 'ACCEPTED'], to: 'NEW_ORDER' },
  accept: { from: ['ASSIGNED'], to: 'ACCEPTED', code: 'booking_confirmed', again: false },
  reject: { from: ['ASSIGNED'], to: 'NEW_ORDER' },
  'start-pickup': { from: ['ASSIGNED', 'ACCEPTED'], to: 'PICKUP_STARTED', code: 'out_for_pickup', again: false },
  'pick-up': {
    ...{ from: ['ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED'], to: 'PICKED_UP' },
    ...{ code: 'picked_up', again: 'in_transit' },
  },
  depart: { from: ['PICKED_UP'], to: 'ON_THE_WAY', code: 'out_for_delivery' },
  complete: { from: driven, to: 'DELIVERED', code: 'delivered' },
  fail: { from: ['PICKUP_STARTED', ...driven, 'WITH_CARRIER'], to: 'FAILED' },
  return: { from: ['FAILED', 'WITH_CARRIER'], to: 'RETURNED', code: 'return_to_sender' },
  cancel: { from: [...free, 'HOLD', 'PICKUP_STARTED'], to: 'CANCELLED', code: 'cancelled' },
  'hand-to-carrier': { from: ['NEW_ORDER'], to: 'WITH_CARRIER', code: 'in_transit' },
  'take-back': {
    ...{ from: ['WITH_CARRIER', 'FAILED'], to: 'NEW_ORDER' },
    ...{ code: 'removed_from_route', provider: 'has' },
  },
  'carrier-delivered': {
    ...{ from: ['WITH_CARRIER', 'FAILED'], to: 'DELIVERED_BY_CARRIER' },
    ...{ code: 'delivered', provider: 'has' },
  },
}

/** Why a move of a local delivery is refused; undefined if it is not. */
export function refusalOf(order: Order, verb: string): string | undefined {
  const { from, provider } = moves[verb] as Move
  if (verb === 'cancel' && order.status === 'CANCELLED') return undefined
  if (!from.includes(order.status)) return verb === 'cancel' ? 'cancel_refused' : 'order_status_forbids'
  if (provider === 'has' && order.provider === undefined) return 'order_not_with_carrier'
  if (provider === 'has not' && order.provider !== undefined) return 'order_with_carrier'
  return undefined
}

/** Makes a move that is not refused. */
export function moveOrder(
  model: Model,
  order: Order,
  verb: string,
  more: { readonly provider?: string; readonly isRefused?: boolean } = {},
): void {
  const { to, code, again } = moves[verb] as Move
  if (order.status === to && verb !== 'assign-driver') return
  if (verb === 'assign-driver' && order.hasDriver && order.status !== 'FAILED') return
  const failed = order.status === 'PICKUP_STARTED' && !order.isPickedUp ? 'pickup_failed' : 'delivery_failed'
  const says = verb === 'fail' ? failed : order.isPickedUp && again !== undefined ? again : code
  go(model, order, to)
  if (says !== undefined && says !== false) tell(model, order, says)
  if (['hold', 'unassign-driver', 'reject', 'cancel'].includes(verb)) order.hasDriver = false
  if (verb === 'assign-driver') order.hasDriver = true
  if (verb === 'fail') order.isRefused = more.isRefused === true
  if (verb === 'hand-to-carrier') order.provider = more.provider
  if (verb === 'take-back') order.provider = undefined
  if (['pick-up', 'hand-to-carrier'].includes(verb)) order.isPickedUp = true
  if (verb === 'take-back') order.isPickedUp = false
  if (['assign-driver', 'hand-to-carrier', 'hold', 'cancel'].includes(verb)) order.reportedBy = undefined
}

/** A carrier reports on the parcel of a local delivery. */
export function reportOrder(model: Model, order: Order, parcel: Parcel, by: string, code: string, at: number): void {
  parcel.scans.push({ at, code })
  const meaning = meanings[code]
  if (meaning === undefined || !isNow(parcel) || order.isDeleted) return
  const carrier = order.provider ?? order.given?.provider
  if (carrier === undefined) note(model, order, by)
  else if (carrier === by && isTaken(model, order, by, code)) carried(model, order, code)
}

function note(model: Model, order: Order, by: string): void {
  if (order.status !== 'NEW_ORDER' || order.reportedBy === by) return
  order.reportedBy = by
  touch(model, order)
}

/** Whether a carrier has an order: from its first scan on, if it is to deliver it. */
function isTaken(model: Model, order: Order, by: string, code: string): boolean {
  if (order.provider !== undefined) return true
  if (code === 'cancelled' || code === 'pickup_failed' || !['NEW_ORDER', 'FAILED'].includes(order.status)) return false
  go(model, order, 'WITH_CARRIER')
  Object.assign(order, { provider: by, hasDriver: false, isPickedUp: true, reportedBy: undefined })
  return true
}

function carried(model: Model, order: Order, code: string): void {
  const { status } = order
  if (status !== 'WITH_CARRIER' && status !== 'FAILED') return
  const meaning = meanings[code]
  if (meaning === 'carried' && status === 'FAILED') go(model, order, 'WITH_CARRIER')
  if (meaning === 'failed' && status === 'WITH_CARRIER') {
    go(model, order, 'FAILED')
    order.isRefused = code === 'rejected_by_recipient'
  }
  if (meaning === 'delivered') go(model, order, 'DELIVERED_BY_CARRIER')
  if (meaning === 'returned') go(model, order, 'RETURNED')
  if (meaning === 'given back') {
    go(model, order, 'NEW_ORDER')
    Object.assign(order, { provider: undefined, isPickedUp: false })
  }
}

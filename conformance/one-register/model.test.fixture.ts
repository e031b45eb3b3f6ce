/**
 * Orders of all families as somebody would keep them on paper: one list, and what the documentation says of each. It imports
 * nothing of the engine.
 */

export type Business = 'one' | 'two'
export type Family = 'local_delivery' | 'label_service'

/** The statuses of orders, in the order of their ids. */
export const statuses = [
  ...['NEW_ORDER', 'DELIVERED', 'HOLD', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED', 'PICKED_UP', 'FAILED', 'RETURNED'],
  ...['ON_THE_WAY', 'CANCELLED', 'WITH_CARRIER', 'DELIVERED_BY_CARRIER'],
] as const

export const ended: readonly string[] = ['DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED']

/** The parcel of an order: what happened to it, in the order in which it was recorded. */
export interface Parcel {
  readonly number: string
  readonly scans: { readonly at: number; readonly code: string }[]
  /** Of a label: what the carrier last said that counts. */
  said?: string
}

export interface Order {
  readonly id: number
  readonly business: Business
  readonly family: Family
  readonly isOfCustomer: boolean
  readonly name: string
  readonly day: string | undefined
  readonly parcels: readonly Parcel[]
  reference: string
  status: string
  /** The status of a label in the words of its family. */
  state: string
  isDeleted: boolean
  hasDriver: boolean
  /** Who has it of the carriers. */
  provider: string | undefined
  /** Who is to deliver it, and by which assignment. */
  given: { readonly provider: string; readonly assignment: number } | undefined
  reportedBy: string | undefined
  /** Whether its last attempt was refused by the recipient. */
  isRefused: boolean
  isPickedUp: boolean
  /** The later it changed, the greater. */
  changed: number
  /** Every change of the status, as from>to. */
  readonly changes: string[]
}

/** What a code of the parcel profile says of who has the parcel; the others announce something. */
export const meanings: Readonly<Record<string, 'carried' | 'failed' | 'delivered' | 'returned' | 'given back'>> = {
  ...{ picked_up: 'carried', received: 'carried', arrival_scan: 'carried', in_transit: 'carried' },
  ...{ package_outbound: 'carried', out_for_delivery: 'carried' },
  ...{ pickup_failed: 'failed', delivery_failed: 'failed', rejected_by_recipient: 'failed' },
  ...{ delivered: 'delivered', return_to_sender: 'returned', cancelled: 'given back' },
}

/** What carriers report. */
export const codes = [
  ...['picked_up', 'in_transit', 'out_for_delivery', 'delivered', 'delivery_failed', 'pickup_failed'],
  ...['rejected_by_recipient', 'return_to_sender', 'cancelled', 'booking_confirmed', 'delivery_rescheduled'],
] as const

/** The ends of a parcel, and what may follow each. */
const ends: Readonly<Record<string, readonly string[]>> = {
  delivered: ['delivered', 'return_to_sender'],
  return_to_sender: ['return_to_sender'],
  rejected_by_recipient: ['rejected_by_recipient', 'return_to_sender', 'delivered'],
  cancelled: ['cancelled', 'return_to_sender', 'delivered', 'rejected_by_recipient'],
}

/** The latest event of a parcel, unless an end holds. */
function latest({ scans }: Parcel) {
  let current: Parcel['scans'][number] | undefined
  for (const scan of [...scans].sort((one, other) => one.at - other.at))
    if (current === undefined || ends[current.code]?.includes(scan.code) !== false) current = scan
  return current
}

export function codeOf(parcel: Parcel): string | undefined {
  return latest(parcel)?.code
}

/** Whether what was just reported of a parcel says how it is now. A carrier may have got again what it had cancelled. */
export function isNow(parcel: Parcel): boolean {
  const [current, told] = [latest(parcel), parcel.scans.at(-1)]
  if (current === undefined || told === undefined) return false
  return current === told || (current.code === 'cancelled' && told.at > current.at)
}

type Begun = Pick<Order, 'business' | 'family' | 'name' | 'reference'> &
  Partial<Pick<Order, 'isOfCustomer' | 'day' | 'state' | 'provider'>>

/** The list, and a clock that its owner sets. */
export interface Model {
  readonly clock: { readonly now: number }
  readonly orders: Order[]
  /** How often anything has changed. */
  changes: number
}

export function touch(model: Model, order: Order): void {
  order.changed = ++model.changes
}

export function go(model: Model, order: Order, to: string): void {
  if (order.status !== to) order.changes.push(`${order.status}>${to}`)
  order.status = to
  touch(model, order)
}

/** Records something that happens to all parcels of an order now. */
export function tell({ clock }: Model, order: Order, code: string): void {
  for (const parcel of order.parcels) parcel.scans.push({ at: clock.now, code })
}

/** Who makes an order has its numbers from the answer. */
export function begin(model: Model, begun: Begun, id: number, numbers: readonly string[]): void {
  const order: Order = {
    ...{ id, isOfCustomer: false, day: undefined, state: '', status: 'NEW_ORDER', isDeleted: false },
    ...{ hasDriver: false, provider: undefined, given: undefined, reportedBy: undefined, isRefused: false },
    ...{ isPickedUp: false, changed: ++model.changes, changes: [], ...begun },
    parcels: numbers.map((number) => ({ number, scans: [] })),
  }
  model.orders.push(order)
  tell(model, order, 'information_submitted')
}

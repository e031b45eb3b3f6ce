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

/** The parcel of an order: what happened to it, in the order in which it was told. */
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
const meanings: Readonly<Record<string, 'carried' | 'failed' | 'delivered' | 'returned' | 'given back'>> = {
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

/** Whether what was just told of a parcel says how it is now. A carrier may have got again what it had cancelled. */
function isNow(parcel: Parcel): boolean {
  const [current, told] = [latest(parcel), parcel.scans.at(-1)]
  if (current === undefined || told === undefined) return false
  return current === told || (current.code === 'cancelled' && told.at > current.at)
}

/** Whether a parcel has arrived, or its latest scan says so. */
function isDelivered(parcel: Parcel): boolean {
  const last = [...parcel.scans].sort((one, other) => one.at - other.at).at(-1)
  return codeOf(parcel) === 'delivered' || last?.code === 'delivered'
}

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

type Begun = Pick<Order, 'business' | 'family' | 'name' | 'reference'> &
  Partial<Pick<Order, 'isOfCustomer' | 'day' | 'state' | 'provider'>>

/** The list. `now` is what its owner says. */
export function createModel(clock: { readonly now: number }) {
  const orders: Order[] = []
  let changes = 0

  const touch = (order: Order) => {
    order.changed = ++changes
  }
  const go = (order: Order, to: string) => {
    if (order.status !== to) order.changes.push(`${order.status}>${to}`)
    order.status = to
    touch(order)
  }
  const tell = (order: Order, code: string) => {
    for (const parcel of order.parcels) parcel.scans.push({ at: clock.now, code })
  }

  /** Who makes an order has its numbers from the answer. */
  const begin = (begun: Begun, id: number, numbers: readonly string[]) => {
    const order: Order = {
      ...{ id, isOfCustomer: false, day: undefined, state: '', status: 'NEW_ORDER', isDeleted: false },
      ...{ hasDriver: false, provider: undefined, given: undefined, reportedBy: undefined, isRefused: false },
      ...{ isPickedUp: false, changed: ++changes, changes: [], ...begun },
      parcels: numbers.map((number) => ({ number, scans: [] })),
    }
    orders.push(order)
    tell(order, 'information_submitted')
  }

  /** Why a move of a local delivery is refused; undefined if it is not. */
  const refusalOf = (order: Order, verb: string): string | undefined => {
    const { from, provider } = moves[verb] as Move
    if (verb === 'cancel' && order.status === 'CANCELLED') return undefined
    if (!from.includes(order.status)) return verb === 'cancel' ? 'cancel_refused' : 'order_status_forbids'
    if (provider === 'has' && order.provider === undefined) return 'order_not_with_carrier'
    if (provider === 'has not' && order.provider !== undefined) return 'order_with_carrier'
    return undefined
  }

  /** Makes a move that is not refused. */
  const move = (
    order: Order,
    verb: string,
    more: { readonly provider?: string; readonly isRefused?: boolean } = {},
  ) => {
    const { to, code, again } = moves[verb] as Move
    if (order.status === to && verb !== 'assign-driver') return
    if (verb === 'assign-driver' && order.hasDriver && order.status !== 'FAILED') return
    const failed = order.status === 'PICKUP_STARTED' && !order.isPickedUp ? 'pickup_failed' : 'delivery_failed'
    const says = verb === 'fail' ? failed : order.isPickedUp && again !== undefined ? again : code
    go(order, to)
    if (says !== undefined && says !== false) tell(order, says)
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
  const report = (order: Order, parcel: Parcel, by: string, code: string, at: number) => {
    parcel.scans.push({ at, code })
    const meaning = meanings[code]
    if (meaning === undefined || !isNow(parcel) || order.isDeleted) return
    const carrier = order.provider ?? order.given?.provider
    if (carrier === undefined) note(order, by)
    else if (carrier === by && isTaken(order, by, code)) carried(order, code)
  }

  const note = (order: Order, by: string) => {
    if (order.status !== 'NEW_ORDER' || order.reportedBy === by) return
    order.reportedBy = by
    touch(order)
  }

  /** Whether a carrier has an order: from its first scan on, if it is to deliver it. */
  const isTaken = (order: Order, by: string, code: string): boolean => {
    if (order.provider !== undefined) return true
    if (code === 'cancelled' || code === 'pickup_failed' || !['NEW_ORDER', 'FAILED'].includes(order.status))
      return false
    go(order, 'WITH_CARRIER')
    Object.assign(order, { provider: by, hasDriver: false, isPickedUp: true, reportedBy: undefined })
    return true
  }

  const carried = (order: Order, code: string) => {
    const { status } = order
    if (status !== 'WITH_CARRIER' && status !== 'FAILED') return
    const meaning = meanings[code]
    if (meaning === 'carried' && status === 'FAILED') go(order, 'WITH_CARRIER')
    if (meaning === 'failed' && status === 'WITH_CARRIER') {
      go(order, 'FAILED')
      order.isRefused = code === 'rejected_by_recipient'
    }
    if (meaning === 'delivered') go(order, 'DELIVERED_BY_CARRIER')
    if (meaning === 'returned') go(order, 'RETURNED')
    if (meaning === 'given back') {
      go(order, 'NEW_ORDER')
      Object.assign(order, { provider: undefined, isPickedUp: false })
    }
  }

  /** The carrier of a label reports on one of its parcels. */
  const scan = (order: Order, parcel: Parcel, code: string, at: number) => {
    if (order.state !== 'LABEL_PURCHASED') return
    parcel.scans.push({ at, code })
    const meaning = meanings[code]
    if (meaning === undefined || meaning === parcel.said || !isNow(parcel) || ended.includes(order.status)) return
    parcel.said = meaning
    if (meaning === 'failed') order.isRefused = code === 'rejected_by_recipient'
    go(order, wayOf(order.parcels.map(({ said }) => said)))
  }

  /** Voids a label, or gives up one that could not be bought; answers why not. */
  const giveUp = (order: Order): string | undefined => {
    if (order.state === 'LABEL_VOIDED' || order.state === 'LABEL_CANCELLED') return undefined
    if (order.status === 'RETURNED' || order.parcels.some(isDelivered)) return 'label_status_forbids'
    order.state = order.state === 'LABEL_PURCHASED' ? 'LABEL_VOIDED' : 'LABEL_CANCELLED'
    go(order, 'CANCELLED')
    tell(order, 'cancelled')
    return undefined
  }

  return { orders, begin, refusalOf, move, report, scan, giveUp, touch }
}

export type Model = ReturnType<typeof createModel>

/** How far a label is: it ends with its last parcel, and fails with any. */
function wayOf(said: readonly (string | undefined)[]): string {
  const isEvery = (...some: readonly string[]) => said.every((one) => one !== undefined && some.includes(one))
  if (isEvery('delivered', 'returned', 'given back')) {
    if (said.includes('returned')) return 'RETURNED'
    return said.includes('delivered') ? 'DELIVERED_BY_CARRIER' : 'CANCELLED'
  }
  if (said.includes('failed')) return 'FAILED'
  return said.some((one) => one !== undefined && one !== 'given back') ? 'WITH_CARRIER' : 'NEW_ORDER'
}

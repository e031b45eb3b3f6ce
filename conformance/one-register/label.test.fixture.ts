/** What the documentation says of labels. It imports nothing of the engine. */

import { codeOf, ended, go, isNow, type Model, meanings, type Order, type Parcel, tell } from './model.test.fixture.ts'

/** Whether a parcel has arrived, or its latest scan says so. */
function isDelivered(parcel: Parcel): boolean {
  const last = [...parcel.scans].sort((one, other) => one.at - other.at).at(-1)
  return codeOf(parcel) === 'delivered' || last?.code === 'delivered'
}

/** The carrier of a label reports on one of its parcels. */
export function scanParcel(model: Model, order: Order, parcel: Parcel, code: string, at: number): void {
  if (order.state !== 'LABEL_PURCHASED') return
  parcel.scans.push({ at, code })
  const meaning = meanings[code]
  if (meaning === undefined || meaning === parcel.said || !isNow(parcel) || ended.includes(order.status)) return
  parcel.said = meaning
  if (meaning === 'failed') order.isRefused = code === 'rejected_by_recipient'
  go(model, order, wayOf(order.parcels.map(({ said }) => said)))
}

/** Voids a label, or gives up one that could not be bought; answers why not. */
export function voidLabel(model: Model, order: Order): string | undefined {
  if (order.state === 'LABEL_VOIDED' || order.state === 'LABEL_CANCELLED') return undefined
  if (order.status === 'RETURNED' || order.parcels.some(isDelivered)) return 'label_status_forbids'
  order.state = order.state === 'LABEL_PURCHASED' ? 'LABEL_VOIDED' : 'LABEL_CANCELLED'
  go(model, order, 'CANCELLED')
  tell(model, order, 'cancelled')
  return undefined
}

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

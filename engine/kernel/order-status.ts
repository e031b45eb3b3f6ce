/** The statuses of an order, by the numeric ids that lists and webhooks show (document 3 names 2, 29, 33 and 43). */
export const orderStatuses = {
  NEW_ORDER: { id: 1, meaning: 'Taken, and planned by nobody yet.' },
  DELIVERED: { id: 2, meaning: 'Delivered by a driver of the business.' },
  HOLD: { id: 3, meaning: 'Held back: it is not dispatched.' },
  ASSIGNED: { id: 5, meaning: 'A driver is to carry it.' },
  ACCEPTED: { id: 6, meaning: 'The driver has accepted it.' },
  PICKUP_STARTED: { id: 10, meaning: 'The driver is on the way to pick it up.' },
  PICKED_UP: { id: 11, meaning: 'The driver has it.' },
  FAILED: { id: 20, meaning: 'An attempt to pick it up or to deliver it has failed.' },
  RETURNED: { id: 21, meaning: 'Back at its sender.' },
  ON_THE_WAY: { id: 29, meaning: 'On its way to the recipient, with a driver of the business.' },
  CANCELLED: { id: 30, meaning: 'Cancelled.' },
  WITH_CARRIER: { id: 33, meaning: 'On its way to the recipient, with a third-party carrier.' },
  DELIVERED_BY_CARRIER: { id: 43, meaning: 'Delivered by a third-party carrier.' },
} as const satisfies Record<string, { readonly id: number; readonly meaning: string }>

/** Name of a status of an order. */
export type OrderStatus = keyof typeof orderStatuses

/** The names of the statuses, in the order of their ids. */
export const orderStatusNames = Object.keys(orderStatuses) as [OrderStatus, ...OrderStatus[]]

/** Statuses in which an order has ended. */
export const finalOrderStatuses: readonly OrderStatus[] = ['DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED']

const shownToCustomersAs: Readonly<Partial<Record<OrderStatus, OrderStatus>>> = {
  WITH_CARRIER: 'ON_THE_WAY',
  DELIVERED_BY_CARRIER: 'DELIVERED',
}

/** The status as customers are sent it: it does not depend on who carries the shipment (document 3). */
export function statusForCustomer(status: OrderStatus): OrderStatus {
  return shownToCustomersAs[status] ?? status
}

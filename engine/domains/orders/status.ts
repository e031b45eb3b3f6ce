/** How an order stands, by the numeric id that lists and webhooks tell (document 3 names 2, 29, 33 and 43). */
export const statuses = {
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
export type Status = keyof typeof statuses

/** Whether something is the name of a status. */
export function isStatus(name: unknown): name is Status {
  return typeof name === 'string' && Object.hasOwn(statuses, name)
}

/** Nothing follows these. */
export const finalStatuses: readonly Status[] = ['DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED']

/** Nobody has picked it up. */
export const statusesBeforePickup: readonly Status[] = ['NEW_ORDER', 'HOLD', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED']

/** A driver is under way with it. */
export const statusesUnderWay: readonly Status[] = ['PICKUP_STARTED', 'PICKED_UP', 'ON_THE_WAY']

/** An order of these statuses can be given to a contractor. */
export const assignableStatuses: readonly Status[] = ['NEW_ORDER', 'FAILED']

/** The name of a status id; nothing where there is none. */
export function statusOf(id: number): Status | undefined {
  return (Object.keys(statuses) as readonly Status[]).find((name) => statuses[name].id === id)
}

const toldAs: Readonly<Partial<Record<Status, Status>>> = {
  WITH_CARRIER: 'ON_THE_WAY',
  DELIVERED_BY_CARRIER: 'DELIVERED',
}

/** The status as a customer is told it: the same whoever carries the shipment (document 3). */
export function statusForCustomer(status: Status): Status {
  return toldAs[status] ?? status
}

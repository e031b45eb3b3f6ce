import * as v from 'valibot'
import type { Row } from '../../kernel/read-model.ts'
import type { Compartment } from './events.ts'
import { id, line, maxParcels, parcelEntries } from './input.ts'
import type { LockerDelivery, OpenedCompartment } from './state.ts'
import { failureCodeNames, failureCodes, lockerDeliveryStatusNames } from './status.ts'

/** An instant of a record, and null where it may be missing. */
export const instant = v.pipe(v.string(), v.maxLength(30), v.description('ISO 8601, UTC.'))
const reached = v.pipe(
  v.nullable(v.pipe(v.string(), v.maxLength(30))),
  v.description('ISO 8601, UTC; null until it is reached.'),
)

const listedEntries = {
  id: v.pipe(v.number(), v.description('Id of the locker delivery.')),
  provider: line(60, 'Name of the partner’s provider account.'),
  status: v.picklist(lockerDeliveryStatusNames),
  mock: v.pipe(v.boolean(), v.description('Whether the cabinet is a mock one, in the sandbox.')),
  device_id: v.pipe(v.number(), v.description('Id of the locker.')),
  device_name: line(200, 'Name of the locker.'),
  order_id: v.pipe(v.nullable(v.number()), v.description('The order that it belongs to.')),
  delivery_expires_at: v.pipe(instant, v.description('Until when the courier’s code can be used. ISO 8601, UTC.')),
  pickup_expires_at: v.pipe(instant, v.description('Until when the deposit can be collected. ISO 8601, UTC.')),
  opened_at: reached,
  delivered_at: v.pipe(reached, v.description('When the deposit was last confirmed. ISO 8601, UTC.')),
  ended_at: reached,
}

/** A locker delivery as lists tell it. */
export const listedDeliveryRecord = v.strictObject(listedEntries)

/** A locker delivery as answers and webhooks tell it; no code is a part of it. */
export const lockerDeliveryRecord = v.strictObject({
  ...listedEntries,
  parcels: v.pipe(v.array(v.strictObject(parcelEntries)), v.maxLength(maxParcels)),
})

/** What a compartment is told by (document 3, the `opening` block). */
export const compartmentEntries = {
  grid_id: id('Id of the compartment.'),
  compartment_number: v.pipe(v.number(), v.description('Number of the hardware.')),
  pickup_locker_number: v.pipe(
    v.nullable(v.number()),
    v.description('Number on display: counted from top to bottom within a column, then from left to right.'),
  ),
  pickup_locker_code: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(80))),
    v.description('Label `{shelf_code}-{pickup_locker_number}`; null without a pickup number.'),
  ),
}

/** A parcel that did not come into the locker, and why. */
export const failedParcelRecord = v.strictObject({
  ...parcelEntries,
  failure_code: v.pipe(
    v.picklist(failureCodeNames),
    v.description(failureCodeNames.map((name) => `${name}: ${failureCodes[name]}`).join(' ')),
  ),
})

/** The record of a locker delivery. */
export type LockerDeliveryRecord = v.InferOutput<typeof lockerDeliveryRecord>

/** The record of a locker delivery. */
export function lockerDeliveryOf(delivery: LockerDelivery): LockerDeliveryRecord {
  return {
    id: delivery.id,
    provider: delivery.provider,
    status: delivery.status,
    mock: delivery.isMock,
    device_id: delivery.deviceId,
    device_name: delivery.deviceName,
    order_id: delivery.orderId ?? null,
    parcels: [...delivery.parcels],
    delivery_expires_at: delivery.deliveryExpiresAt,
    pickup_expires_at: delivery.pickupExpiresAt,
    opened_at: delivery.openedAt ?? null,
    delivered_at: delivery.deliveredAt ?? null,
    ended_at: delivery.endedAt ?? null,
  }
}

/** The record in a row of the list, whose columns are its members. */
export function lockerDeliveryIn(row: Row): Readonly<Record<string, unknown>> {
  const names = Object.keys(listedEntries)
  return Object.fromEntries(names.map((name) => [name, name === 'mock' ? row[name] === 1 : (row[name] ?? null)]))
}

/** The record of a compartment. */
export function compartmentOf({
  grid_id,
  compartment_number,
  pickup_locker_number,
  pickup_locker_code,
}: Compartment | OpenedCompartment): Compartment {
  return { grid_id, compartment_number, pickup_locker_number, pickup_locker_code }
}

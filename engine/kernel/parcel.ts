import * as v from 'valibot'
import { customsItems } from './customs.ts'
import { named } from './named.ts'

const centimetres = v.pipe(v.number(), v.minValue(0.1), v.maxValue(10_000))

const bareEntries = {
  weight_grams: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000)),
  length_cm: v.exactOptional(centimetres),
  width_cm: v.exactOptional(centimetres),
  height_cm: v.exactOptional(centimetres),
}

/** A parcel without what is in it. */
export const bareParcel = v.strictObject(bareEntries)

/** A parcel of a shipment. */
export const shipmentParcel = named(
  'ShipmentParcel',
  v.strictObject({
    ...bareEntries,
    items: v.exactOptional(v.pipe(customsItems, v.description('What is in it.'))),
  }),
)

/** A parcel of a shipment. */
export type ShipmentParcel = v.InferOutput<typeof shipmentParcel>

/** Parcels without what is in them. */
export function bareParcels(parcels: readonly ShipmentParcel[]): v.InferOutput<typeof bareParcel>[] {
  return parcels.map(({ items: _, ...parcel }) => parcel)
}

import * as v from 'valibot'
import type { Row } from '../../kernel/read-model.ts'
import { id as number, word } from '../../kernel/schemas.ts'
import type { CarrierPackage } from './state.ts'
import { carrierPackageStatusNames, distributionOrderStatuses, distributionStatuses, removalReasons } from './status.ts'

/** Text on one line that says something. */
export function line(limit: number, description: string) {
  return v.pipe(word(limit), v.description(description))
}

/** A number that names something. */
export function id(description: string) {
  return v.pipe(number, v.description(description))
}

const reached = v.pipe(
  v.nullable(v.pipe(v.string(), v.maxLength(30))),
  v.description('ISO 8601, UTC; null until it is reached.'),
)

/** A warehouse, or a place with lockers or shelves. */
export const locationRecord = v.strictObject({
  location_id: v.pipe(v.nullable(number), v.description('Its number, where it has one.')),
  location_name: line(200, 'Its name.'),
})

/** A carrier package as answers and webhooks tell it (document 3, "Carrier package events"). */
export const carrierPackageRecord = v.strictObject({
  package_id: id('Id of the carrier package.'),
  provider: line(60, 'Name of the carrier’s provider account.'),
  status: v.picklist(carrierPackageStatusNames),
  package_number: line(100, 'Number of the package.'),
  carrier_reference: v.pipe(v.nullable(word(100)), v.description('What the carrier calls it.')),
  member_number: v.exactOptional(line(100, 'Number of the recipient as a member; missing once it was erased.')),
  distribution_order: v.pipe(
    v.nullable(
      v.strictObject({
        order_id: number,
        order_ref: v.nullable(word(100)),
        status: v.picklist(distributionOrderStatuses),
      }),
    ),
    v.description('The last order that it was put on.'),
  ),
  origin: v.pipe(v.nullable(locationRecord), v.description('The warehouse; null until it came there.')),
  destination: v.pipe(locationRecord, v.description('Where the carrier wants it to go.')),
  distribution: v.pipe(
    v.nullable(
      v.strictObject({
        status: v.picklist(distributionStatuses),
        reason: v.pipe(
          v.nullable(v.picklist(removalReasons)),
          v.description('Why it is not on its order any more; null as long as it is.'),
        ),
        loaded_at: reached,
        delivered_at: reached,
      }),
    ),
    v.description('Its way on that order; shelving changes nothing of it.'),
  ),
  location: v.pipe(
    v.nullable(
      v.strictObject({
        grid_id: v.nullable(number),
        grid_code: v.nullable(word(50)),
        shelf_code: v.nullable(word(50)),
      }),
    ),
    v.description('Where it lies for its recipient; null until it was shelved.'),
  ),
})

/** The record of a carrier package. */
export type CarrierPackageRecord = v.InferOutput<typeof carrierPackageRecord>

/** A carrier package as lists tell it. */
export const listedPackageRecord = v.strictObject({
  package_id: v.number(),
  provider: v.string(),
  status: v.picklist(carrierPackageStatusNames),
  package_number: v.string(),
  carrier_reference: v.nullable(v.string()),
  order_id: v.pipe(v.nullable(v.number()), v.description('The distribution order that it is on.')),
  loaded_at: reached,
  delivered_at: reached,
})

/** The record of a carrier package. */
export function carrierPackageOf(found: CarrierPackage): CarrierPackageRecord {
  const { distribution, memberNumber } = found
  return {
    package_id: found.id,
    provider: found.provider,
    status: found.status,
    package_number: found.packageNumber,
    carrier_reference: found.carrierReference,
    ...(memberNumber === undefined ? {} : { member_number: memberNumber }),
    distribution_order: distribution
      ? { order_id: distribution.orderId, order_ref: distribution.orderRef, status: distribution.orderStatus }
      : null,
    origin: found.origin ?? null,
    destination: found.destination,
    distribution: distribution
      ? {
          status: distribution.status,
          reason: distribution.reason ?? null,
          loaded_at: distribution.loadedAt ?? null,
          delivered_at: distribution.deliveredAt ?? null,
        }
      : null,
    location: found.location ?? null,
  }
}

/** The record in a row of the list, whose columns are its members. */
export function carrierPackageIn({ id: package_id = null, ...row }: Row): Row {
  const names = Object.keys(listedPackageRecord.entries)
  return { ...Object.fromEntries(names.map((name) => [name, row[name] ?? null])), package_id }
}

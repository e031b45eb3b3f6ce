import type { Facts } from '../../kernel/context.ts'
import { plainPostalCode } from '../../kernel/places/postal-codes.ts'
import { type Contents, deciding } from './contents.ts'
import { zoneOf } from './price.ts'
import { publishedList } from './published.ts'

type Where = Pick<Contents, 'type' | 'delivery' | 'pickup'>

/**
 * The zone of a delivery in the price list of its business, if there is one, and the postal code of the address that decides
 * it, in capitals and without spaces.
 */
export async function placeOf(facts: Facts, businessId: number, where: Where) {
  const published = await publishedList(facts, businessId)
  const postalCode = plainPostalCode(where[deciding(where)]?.postal_code ?? '')
  return { postalCode, zone: published && zoneOf(published.list, where) }
}

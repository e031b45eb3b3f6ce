import type { Location, Source } from '../../engine/index.ts'
import type { Identity } from './template/index.ts'

/** Places of a network by name, and then by all that is known of them; where somebody lives is not remembered. */
export const places: Identity<Location> = {
  keyOf: ({ name, address }) =>
    address?.street === undefined && address?.postal_code === undefined ? name : undefined,
  isSame: (one, other) =>
    one.name === other.name &&
    one.unlocode === other.unlocode &&
    one.gln === other.gln &&
    one.latitude === other.latitude &&
    one.longitude === other.longitude &&
    isSameAddress(one.address, other.address),
}

function isSameAddress(one: Location['address'], other: Location['address']): boolean {
  if (one === undefined || other === undefined) return one === other
  return (
    one.street === other.street &&
    one.locality === other.locality &&
    one.region === other.region &&
    one.postal_code === other.postal_code &&
    one.country === other.country
  )
}

/** Sources by the code that the provider gave, and then by all else. */
export const sources: Identity<Source> = {
  keyOf: ({ code }) => code,
  isSame: (one, other) => one.type === other.type && one.provider === other.provider,
}

import type { Location, Source } from '../../engine/index.ts'
import type { Identity } from './template/index.ts'

/** Places, looked up by name. Places with a street or a postal code are never cached: somebody may live there. */
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

/** Sources, looked up by the provider's code; one that names its own event has no equal. */
export const sources: Identity<Source> = {
  keyOf: ({ code, event }) => (event === undefined ? code : undefined),
  isSame: (one, other) => one.type === other.type && one.provider === other.provider,
}

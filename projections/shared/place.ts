import type { Location, Source } from '../../engine/index.ts'
import type { Likeness } from './template/index.ts'

/** A location in one line for people: its name, or else the best of what is known; nothing where nothing is. */
export function placeText(location: Location | undefined): string | undefined {
  if (location === undefined) return undefined
  const { name, address, unlocode, gln, latitude, longitude } = location
  if (name) return name
  const parts = [address?.street, address?.postal_code, address?.locality, address?.region, address?.country]
  const line = parts.filter((part) => part !== undefined && part !== '').join(', ')
  if (line !== '') return line
  return (
    unlocode ?? gln ?? (latitude !== undefined && longitude !== undefined ? `${latitude}, ${longitude}` : undefined)
  )
}

/** A location as a text: the same for the same content, in whatever order its members stand. */
export function placeKey({ name, unlocode, gln, latitude, longitude, address = {} }: Location): string {
  const { street, locality, region, postal_code, country } = address
  return JSON.stringify([name, unlocode, gln, latitude, longitude, street, locality, region, postal_code, country])
}

/** A location's point, where both coordinates are known (WGS 84 degrees). */
export function pointOf(location: Location | undefined): { latitude: number; longitude: number } | undefined {
  if (location?.latitude === undefined || location.longitude === undefined) return undefined
  return { latitude: location.latitude, longitude: location.longitude }
}

/** Places by name, and then by all that is known of them. */
export const places: Likeness<Location> = {
  keyOf: ({ name }) => name,
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
export const sources: Likeness<Source> = {
  keyOf: ({ code }) => code,
  isSame: (one, other) => one.type === other.type && one.provider === other.provider,
}

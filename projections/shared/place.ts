import type { Location } from '../../engine/index.ts'

/**
 * A location in one line for people: its name, else its address, codes or coordinates. Undefined if nothing is known.
 */
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

/** A location as a text that is equal for equal locations, whatever the order of their members. */
export function placeKey({ name, unlocode, gln, latitude, longitude, address = {} }: Location): string {
  const { street, locality, region, postal_code, country } = address
  return JSON.stringify([name, unlocode, gln, latitude, longitude, street, locality, region, postal_code, country])
}

/** The point of a location, if both coordinates are known (WGS 84 degrees). */
export function pointOf(location: Location | undefined): { latitude: number; longitude: number } | undefined {
  if (location?.latitude === undefined || location.longitude === undefined) return undefined
  return { latitude: location.latitude, longitude: location.longitude }
}

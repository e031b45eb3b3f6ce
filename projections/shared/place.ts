import type { Location } from '../../engine/index.ts'

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

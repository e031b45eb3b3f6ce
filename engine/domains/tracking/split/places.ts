import { kilometresBetween } from '../../../kernel/distance.ts'
import { numberKey } from '../../../kernel/number-key.ts'
import type { Location } from '../../../kernel/timeline.ts'

/** As much of a place as tells whether it is far from another one. */
export interface Place {
  readonly latitude?: number
  readonly longitude?: number
  readonly country?: string
  readonly locality?: string
}

/** Hubs of one city, and a recipient near it, are not further apart. */
const sameAreaKm = 150

/** The speed of a parcel in the air, with nothing before and after. */
const kmPerHour = 900

/** Clocks and zones may be wrong by so many hours at once, if the distance is so large that a parcel flies. */
const wrongHours = 6

/** The place of an event; undefined if neither country nor coordinates are known. */
export function placeOf(location: Location | undefined): Place | undefined {
  if (location === undefined) return undefined
  const { latitude, longitude, unlocode, address } = location
  const country = address?.country ?? unlocode?.slice(0, 2)
  const isPlaced = latitude !== undefined && longitude !== undefined
  if (country === undefined && !isPlaced) return undefined
  return {
    ...(isPlaced && { latitude, longitude }),
    ...(country !== undefined && { country }),
    ...(address?.locality !== undefined && { locality: numberKey(address.locality) }),
  }
}

/** Whether two places are far from each other; undefined if that is not known. */
export function areApart(one: Place | undefined, other: Place | undefined): boolean | undefined {
  const kilometres = kilometresBetween(one, other)
  if (kilometres !== undefined) return kilometres > sameAreaKm
  if (one?.country === undefined || other?.country === undefined) return undefined
  if (one.country !== other.country) return true
  return one.locality !== undefined && one.locality === other.locality ? false : undefined
}

/** The hours that a parcel needs at least between two places; undefined without coordinates. */
export function hoursToTravel(one: Place | undefined, other: Place | undefined): number | undefined {
  const kilometres = kilometresBetween(one, other)
  return kilometres === undefined ? undefined : kilometres / kmPerHour - wrongHours
}

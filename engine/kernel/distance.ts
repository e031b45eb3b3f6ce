/** A place on the earth, if it is known: WGS 84 degrees. */
interface Point {
  readonly latitude?: number
  readonly longitude?: number
}

const earthRadiusKm = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The distance on the surface of the earth (haversine); undefined without coordinates. */
export function kilometresBetween(one: Point | undefined, other: Point | undefined): number | undefined {
  const [a, b, c, d] = [one?.latitude, one?.longitude, other?.latitude, other?.longitude]
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  const [north, east] = [radians(c - a), radians(d - b)]
  const half = Math.sin(north / 2) ** 2 + Math.cos(radians(a)) * Math.cos(radians(c)) * Math.sin(east / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(half)))
}

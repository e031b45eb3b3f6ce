import { isObject } from '../../../engine/index.ts'

/** Longitude and latitude, or x and y. */
export type Position = readonly [x: number, y: number]

/** A geometry: points, lines, and areas of which the first ring is the outer one. */
export interface Shape {
  readonly kind: 'shape'
  readonly points: readonly Position[]
  readonly lines: readonly (readonly Position[])[]
  readonly areas: readonly (readonly (readonly Position[])[])[]
}

/** The most positions of a geometry in a query or an entity that is compared. */
export const maxPositions = 200

const nothing = { kind: 'shape', points: [], lines: [], areas: [] } as const

/** The geometry of GeoJSON (RFC 7946); undefined if it has none, or too many positions. */
export function shapeOfGeoJson(value: unknown): Shape | undefined {
  if (!isObject(value)) return undefined
  if (value.type === 'Feature') return shapeOfGeoJson(value.geometry)
  return shapeOf(String(value.type).toUpperCase(), value.coordinates)
}

/** The geometry of well-known text, such as `POINT (13.4 52.5)`; undefined for other texts. */
export function shapeOfText(text: string): Shape | undefined {
  const [, name = '', body] =
    /^\s*(?:SRID=4326;)?\s*((?:MULTI)?(?:POINT|LINESTRING|POLYGON))\s*(\(.*\))\s*$/is.exec(text) ?? []
  if (body === undefined || /[^\d\s()+\-.,eE]/.test(body)) return undefined
  const lists = body
    .replace(
      /([+\-.\deE]+)\s+([+\-.\deE]+)(?:\s+[+\-.\deE]+)?/g,
      (_, x: string, y: string) => `[${Number(x)},${Number(y)}]`,
    )
    .replaceAll('(', '[')
    .replaceAll(')', ']')
  const coordinates = parsed(lists)
  const kind = name.toUpperCase()
  if (!Array.isArray(coordinates)) return undefined
  // POINT (1 2) has one list less than its text has parentheses; MULTIPOINT may have its points in parentheses.
  if (kind === 'POINT') return coordinates.length === 1 ? shapeOf(kind, coordinates[0]) : undefined
  return shapeOf(kind, kind === 'MULTIPOINT' ? coordinates.map(unwrapped) : coordinates)
}

function unwrapped(one: unknown): unknown {
  return Array.isArray(one) && Array.isArray(one[0]) ? one[0] : one
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function shapeOf(kind: string, coordinates: unknown): Shape | undefined {
  const shape = partsOf(kind, coordinates)
  if (shape === undefined) return undefined
  const { points, lines, areas } = shape
  const rings = areas.flat()
  const isWhole =
    lines.every((line) => line.length >= 2) && rings.every((ring) => ring.length >= 4 && isSame(ring[0], ring.at(-1)))
  const positions = [points, ...lines, ...rings].flat()
  const isKnown = positions.length > 0 && positions.length <= maxPositions && areas.every((area) => area.length > 0)
  return isWhole && isKnown && positions.every(isPosition) ? shape : undefined
}

function partsOf(kind: string, coordinates: unknown): Shape | undefined {
  const one = coordinates as never
  if (!hasDepth(coordinates, depths[kind] ?? -1)) return undefined
  switch (kind) {
    case 'POINT':
      return { ...nothing, points: [one] }
    case 'MULTIPOINT':
      return { ...nothing, points: one }
    case 'LINESTRING':
      return { ...nothing, lines: [one] }
    case 'MULTILINESTRING':
      return { ...nothing, lines: one }
    case 'POLYGON':
      return { ...nothing, areas: [one] }
    default:
      return { ...nothing, areas: one }
  }
}

/** How deeply the numbers of each kind are nested. */
const depths: Readonly<Record<string, number>> = {
  POINT: 1,
  MULTIPOINT: 2,
  LINESTRING: 2,
  MULTILINESTRING: 3,
  POLYGON: 3,
  MULTIPOLYGON: 4,
}

function hasDepth(value: unknown, depth: number): boolean {
  if (depth === 0) return typeof value === 'number'
  return (
    depth > 0 && Array.isArray(value) && value.length <= maxPositions && value.every((one) => hasDepth(one, depth - 1))
  )
}

function isPosition([x, y]: readonly number[]): boolean {
  return Number.isFinite(x) && Number.isFinite(y)
}

function isSame(one: Position | undefined, other: Position | undefined): boolean {
  return one !== undefined && other !== undefined && one[0] === other[0] && one[1] === other[1]
}

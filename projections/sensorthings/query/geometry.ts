import type { Position, Shape } from './shapes.ts'

/** The end points of a piece of a line. */
type Segment = readonly [Position, Position]

/** Where a position is: in the interior, on the boundary, or outside of a geometry. */
type Part = 0 | 1 | 2

/** The dimension of the intersection of the parts of two geometries; -1 if they have nothing in common (DE-9IM). */
type Matrix = readonly number[]

/** Differences of coordinates below this are none. */
const tolerance = 1e-9

/** Whether two geometries relate as a pattern of nine characters says: T, F, *, 0, 1 or 2 (OGC 06-103r4). */
export function relates(one: Shape, other: Shape, pattern: string): boolean {
  return fits(matrixOf(one, other), pattern)
}

/** The spatial predicates by the name of their function. */
export const predicates: Readonly<Record<string, (one: Shape, other: Shape) => boolean>> = {
  equals: (one, other) => relates(one, other, 'T*F**FFF*'),
  disjoint: (one, other) => !meets(one, other),
  intersects: meets,
  touches: (one, other) => among(one, other, 'FT*******', 'F**T*****', 'F***T****'),
  within: isWithin,
  contains: (one, other) => isWithin(other, one),
  overlaps: (one, other) =>
    dimensionOf(one) === dimensionOf(other) && relates(one, other, dimensionOf(one) === 1 ? '1*T***T**' : 'T*T***T**'),
  crosses: (one, other) => {
    const [low, high] = [dimensionOf(one), dimensionOf(other)]
    if (low === high) return low === 1 && relates(one, other, '0********')
    return relates(one, other, low < high ? 'T*T******' : 'T*****T**')
  },
}

/** The shortest distance between two geometries, in the unit of their coordinates. */
export function distanceOf(one: Shape, other: Shape): number {
  if (meets(one, other)) return 0
  let shortest = Number.POSITIVE_INFINITY
  for (const first of piecesOf(one))
    for (const second of piecesOf(other))
      shortest = Math.min(
        shortest,
        ...first.map((end) => distanceTo(end, second)),
        ...second.map((end) => distanceTo(end, first)),
      )
  return shortest
}

/** The length of the lines of a geometry, in the unit of their coordinates. */
export function lengthOf({ lines }: Shape): number {
  return lines.flatMap(segmentsOf).reduce((sum, [from, to]) => sum + apart(from, to), 0)
}

/** One point is located without a matrix: most places are points, and there may be a million of them. */
function onlyPoint({ points, lines, areas }: Shape): Position | undefined {
  return points.length === 1 && lines.length === 0 && areas.length === 0 ? points[0] : undefined
}

function meets(one: Shape, other: Shape): boolean {
  const [point, otherPoint] = [onlyPoint(one), onlyPoint(other)]
  if (point !== undefined) return partOf(point, other) !== 2
  if (otherPoint !== undefined) return partOf(otherPoint, one) !== 2
  return !relates(one, other, 'FF*FF****')
}

function isWithin(one: Shape, other: Shape): boolean {
  const point = onlyPoint(one)
  return point === undefined ? relates(one, other, 'T*F**F***') : partOf(point, other) === 0
}

function among(one: Shape, other: Shape, ...patterns: readonly string[]): boolean {
  const matrix = matrixOf(one, other)
  return patterns.some((pattern) => fits(matrix, pattern))
}

function fits(matrix: Matrix, pattern: string): boolean {
  return matrix.every((dimension, at) => {
    const wanted = pattern[at]
    if (wanted === '*') return true
    if (wanted === 'T') return dimension >= 0
    return dimension === (wanted === 'F' ? -1 : Number(wanted))
  })
}

function dimensionOf({ lines, areas }: Shape): number {
  return areas.length > 0 ? 2 : lines.length > 0 ? 1 : 0
}

/**
 * Both geometries are cut where they meet. Then each cut point, the middle of each piece and the places on both sides of it
 * are located in both: every part of the plane that differs is next to one of them.
 */
function matrixOf(one: Shape, other: Shape): Matrix {
  const matrix = [-1, -1, -1, -1, -1, -1, -1, -1, 2]
  const see = (position: Position, dimension: number) => {
    const cell = partOf(position, one) * 3 + partOf(position, other)
    matrix[cell] = Math.max(matrix[cell] ?? -1, dimension)
  }
  for (const point of [...one.points, ...other.points]) see(point, 0)
  for (const [shape, cutter] of [
    [one, other],
    [other, one],
  ] as const) {
    const cutting = linework(cutter)
    for (const segment of linework(shape)) seeAlong(cutsOf(segment, cutting), see)
  }
  return matrix
}

function seeAlong(cuts: readonly Position[], see: (position: Position, dimension: number) => void): void {
  for (const cut of cuts) see(cut, 0)
  for (let at = 1; at < cuts.length; at++) {
    const piece: Segment = [cuts[at - 1] as Position, cuts[at] as Position]
    const middle = between(piece, 0.5)
    see(middle, 1)
    for (const side of sidesOf(piece, middle)) see(side, 2)
  }
}

/** Positions beside a piece; far enough from it that they are not on it. */
function sidesOf([[x, y], [toX, toY]]: Segment, [atX, atY]: Position): readonly Position[] {
  const length = Math.hypot(toX - x, toY - y)
  const step = Math.max(length * 1e-5, tolerance * 100) / length
  const [right, up] = [(toY - y) * step, (toX - x) * step]
  return [
    [atX + right, atY - up],
    [atX - right, atY + up],
  ]
}

/** The end points of a segment, and where others meet it, in order. */
function cutsOf(segment: Segment, segments: readonly Segment[]): readonly Position[] {
  const places = new Set([0, 1])
  for (const other of segments) for (const place of meetings(segment, other)) places.add(place)
  const ordered = [...places].sort((a, b) => a - b).map((place) => between(segment, place))
  return ordered.filter((position, at) => at === 0 || apart(position, ordered[at - 1] as Position) > tolerance)
}

/** Where on a segment, from 0 to 1, another one meets it. */
function meetings(segment: Segment, other: Segment): readonly number[] {
  const [[x, y], [toX, toY]] = segment
  const [[a, b], [toA, toB]] = other
  const cross = (toX - x) * (toB - b) - (toY - y) * (toA - a)
  const ends = other.flatMap((end) => (distanceTo(end, segment) <= tolerance ? [placeOn(end, segment)] : []))
  if (Math.abs(cross) < Number.EPSILON) return ends
  const place = ((a - x) * (toB - b) - (b - y) * (toA - a)) / cross
  const there = ((a - x) * (toY - y) - (b - y) * (toX - x)) / cross
  return place > 0 && place < 1 && there >= 0 && there <= 1 ? [...ends, place] : ends
}

function partOf(position: Position, { points, lines, areas }: Shape): Part {
  let part: Part = 2
  for (const area of areas) part = Math.min(part, partOfArea(position, area)) as Part
  if (part === 0 || points.some((point) => apart(point, position) <= tolerance)) return 0
  const ends = lines.flatMap((line) => [line[0] as Position, line.at(-1) as Position])
  // The end of an odd number of lines is on the boundary (mod-2 rule).
  const meets = ends.filter((end) => apart(end, position) <= tolerance).length
  if (meets % 2 === 1) return 1
  return lines.flatMap(segmentsOf).some((segment) => distanceTo(position, segment) <= tolerance) ? 0 : part
}

function partOfArea(position: Position, rings: readonly (readonly Position[])[]): Part {
  const segments = rings.flatMap(segmentsOf)
  if (segments.some((segment) => distanceTo(position, segment) <= tolerance)) return 1
  const [x, y] = position
  const crossed = segments.filter(
    ([[a, b], [toA, toB]]) => b > y !== toB > y && x < ((toA - a) * (y - b)) / (toB - b) + a,
  )
  return crossed.length % 2 === 1 ? 0 : 2
}

function linework({ lines, areas }: Shape): readonly Segment[] {
  return [...lines, ...areas.flat()].flatMap(segmentsOf)
}

function piecesOf(shape: Shape): readonly Segment[] {
  return [...shape.points.map((point): Segment => [point, point]), ...linework(shape)]
}

function segmentsOf(line: readonly Position[]): readonly Segment[] {
  return line
    .slice(1)
    .map((to, at): Segment => [line[at] as Position, to])
    .filter(([from, to]) => apart(from, to) > 0)
}

function placeOn([x, y]: Position, [[fromX, fromY], [toX, toY]]: Segment): number {
  const square = (toX - fromX) ** 2 + (toY - fromY) ** 2
  if (square === 0) return 0
  return Math.min(1, Math.max(0, ((x - fromX) * (toX - fromX) + (y - fromY) * (toY - fromY)) / square))
}

function distanceTo(position: Position, segment: Segment): number {
  return apart(position, between(segment, placeOn(position, segment)))
}

function between([[x, y], [toX, toY]]: Segment, place: number): Position {
  return [x + (toX - x) * place, y + (toY - y) * place]
}

function apart([x, y]: Position, [toX, toY]: Position): number {
  return Math.hypot(toX - x, toY - y)
}

import type { Line } from './text.ts'

/** A picture of black dots. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  /** How far its left and its top are from the start of the line and from its baseline, in dots. */
  readonly left: number
  readonly top: number
  /** Its rows, each filled up to whole bytes; a 1 is black. */
  readonly bytes: Uint8Array
}

type Point = readonly [x: number, y: number]

/** Steps of which curves are made, and rows of samples within a dot. */
const [steps, samples] = [8, 4]

/** The letters of a line as dots, `size` of which its fonts take for an em; undefined if there is nothing to see. */
export function pictureOf({ runs, width }: Line, size: number): Bitmap | undefined {
  const margin = size
  const canvas = { width: Math.ceil(width * size + 2 * margin), height: Math.ceil(3 * size) }
  const cover = new Float32Array(canvas.width * canvas.height)
  for (const { run, x } of runs) {
    const { font } = run.font
    const scale = size / font.unitsPerEm
    const { glyphs, positions } = font.layout(run.text)
    let pen = margin + x * size
    for (const [index, glyph] of glyphs.entries()) {
      const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {}
      const [left, base] = [pen + xOffset * scale, 2 * size - yOffset * scale]
      const outlines = outlinesOf(glyph.path.commands).map((outline) =>
        outline.map(([x, y]): Point => [left + x * scale, base - y * scale]),
      )
      fill(cover, canvas, outlines)
      pen += xAdvance * scale
    }
  }
  return cropped(cover, canvas, { left: -margin, top: -2 * size })
}

/** The outlines of a letter, their curves in short lines. */
function outlinesOf(commands: readonly { readonly command: string; readonly args: readonly number[] }[]) {
  const outlines: Point[][] = []
  for (const { command, args } of commands) {
    if (command === 'closePath') continue
    const points = pairsOf(args)
    if (command === 'moveTo') outlines.push([])
    const outline = outlines.at(-1)
    const from = outline?.at(-1)
    if (outline === undefined) continue
    if (from === undefined || points.length === 1) outline.push(...points)
    else for (let step = 1; step <= steps; step++) outline.push(curveAt([from, ...points], step / steps))
  }
  return outlines
}

function pairsOf(numbers: readonly number[]): readonly Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => [
    numbers[2 * index] ?? 0,
    numbers[2 * index + 1] ?? 0,
  ])
}

/** A point of a Bézier curve (De Casteljau). */
function curveAt(points: readonly Point[], part: number): Point {
  const [first = [0, 0], ...others] = points
  if (others.length === 0) return first
  const between = others.map((point, index): Point => {
    const [x, y] = points[index] ?? first
    return [x + (point[0] - x) * part, y + (point[1] - y) * part]
  })
  return curveAt(between, part)
}

/** Adds how much of each dot is within outlines; where they overlap, it is within as well (nonzero winding). */
function fill(
  cover: Float32Array,
  canvas: { readonly width: number; readonly height: number },
  outlines: readonly Point[][],
) {
  const edges = outlines.flatMap((outline) =>
    outline.map((from, index) => [from, outline[(index + 1) % outline.length] ?? from] as const),
  )
  const heights = edges.flatMap(([[, from], [, to]]) => [from, to])
  const [first, last] = [Math.max(0, Math.floor(Math.min(...heights))), Math.min(canvas.height, Math.max(...heights))]
  for (let row = first; row < last; row++)
    for (let sample = 0; sample < samples; sample++) {
      const y = row + (sample + 0.5) / samples
      const crossings = edges.flatMap(([from, to]) => {
        if (from[1] <= y === to[1] <= y) return []
        return [{ x: from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]), way: from[1] <= y ? 1 : -1 }]
      })
      crossings.sort((one, other) => one.x - other.x)
      let winding = 0
      for (const [index, { x, way }] of crossings.entries()) {
        winding += way
        if (winding !== 0) cross(cover, row * canvas.width, canvas.width, [x, crossings[index + 1]?.x ?? x])
      }
    }
}

function cross(cover: Float32Array, row: number, width: number, [from, to]: Point) {
  for (let dot = Math.max(0, Math.floor(from)); dot < Math.min(width, to); dot++)
    cover[row + dot] = (cover[row + dot] ?? 0) + Math.max(0, Math.min(to, dot + 1) - Math.max(from, dot)) / samples
}

/** The dots that are covered enough to be black: less than half, so that thin strokes do not break. */
function cropped(
  cover: Float32Array,
  canvas: { readonly width: number; readonly height: number },
  { left, top }: { readonly left: number; readonly top: number },
): Bitmap | undefined {
  const isBlack = (x: number, y: number) => (cover[y * canvas.width + x] ?? 0) > 0.4
  const [xs, ys] = [new Set<number>(), new Set<number>()]
  for (let y = 0; y < canvas.height; y++)
    for (let x = 0; x < canvas.width; x++)
      if (isBlack(x, y)) {
        xs.add(x)
        ys.add(y)
      }
  if (xs.size === 0) return undefined
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const [width, height] = [x1 - x0 + 1, y1 - y0 + 1]
  const across = Math.ceil(width / 8)
  const bytes = new Uint8Array(across * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isBlack(x0 + x, y0 + y)) bytes[y * across + (x >> 3)] = (bytes[y * across + (x >> 3)] ?? 0) | (128 >> (x & 7))
  return { width, height, left: Math.round(left) + x0, top: Math.round(top) + y0, bytes }
}

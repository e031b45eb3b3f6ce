import { html } from 'hono/html'
import type { TimelineEvent } from '../../../engine/index.ts'
import type { TrackTexts } from '../texts/index.ts'
import type { Html } from '../words.ts'
import { placeText } from './place.ts'

/** A place of the journey in degrees, and what to call it. */
interface MapPoint {
  readonly latitude: number
  /** Beyond 180 degrees where the journey crosses the date line. */
  readonly longitude: number
  readonly name: string
}

/** Most places on a map, the latest ones, and the size of the picture. */
const mostPoints = 100
const size = { width: 480, height: 300, margin: 48 }

/** Smallest part of the earth on a map, in degrees: about two kilometres. */
const smallestExtent = 0.02

/** The places of a journey in order, each once for each visit. There is a map of two places or more. */
export function journeyPoints(events: readonly TimelineEvent[], language: string): readonly MapPoint[] {
  const points: MapPoint[] = []
  for (const { location } of events) {
    if (location?.latitude === undefined || location.longitude === undefined) continue
    const { latitude, longitude, address } = location
    const last = points.at(-1)
    if (last !== undefined && last.latitude === latitude && turned(last.longitude - longitude) === 0) continue
    const near = last === undefined ? longitude : last.longitude + turned(longitude - last.longitude)
    points.push({ latitude, longitude: near, name: address?.locality ?? placeText(location, language) })
  }
  return points.length < 2 ? [] : points.slice(-mostPoints)
}

/** A difference of longitudes the short way around the earth. */
function turned(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180
}

/** The title of a map: the places of the journey in order. */
export function mapTitle(points: readonly MapPoint[], { map }: TrackTexts, language: string): string {
  const names = points.map(({ name }) => name).filter((name, index, all) => name !== '' && name !== all[index - 1])
  return map({ places: new Intl.ListFormat(language, { type: 'unit' }).format(names) })
}

/** A point of the picture. */
interface Spot {
  readonly x: number
  readonly y: number
  readonly name: string
}

/** The map of a journey as SVG: its places, the way between them, and meridians and parallels behind. */
export function journeyMap(points: readonly MapPoint[], title: string): Html {
  const project = projectionOf(points)
  const spots = points.map(({ latitude, longitude, name }) => ({ ...project.toPicture(longitude, latitude), name }))
  const way = spots.map(({ x, y }) => `${x},${y}`).join(' ')
  const here = spots.at(-1) as Spot
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">
<title>${title}</title>
<style>${styles}</style>
<path class="ground" d="M0,0h${size.width}v${size.height}h-${size.width}z"/>
<path class="grid" d="${project.grid}"/>
<polyline class="way" points="${way}"/>
${spots.map(({ x, y }) => html`<circle class="stop" cx="${x}" cy="${y}" r="6"/>`)}
<circle class="here" cx="${here.x}" cy="${here.y}" r="11"/>
${labelsOf(spots).map(({ x, y, name, anchor }) => html`<text x="${x}" y="${y}" text-anchor="${anchor}">${name}</text>`)}
</svg>`
}

const styles = [
  '.ground{fill:#fff}.grid{fill:none;stroke:#d8dfe7}.way{fill:none;stroke:#0b5cad;stroke-width:3;stroke-linejoin:round}',
  '.stop{fill:#fff;stroke:#0b5cad;stroke-width:3}.here{fill:#0b5cad;stroke:#fff;stroke-width:3}',
  'text{fill:#17202c;font:500 20px system-ui,sans-serif;paint-order:stroke;stroke:#fff;stroke-width:4}',
  '@media (prefers-color-scheme:dark){.ground{fill:#161e28}.grid{stroke:#2c3846}.way{stroke:#82bcff}.stop{fill:#161e28;stroke:#82bcff}',
  '.here{fill:#82bcff;stroke:#161e28}text{fill:#e7edf4;stroke:#161e28}}',
].join('')

/** Equirectangular, true to scale in the middle of the journey. */
function projectionOf(points: readonly MapPoint[]) {
  const [longitudes, latitudes] = [points.map(({ longitude }) => longitude), points.map(({ latitude }) => latitude)]
  const middle = { longitude: middleOf(longitudes), latitude: middleOf(latitudes) }
  const shrink = Math.max(0.1, Math.cos((middle.latitude * Math.PI) / 180))
  const width = Math.max(extentOf(longitudes) * shrink, smallestExtent)
  const height = Math.max(extentOf(latitudes), smallestExtent)
  const room = { width: size.width - 2 * size.margin, height: size.height - 2 * size.margin }
  const scale = Math.min(room.width / width, room.height / height)
  const toPicture = (longitude: number, latitude: number) => ({
    x: rounded(size.width / 2 + (longitude - middle.longitude) * shrink * scale),
    y: rounded(size.height / 2 - (latitude - middle.latitude) * scale),
  })
  const half = { longitude: size.width / 2 / shrink / scale, latitude: size.height / 2 / scale }
  const step = stepFor(Math.max(half.longitude, half.latitude) / 2)
  const meridians = multiples(middle.longitude - half.longitude, middle.longitude + half.longitude, step)
  const parallels = multiples(middle.latitude - half.latitude, middle.latitude + half.latitude, step)
  const grid = [
    ...meridians.map((longitude) => `M${toPicture(longitude, 0).x},0v${size.height}`),
    ...parallels.map((latitude) => `M0,${toPicture(0, latitude).y}h${size.width}`),
  ].join('')
  return { toPicture, grid }
}

function middleOf(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2
}

function extentOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

/** A round number of degrees: 1, 2 or 5 times a power of ten. */
function stepFor(degrees: number): number {
  const power = 10 ** Math.floor(Math.log10(degrees))
  return [5, 2, 1].map((times) => times * power).find((step) => step <= degrees) ?? power
}

function multiples(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step)
}

interface Label extends Spot {
  readonly anchor: 'start' | 'middle' | 'end'
}

/** Names above or below their places, the last and the first one before others; a name without room is left out. */
function labelsOf(spots: readonly Spot[]): readonly Label[] {
  const newestFirst = spots.toReversed()
  const labels: Label[] = []
  for (const { x, y, name } of [...newestFirst.slice(0, 1), ...spots.slice(0, 1), ...newestFirst.slice(1)]) {
    const anchor = x < size.width / 4 ? 'start' : x > (3 * size.width) / 4 ? 'end' : 'middle'
    const label = { x, y: y < size.height / 2 ? y - 18 : y + 32, name: cut(name), anchor } as const
    if (name !== '' && labels.every((other) => other.name !== label.name && isApart(other, label))) labels.push(label)
  }
  return labels
}

const longestName = 24

function cut(name: string): string {
  const letters = [...name]
  return letters.length > longestName ? `${letters.slice(0, longestName - 1).join('')}…` : name
}

function isApart(one: Label, other: Label): boolean {
  return Math.abs(one.y - other.y) > 24 || leftOf(one) > rightOf(other) || leftOf(other) > rightOf(one)
}

/** Where a name begins. A letter is estimated to be 12 pixels wide. */
function leftOf({ x, name, anchor }: Label): number {
  return x - { start: 0, middle: 6, end: 12 }[anchor] * name.length
}

function rightOf(label: Label): number {
  return leftOf(label) + 12 * label.name.length
}

import { html } from 'hono/html'
import { type Curve, isoOf } from '../../../engine/index.ts'
import type { TrackTexts } from '../texts/index.ts'
import type { Html } from '../words.ts'
import { momentWords, type Reader } from './dates.ts'

/** The room of the picture, in its own units. */
const room = { width: 480, height: 140, edge: 8 } as const

/** The most rows of the table that says the same as a curve; the lowest and the highest of each part of it. */
const mostRows = 60

/** What sensors have measured: a curve of each with its limits, and a table that says the same. */
export function sensorCard(curves: readonly Curve[], texts: TrackTexts, reader: Reader): Html {
  return html`<section class="card sensors" aria-labelledby="sensors">
<h2 id="sensors">${texts.sensors.title}</h2>
${curves.map((curve) => figureOf(curve, texts, reader))}
</section>`
}

function figureOf(curve: Curve, { sensors }: TrackTexts, reader: Reader): Html {
  const { type, device, points } = curve
  const values = points.map(([, value]) => value)
  const name = sensors.kinds[type]
  const text = (value: number) => valueText(curve, value, reader)
  const bounds = boundsText(curve, text)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const said = `${sensors.lowest} ${text(lowest)}, ${sensors.highest} ${text(highest)}`
  // A number and its unit stay together also where words run from right to left.
  const shown = html`${sensors.lowest} <bdi>${text(lowest)}</bdi>, ${sensors.highest} <bdi>${text(highest)}</bdi>`
  const rows = thinned(points).map(
    ([at, value]) =>
      html`<tr${isOut(curve, value) && html` class="out"`}><td><time datetime="${isoOf(at)}">${momentWords(isoOf(at), reader)}</time></td><td><bdi>${text(value)}</bdi></td></tr>`,
  )
  return html`<figure>
<figcaption>${name}${device && html` <bdi class="identifier">${device}</bdi>`} <span class="hint">${shown}${bounds && html`. ${sensors.allowed} <bdi>${bounds}</bdi>`}</span></figcaption>
${points.length > 1 && drawing(curve, `${name}: ${said}`)}
<details><summary>${sensors.values}</summary><table><thead><tr><th scope="col">${sensors.time}</th><th scope="col">${name}</th></tr></thead><tbody>${rows}</tbody></table></details>
</figure>`
}

function drawing(curve: Curve, title: string): Html {
  const { points, minimum, maximum } = curve
  const values = points.map(([, value]) => value)
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined)
  const [low, high] = [Math.min(...values, ...bounds), Math.max(...values, ...bounds)]
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
  const { width, height, edge } = room
  const x = (at: number) => round(edge + ((at - first) / Math.max(last - first, 1)) * (width - 2 * edge))
  const y = (value: number) => round(height - edge - ((value - low) / (high - low || 1)) * (height - 2 * edge))
  const line = thinned(points, width).map(([at, value]) => `${x(at)},${y(value)}`)
  const limits = bounds.map(
    (bound) => html`<line class="limit" x1="0" x2="${width}" y1="${y(bound)}" y2="${y(bound)}"/>`,
  )
  const out = thinned(points, width).filter(([, value]) => isOut(curve, value))
  const marks = out.map(([at, value]) => html`<circle class="out" cx="${x(at)}" cy="${y(value)}" r="3"/>`)
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${limits}<polyline class="curve" points="${line.join(' ')}"/>${marks}</svg>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function isOut({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Curve, value: number) {
  return value < minimum || value > maximum
}

type Points = Curve['points']

/** At most so many points: of each part of a longer curve the lowest and the highest one, so that no peak is lost. */
export function thinned(points: Points, limit = mostRows): Points {
  if (points.length <= limit) return points
  const size = Math.ceil(points.length / (limit / 2))
  const kept: (readonly [number, number])[] = []
  for (let from = 0; from < points.length; from += size) {
    const part = points.slice(from, from + size)
    const low = part.reduce((one, other) => (other[1] < one[1] ? other : one))
    const high = part.reduce((one, other) => (other[1] > one[1] ? other : one))
    kept.push(...(low === high ? [low] : low[0] < high[0] ? [low, high] : [high, low]))
  }
  return kept
}

const unitNames: Readonly<Record<string, string>> = { Cel: '°C', 'm/s2': 'm/s²', 'g/m3': 'g/m³' }

function valueText({ type, unit }: Pick<Curve, 'type' | 'unit'>, value: number, { language }: Reader): string {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value)
  if (unit === undefined || type === 'door') return number
  return `${number}\u00a0${unitNames[unit] ?? unit}`
}

function boundsText({ minimum, maximum }: Curve, text: (value: number) => string): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `≤ ${text(maximum)}`
  return maximum === undefined ? `≥ ${text(minimum)}` : `${text(minimum)} – ${text(maximum)}`
}

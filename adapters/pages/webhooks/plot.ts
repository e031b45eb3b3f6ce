import type { InferOutput } from 'valibot'
import { instantOf, type urlDetail } from '../../../engine/index.ts'
import { type BarPart, barPlot } from '../signed-in/plot.ts'
import type { Html } from '../words.ts'
import type { WebhookTexts } from './texts/index.ts'

/** An hour of the week in the response. */
type Hour = InferOutput<typeof urlDetail>['hours'][number]

const hour = 3_600_000

/** Hours that a plot shows. */
const shown = 168

/** The attempts of a week as bars by the hour: what failed is on top of what was delivered. */
export function attemptsPlot(hours: readonly Hour[], now: number, { urls: { plots } }: WebhookTexts): Html {
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts))
  const words = { title: plots.attempts, scale: hours.length === 0 ? '' : plots.most({ most }) }
  const bars = placed(hours, now, ({ attempts, delivered }) => [
    ['good', delivered],
    ['bad', attempts - delivered],
  ])
  return barPlot(bars, shown, most, words)
}

/** The latencies of a week as bars by the hour, within which 95 of 100 attempts were answered. */
export function latencyPlot(hours: readonly Hour[], now: number, { urls: { plots } }: WebhookTexts): Html {
  const most = Math.max(1, ...hours.map(({ p95_ms }) => p95_ms ?? 0))
  const words = { title: plots.latency, scale: hours.length === 0 ? '' : plots.slowest({ most }) }
  return barPlot(
    placed(hours, now, ({ p95_ms }) => [['late', p95_ms ?? 0]]),
    shown,
    most,
    words,
  )
}

/** The bars of hours at their places from the left. */
function placed(hours: readonly Hour[], now: number, partsOf: (hour: Hour) => readonly BarPart[]) {
  const first = Math.floor(now / hour) - shown + 1
  return hours
    .map((one) => ({ place: instantOf(one.start) / hour - first, parts: partsOf(one) }))
    .filter(({ place }) => place >= 0 && place < shown)
}

import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { instantOf, type urlDetail } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import type { WebhookTexts } from './texts.ts'

/** An hour of the week in the response. */
export type Hour = InferOutput<typeof urlDetail>['hours'][number]

const hour = 3_600_000

/** Hours that a plot shows. */
const shown = 168

const height = 60

/** The attempts of a week as bars by the hour: what failed stands on what was delivered. */
export function attemptsPlot(hours: readonly Hour[], now: number, { urls: words }: WebhookTexts): Html {
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts))
  const bars = placed(hours, now).flatMap(([x, { attempts, delivered }]) => {
    const good = (delivered / most) * height
    const bad = ((attempts - delivered) / most) * height
    return [bar('good', x, good, good), bar('bad', x, bad, good + bad)]
  })
  return plot(words.plots.attempts, hours.length === 0 ? '' : words.plots.most(most), bars)
}

/** The latencies of a week as bars by the hour, within which 95 of 100 attempts were answered. */
export function latencyPlot(hours: readonly Hour[], now: number, { urls: words }: WebhookTexts): Html {
  const most = Math.max(1, ...hours.map(({ p95_ms }) => p95_ms ?? 0))
  const bars = placed(hours, now).map(([x, { p95_ms }]) => {
    const size = ((p95_ms ?? 0) / most) * height
    return bar('late', x, size, size)
  })
  return plot(words.plots.latency, hours.length === 0 ? '' : words.plots.slowest(most), bars)
}

/** The hours with their places from the left. */
function placed(hours: readonly Hour[], now: number): readonly (readonly [x: number, hour: Hour])[] {
  const first = Math.floor(now / hour) - shown + 1
  return hours.map((one) => [instantOf(one.start) / hour - first, one] as const).filter(([x]) => x >= 0 && x < shown)
}

function bar(kind: string, x: number, size: number, top: number): Html | undefined {
  if (size === 0) return undefined
  return html`<rect class="${kind}" x="${x}" y="${(height - top).toFixed(2)}" width="0.9" height="${Math.max(size, 0.8).toFixed(2)}"/>`
}

function plot(title: string, scale: string, bars: readonly unknown[]): Html {
  return html`<figure class="plot"><figcaption>${title} <span class="label">${scale}</span></figcaption>
<svg viewBox="0 0 ${shown} ${height}" preserveAspectRatio="none" role="img" aria-label="${title}: ${scale}">${bars}</svg></figure>`
}

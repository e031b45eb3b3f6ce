import { html } from 'hono/html'
import { sha256 } from '../../../engine/index.ts'
import type { Html } from '../words.ts'

/** What a bar is made of, from the bottom up. */
export type BarPart = readonly [kind: 'good' | 'bad' | 'late', size: number]

/** A bar, and its place from the left. */
interface Bar {
  readonly place: number
  readonly parts: readonly BarPart[]
}

/** What a plot says: its title, what its height means, and what is at its two ends. */
interface PlotWords {
  readonly title: string
  readonly scale: string
  readonly ends?: readonly [first: string, last: string]
}

const height = 60

/** Bars in `places` places, the highest as high as `most`. Those who see no picture get its title and its scale. */
export function barPlot(bars: readonly Bar[], places: number, most: number, { title, scale, ends }: PlotWords): Html {
  const id = `plot-${sha256(title).slice(0, 8)}`
  const shown = bars.flatMap(({ place, parts }) => {
    let top = 0
    return parts.map(([kind, value]) => {
      const size = (value / most) * height
      top += size
      return size === 0 ? undefined : rectangle(kind, place, size, top)
    })
  })
  return html`<figure class="plot"><figcaption>${title} <span class="label">${scale}</span></figcaption>
<svg viewBox="0 0 ${places} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id} ${id}-scale">
<title id="${id}">${title}</title><desc id="${id}-scale">${scale}</desc>${shown}</svg>
${ends && html`<p class="ends label" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></p>`}</figure>`
}

function rectangle(kind: string, x: number, size: number, top: number): Html {
  return html`<rect class="${kind}" x="${x}" y="${(height - top).toFixed(2)}" width="0.9" height="${Math.max(size, 0.8).toFixed(2)}"/>`
}

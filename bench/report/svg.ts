/** A bar of a chart: the factor in relation to the reference value of the chart. */
export interface Bar {
  readonly label: string
  readonly value: number
}

/** A line of a chart through points of growing size. */
export interface Line {
  readonly label: string
  readonly points: readonly (readonly [size: number, value: number])[]
}

/** The texts of a chart: a title, a sentence for readers who cannot see it, and the unit of its axis. */
interface Caption {
  readonly title: string
  readonly description: string
  readonly axis: string
}

const width = 760
const rowHeight = 24
const labelWidth = 330
const top = 56

// A picture in a page follows the reader's own choice of light or dark.
const style = `text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:15px}.faint{fill:#59636e}
.rule{stroke:#8c959f}.grid{stroke:#d1d9e0}.good{fill:#1a7f37}.poor{fill:#bc4c00}.line{fill:none;stroke-width:2}
.c0{stroke:#0969da}.c1{stroke:#bc4c00}.c2{stroke:#1a7f37}.c3{stroke:#8250df}.d0{fill:#0969da}.d1{fill:#bc4c00}.d2{fill:#1a7f37}.d3{fill:#8250df}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.faint{fill:#9198a1}.rule{stroke:#656c76}.grid{stroke:#3d444d}.good{fill:#3fb950}.poor{fill:#db6d28}
.c0{stroke:#4493f8}.c1{stroke:#db6d28}.c2{stroke:#3fb950}.c3{stroke:#ab7df8}.d0{fill:#4493f8}.d1{fill:#db6d28}.d2{fill:#3fb950}.d3{fill:#ab7df8}}`

/** Bars to the right of 1 for larger factors, to the left for smaller ones; the axis is logarithmic. */
export function barChart(caption: Caption, bars: readonly Bar[]): string {
  const logs = bars.map(({ value }) => Math.log10(value))
  const [low, high] = [Math.floor(Math.min(-0.3, ...logs)), Math.ceil(Math.max(0.3, ...logs))]
  const plotWidth = width - labelWidth - 70
  const x = (log: number) => labelWidth + ((log - low) / (high - low)) * plotWidth
  const bottom = top + bars.length * rowHeight
  const grid = range(low, high).flatMap((log) => [
    rule(x(log), top - 6, x(log), bottom, log === 0 ? 'rule' : 'grid'),
    text(x(log), bottom + 18, numberText(10 ** log), 'faint', 'middle'),
  ])
  const rows = bars.flatMap(({ label, value }, index) => {
    const [from, to] = [0, logs[index] ?? 0].map(x).sort((a, b) => a - b) as [number, number]
    const y = top + index * rowHeight
    return [
      text(labelWidth - 10, y + 16, label, '', 'end'),
      `<rect class="${value >= 1 ? 'good' : 'poor'}" x="${round(from)}" y="${y + 4}" width="${round(Math.max(1, to - from))}" height="16"/>`,
      text(to + 6, y + 16, numberText(value), '', 'start'),
    ]
  })
  return picture(caption, bottom + 44, [...grid, ...rows, text(width - 10, bottom + 38, caption.axis, 'faint', 'end')])
}

/** Lines over sizes on a logarithmic axis; the other axis begins at 0. */
export function lineChart(caption: Caption, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points)
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b)
  const [first = 1, last = 10] = [sizes[0], sizes.at(-1)]
  const highest = niceAbove(Math.max(...points.map(([, value]) => value)))
  const [left, right, bottom] = [60, width - 190, 280]
  const x = (size: number) => left + ((Math.log(size / first) || 0) / Math.log(last / first)) * (right - left)
  const y = (value: number) => bottom - (value / highest) * (bottom - top)
  const grid = range(0, 4).flatMap((step) => [
    rule(left, y((step * highest) / 4), right, y((step * highest) / 4), step === 0 ? 'rule' : 'grid'),
    text(left - 8, y((step * highest) / 4) + 4, numberText((step * highest) / 4), 'faint', 'end'),
  ])
  const marks = sizes.map((size) => text(x(size), bottom + 18, size.toLocaleString('en'), 'faint', 'middle'))
  const heights = apart(lines.map(({ points: own }) => y(own.at(-1)?.[1] ?? 0) + 4))
  const drawn = lines.flatMap(({ label, points: own }, index) => [
    `<polyline class="line c${index % 4}" points="${own.map(([size, value]) => `${round(x(size))},${round(y(value))}`).join(' ')}"/>`,
    ...own.map(
      ([size, value]) => `<circle class="d${index % 4}" cx="${round(x(size))}" cy="${round(y(value))}" r="3.5"/>`,
    ),
    text(right + 10, heights[index] ?? 0, label, `d${index % 4}`, 'start'),
  ])
  return picture(caption, bottom + 48, [
    ...grid,
    ...marks,
    ...drawn,
    text(right, bottom + 38, caption.axis, 'faint', 'end'),
  ])
}

function picture({ title, description }: Caption, height: number, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`
  const words = `<title id="title">${escaped(title)}</title><desc id="description">${escaped(description)}</desc>`
  return `${[head, words, `<style>${style}</style>`, text(10, 24, title, 'title', 'start'), ...parts, '</svg>'].join('\n')}\n`
}

function text(x: number, y: number, words: string, of: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${round(x)}" y="${round(y)}" class="${of}" text-anchor="${anchor}">${escaped(words)}</text>`
}

function rule(x1: number, y1: number, x2: number, y2: number, of: string): string {
  return `<line class="${of}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`
}

/** Heights in the same order, moved so that no two labels overlap. */
function apart(heights: readonly number[]): readonly number[] {
  const order = heights.map((height, index) => [height, index] as const).sort(([a], [b]) => a - b)
  const moved: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const [height, index] of order) {
    last = Math.max(height, last + 16)
    moved[index] = last
  }
  return moved
}

/** The next larger number that is easy to read on an axis. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 1.2, 1.6, 2, 3, 4, 6, 8].find((step) => step * power >= value) ?? 10) * power
}

function numberText(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

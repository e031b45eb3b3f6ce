import type { Goal } from '../goal.ts'
import type { Figures, Outcome } from './outcomes.ts'
import { type Bar, barChart, type Line, lineChart } from './svg.ts'

/** A chart of a report, above the table of its topic, or at the top. */
export interface Chart {
  readonly name: string
  readonly title: string
  readonly topic?: string
  readonly svg: string
}

/** Cases of a topic that do the same work at growing sizes. */
interface Growth {
  readonly topic: string
  readonly title: string
  /** The unit of a size: `streams`, `events`. */
  readonly of: string
  readonly series: readonly string[]
  /** A figure of the cases; by default their CPU time. */
  readonly figure?: string
}

/** The list of series that are plotted over size. A case of a series is called `{series}, {size} {of}`. */
const growths: readonly Growth[] = [
  { topic: 'streams', title: 'Reading a stream of ten events', of: 'streams', series: ['store'] },
  { topic: 'growth', title: 'Appending an event', of: 'streams', series: ['append'] },
  { topic: 'length', title: 'An event of a timeline', of: 'events', series: ['fold', 'EPCIS in parts'] },
  { topic: 'start-up', title: 'Starting the server', of: 'events', series: ['otep serve'] },
  { topic: 'start-up', title: 'Until the server is ready', of: 'events', series: ['otep serve'], figure: 'ready ms' },
  { topic: 'start-up', title: 'Memory of the server', of: 'events', series: ['otep serve'], figure: 'RSS MiB' },
]

/** The charts of a run: the distance from the goals, each topic compared with its reference, and the growing series. */
export function chartsOf({
  outcomes,
  figures,
}: {
  readonly outcomes: readonly Outcome[]
  readonly figures: readonly Figures[]
}): readonly Chart[] {
  return [
    ...goalChart(outcomes),
    ...figures.flatMap(topicChart),
    ...growths.flatMap((growth) => growthChart(growth, figures)),
  ]
}

function goalChart(outcomes: readonly Outcome[]): readonly Chart[] {
  const bars = outcomes.flatMap(({ goal, measured }): readonly Bar[] =>
    measured === undefined ? [] : [{ label: shortened(goal.work), value: reached(goal, measured) }],
  )
  if (bars.length === 0) return []
  const title = 'How far each goal is reached'
  const axis = 'times the goal; from 1 on, it holds'
  return [{ name: 'goals', title, svg: barChart({ title, description: said(bars), axis }, bars) }]
}

/** How far a goal is reached. A target of 0 is reached by 0 alone: n counts as 1/(n + 1). */
function reached({ bound, target }: Goal, measured: number): number {
  if (bound === 'at least') return measured / target
  return target === 0 ? 1 / (measured + 1) : target / measured
}

function topicChart({ topic, rows, summary }: Figures): readonly Chart[] {
  const bars = rows.flatMap(({ name, reference, cpuRatio }): readonly Bar[] =>
    reference === undefined || cpuRatio === undefined ? [] : [{ label: shortened(name), value: cpuRatio }],
  )
  if (bars.length === 0) return []
  const axis = 'times the speed of what it is held against, by CPU time'
  return [{ name: topic, topic, title: summary, svg: barChart({ title: topic, description: said(bars), axis }, bars) }]
}

function growthChart({ topic, title, of, series, figure }: Growth, figures: readonly Figures[]): readonly Chart[] {
  const rows = figures.find((one) => one.topic === topic)?.rows ?? []
  const lines = series.map((label): Line => {
    const points = new Map<number, number>()
    for (const { name, cpuMicros, figures: others } of rows) {
      const [, size] = name.startsWith(`${label}, `) ? (/, ([\d,]+) \w+$/.exec(name) ?? []) : []
      const value = figure === undefined ? cpuMicros : others?.[figure]
      if (size !== undefined && value !== undefined) points.set(Number(size.replaceAll(',', '')), value)
    }
    return { label, points: [...points].sort(([a], [b]) => a - b) }
  })
  if (lines.every(({ points }) => points.length < 2)) return []
  const axis = `${of}; ${figure ?? 'CPU microseconds'}`
  const description = lines.map(({ label, points }) => `${label}: ${points.map((point) => point.join(' ')).join(', ')}`)
  const name = figure === undefined ? `${topic}-growth` : `${topic}-${figure.replaceAll(' ', '-').toLowerCase()}`
  return [{ name, topic, title, svg: lineChart({ title, description: description.join('. '), axis }, lines) }]
}

function said(bars: readonly Bar[]): string {
  return bars.map(({ label, value }) => `${label}: ${value.toFixed(2)}`).join('. ')
}

/** The part of a label that fits beside a bar. */
function shortened(label: string): string {
  return label.length > 44 ? `${label.slice(0, 43)}…` : label
}

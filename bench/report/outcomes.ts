import type { Goal, Pair } from '../goal.ts'
import { median, type Row, ratiosOf, type Sample } from '../harness.ts'

/** The result of a topic. */
export interface Figures {
  readonly topic: string
  readonly summary: string
  readonly unit: string
  readonly notes: readonly string[]
  readonly rows: readonly Row[]
  readonly samples: Readonly<Record<string, readonly Sample[]>>
}

/** The result of a goal in a run. */
export interface Outcome {
  readonly goal: Goal
  /** Undefined if it was not measured. */
  readonly measured?: number
  readonly holds?: boolean
  /** The subject of the figure, if the goal has several; or the reason why there is none. */
  readonly remark?: string
}

/** The result of each goal by the figures of a run. */
export function outcomesOf(goals: readonly Goal[], figures: readonly Figures[]): readonly Outcome[] {
  const samples = new Map(figures.map((one) => [one.topic, one.samples]))
  const samplesOf = (topic: string, name: string) => samples.get(topic)?.[name]
  return goals.map((goal) => outcomeOf(goal, samplesOf))
}

/** The samples of a case of a topic, if they were measured. */
type Look = (topic: string, name: string) => readonly Sample[] | undefined

function outcomeOf(goal: Goal, look: Look): Outcome {
  const all = measurementsOf(goal, look)
  const missing = all.find(({ value }) => value === undefined)
  if (missing !== undefined) return { goal, remark: missing.name }
  const isBetter = (one: number, other: number) => (goal.bound === 'at least' ? one > other : one < other)
  const worst = all.reduce((one, other) => (isBetter(Number(one.value), Number(other.value)) ? other : one))
  const measured = Number(worst.value)
  return { goal, measured, holds: !isBetter(goal.target, measured), ...(all.length > 1 ? { remark: worst.name } : {}) }
}

/** A figure, and its subject; without a figure, the reason. */
interface Measurement {
  readonly value: number | undefined
  readonly name: string
}

function measurementsOf({ measure }: Goal, look: Look): readonly Measurement[] {
  if (measure.kind !== 'figure') return measure.pairs.map((pair) => ratioOf(pair, measure, look))
  const { topic, of, figure } = measure
  return [of].flat().map((name) => {
    const samples = look(topic, name)
    const value = samples && median(samples.map(({ figures }) => figures?.[figure] ?? Number.NaN))
    if (value === undefined || Number.isNaN(value)) return { value: undefined, name: absence(topic, name) }
    return { value, name: `${topic}: ${name}` }
  })
}

function ratioOf({ topic, of, to }: Pair, { kind, by }: Comparison, look: Look): Measurement {
  const [own, others] = [look(topic, of), look(topic, to)]
  if (own === undefined || others === undefined)
    return { value: undefined, name: absence(topic, own === undefined ? of : to) }
  const { ratio, cpuRatio } = ratiosOf(own, others)
  const speed = by === 'CPU time' ? cpuRatio : ratio
  return { value: kind === 'speed' ? speed : 1 / speed, name: `${topic}: ${of}` }
}

type Comparison = Exclude<Goal['measure'], { readonly kind: 'figure' }>

function absence(topic: string, name: string): string {
  return `the topic ${topic} was left out, or what "${name}" needs is not at hand`
}

import type { Histogram, Registry } from 'prom-client'

/** Counts a duration in seconds, by the values of the labels in their order. */
export type Observe = (seconds: number, ...values: readonly string[]) => void

/** What a histogram is called, and by what its durations are told apart. */
export interface Named {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/** The durations with the same values of the labels. */
interface Series {
  readonly labels: Readonly<Record<string, string>>
  /** How many lay in each bucket and in none below it; the last bucket has no bound. */
  readonly counts: number[]
  sum: number
}

const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A histogram of durations in a registry. That of prom-client looks at all labels each time, which costs as much as a cached answer. */
export function createDurations(registry: Registry, { name, help, labels }: Named): Observe {
  const all = new Map<string, Series>()

  function begun(values: readonly string[]): Series {
    const pairs = labels.map((label, index) => [label, values[index] ?? ''] as const)
    return { labels: Object.fromEntries(pairs), counts: Array(bounds.length + 1).fill(0), sum: 0 }
  }

  // What a registry asks of its metrics; their type names classes that do more.
  const metric = {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', values: valuesOf(name, all) }),
  }
  registry.registerMetric(metric as unknown as Histogram)
  return (seconds, ...values) => {
    const key = values.join(' ')
    const series = all.get(key) ?? begun(values)
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    const at = bucket < 0 ? bounds.length : bucket
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += seconds
    all.set(key, series)
  }
}

/** The lines of a histogram: how many durations lay under each bound, their sum, and how many there were. */
function valuesOf(name: string, all: ReadonlyMap<string, Series>): readonly object[] {
  return [...all.values()].flatMap(({ labels, counts, sum }) => {
    let count = 0
    const buckets = [...bounds, '+Inf'].map((le, index) => {
      count += counts[index] ?? 0
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  })
}

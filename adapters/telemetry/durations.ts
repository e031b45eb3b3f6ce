import type { Histogram, Registry } from 'prom-client'

/** Records a duration in seconds, with the label values in order. */
type Observe = (seconds: number, ...values: readonly string[]) => void

/** Name and labels of a histogram. */
interface Named {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/** The durations with the same label values. */
interface Series {
  readonly labels: Readonly<Record<string, string>>
  /** Counts per bucket, not cumulative; the last bucket has no bound. */
  readonly counts: number[]
  sum: number
}

/** The series that begin with the same label values. */
interface Branch {
  readonly next: Map<string, Branch>
  series?: Series
}

const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Registers a histogram of durations. The histogram of prom-client validates all labels on each call, which costs as
 * much as a cached response.
 */
export function createDurations(registry: Registry, { name, help, labels }: Named): Observe {
  const all: Series[] = []
  const root: Branch = { next: new Map() }

  function begun(values: readonly string[]): Series {
    const pairs = labels.map((label, index) => [label, values[index] ?? ''] as const)
    const series = { labels: Object.fromEntries(pairs), counts: Array(bounds.length + 1).fill(0), sum: 0 }
    all.push(series)
    return series
  }

  // What a registry requires of a metric; its type names classes that do more.
  const metric = {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: valuesOf(name, all) }),
  }
  registry.registerMetric(metric as unknown as Histogram)
  return (seconds, ...values) => {
    const branch = branchAt(root, values)
    branch.series ??= begun(values)
    const { series } = branch
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    const at = bucket < 0 ? bounds.length : bucket
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += seconds
  }
}

/** Follows the values from the root, which takes less than joining them. */
function branchAt(root: Branch, values: readonly string[]): Branch {
  let branch = root
  for (const value of values) {
    let next = branch.next.get(value)
    if (next === undefined) {
      next = { next: new Map() }
      branch.next.set(value, next)
    }
    branch = next
  }
  return branch
}

/** The values of a histogram: cumulative counts, sum and total. */
function valuesOf(name: string, all: readonly Series[]): readonly object[] {
  return all.flatMap(({ labels, counts, sum }) => {
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

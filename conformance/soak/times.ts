/** How long requests took, by kind. */
export interface Times {
  note(kind: string, milliseconds: number): void
  /** A line a kind: how many, and the middle, the 95th and the 99th of a hundred, in milliseconds. */
  lines(): readonly string[]
}

/** No times yet. */
export function createTimes(): Times {
  const times = new Map<string, number[]>()
  return {
    note: (kind, milliseconds) => {
      const known = times.get(kind) ?? []
      times.set(kind, known)
      known.push(milliseconds)
    },
    lines: () =>
      [...times]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([kind, all]) => {
          const sorted = all.sort((one, other) => one - other)
          const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
          return `${kind}: ${sorted.length}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
        }),
  }
}

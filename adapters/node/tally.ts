/** Counts by key; a key whose count is 0 takes no memory. */
export interface Tally {
  of(key: string): number
  /** Adds to the count of a key and returns it. */
  add(key: string, more: number): number
  /** The keys whose count is not 0. */
  entries(): readonly (readonly [string, number])[]
}

/** Creates a tally. */
export function createTally(): Tally {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    entries: () => [...counts],
    add: (key, more) => {
      const count = of(key) + more
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
      return count
    },
  }
}

/** Called once for each damaged event; `event` is its id. */
export type ReportDamagedEvent = (event: string) => void

/** The events that were found damaged since the store was opened. */
export interface Damages {
  /** Notes the event at a position. */
  report(pos: number, event: string): void
  readonly count: number
}

/** The most events that are remembered; in a file with more, the count stays there. */
const maxRemembered = 10_000

/** Creates the list; `found` is called once for each event. */
export function createDamages(found: ReportDamagedEvent): Damages {
  const places = new Set<number>()
  return {
    report: (pos, event) => {
      if (places.has(pos) || places.size >= maxRemembered) return
      places.add(pos)
      found(event)
    },
    get count() {
      return places.size
    },
  }
}

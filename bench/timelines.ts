import { eventLine, timelineLength } from '../adapters/cli/bench/parcels.ts'

/** `otep bench` measures with the same parcels. */
export * from '../adapters/cli/bench/parcels.ts'

/** Parcels between one that begins and the one that is a step further, in the feed. */
export const feedSpacing = 100

/** Events of the feed before its steady state, in which each ten begin one parcel and advance nine others by a step. */
export const steadyAfter = 5_000

/** The first events of a feed with many parcels at once, each a thousand events before its next step. */
export function feedOf(count: number): readonly string[] {
  const lines: string[] = []
  for (let group = 0; lines.length < count; group++) {
    for (let age = 0; age < timelineLength && lines.length < count; age++) {
      const parcel = group - age * feedSpacing
      if (parcel >= 0) lines.push(eventLine(parcel, age))
    }
  }
  return lines
}

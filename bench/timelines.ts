import { eventLine, timelineLength } from '../adapters/cli/bench/parcels.ts'

/** `otep bench` measures with the same parcels. */
export * from '../adapters/cli/bench/parcels.ts'

/** Parcels between one that begins and the one that is a step further, in the feed. */
export const feedSpacing = 100

/** Events of the feed after which it is as it stays: each ten begin one parcel and bring nine others a step on. */
export const steadyAfter = 5_000

/** The first events of a feed in which many parcels are under way at once, each a thousand events from its next step. */
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

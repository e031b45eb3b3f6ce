import type { Append, NewEvent, StreamName } from '../engine/index.ts'
import { writtenIn } from './rows.ts'
import { feedSpacing, timelineLength, trackingNumber, wholeTimelines } from './timelines.ts'

/** The position of the feed from which all steps occur. Any 1,000 consecutive positions are of as many streams. */
export const steadyPlace = feedSpacing * (timelineLength - 1) * timelineLength

/** The events that the engine appends for the first parcel on its whole journey, including identifiers. */
export async function appendsOfParcel(): Promise<readonly Append[]> {
  const [written] = await writtenIn([wholeTimelines(1)])
  return written ?? []
}

/** The events of the stream of a parcel, in order, from the result of `appendsOfParcel`. */
export function timelineIn(appends: readonly Append[]): readonly NewEvent[] {
  return appends.flatMap(({ stream, events }) => (stream === streamOf(0) ? events : []))
}

/** The stream of a parcel. */
export function streamOf(parcel: number): StreamName {
  return `tracking-tracking_number:${trackingNumber(parcel)}`
}

/**
 * The events of the feed at a position: each ten begin one parcel and advance nine others by a step. None before the
 * first.
 */
export function stepAt(place: number, events: readonly NewEvent[]): Append | undefined {
  const age = place % timelineLength
  const parcel = Math.floor(place / timelineLength) - age * feedSpacing
  if (parcel < 0) return undefined
  return {
    stream: streamOf(parcel),
    events: [eventAt(place, age, events)],
    expected: age === 0 ? 'no-stream' : age - 1,
  }
}

/** A new stream with so many events. */
export function longStream(parcel: number, length: number, events: readonly NewEvent[]): Append {
  const all = Array.from({ length }, (_, index) => eventAt(parcel * length + index, index, events))
  return { stream: streamOf(parcel), events: all, expected: 'no-stream' }
}

/** The event of a step with its own id. */
function eventAt(place: number, step: number, events: readonly NewEvent[]): NewEvent {
  const event = events[step % events.length] as NewEvent
  return { ...event, id: `00000000-0000-8000-8000-${place.toString(16).padStart(12, '0')}` }
}

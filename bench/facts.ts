import type { Append, NewEvent, StreamName } from '../engine/index.ts'
import { writtenIn } from './rows.ts'
import { feedSpacing, timelineLength, trackingNumber, wholeTimelines } from './timelines.ts'

/** The place of the feed from which on every step is taken. Any 1,000 places in a row are of as many streams. */
export const steadyPlace = feedSpacing * (timelineLength - 1) * timelineLength

/** What the engine appends for the first parcel on its whole way, identifiers included. */
export async function appendsOfParcel(): Promise<readonly Append[]> {
  const [written] = await writtenIn([wholeTimelines(1)])
  return written?.appends ?? []
}

/** The events of the stream of a parcel, in order, of what `appendsOfParcel` answers. */
export function timelineIn(appends: readonly Append[]): readonly NewEvent[] {
  return appends.flatMap(({ stream, events }) => (stream === streamOf(0) ? events : []))
}

/** The stream of a parcel. */
export function streamOf(parcel: number): StreamName {
  return `tracking-tracking_number:${trackingNumber(parcel)}`
}

/** What the feed appends at a place: each ten begin one parcel and bring nine others a step on. Nothing before the first. */
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

/** The event of a step under an id of its own. */
function eventAt(place: number, step: number, events: readonly NewEvent[]): NewEvent {
  const event = events[step % events.length] as NewEvent
  return { ...event, id: `00000000-0000-8000-8000-${place.toString(16).padStart(12, '0')}` }
}

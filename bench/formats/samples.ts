import { shortTimelines } from '../../adapters/cli/bench/writing.ts'
import { createMemoryStore, type Timeline } from '../../engine/index.ts'
import { contextOn } from '../rows.ts'
import { timelineLength } from '../timelines.ts'

/** Timelines of ten events each, built once for all topics. */
export async function timelinesOfTen(count: number): Promise<readonly Timeline[]> {
  if (made.length < count) made = await shortTimelines(contextOn(createMemoryStore(Date.now)), count)
  return made.slice(0, count)
}

let made: readonly Timeline[] = []

/** A timeline with this many events, taken from timelines of ten under one subject, in order of occurrence. */
export async function longTimeline(count: number): Promise<Timeline> {
  const [first, ...others] = await timelinesOfTen(Math.min(100, Math.ceil(count / timelineLength)))
  if (first === undefined) throw new Error('A long timeline has events.')
  const source = [first, ...others].flatMap(({ events }) => events)
  const events = Array.from({ length: count }, (_, index) => {
    const event = source[index % source.length] as Timeline['events'][number]
    return { ...event, event_id: `long-${index}` }
  })
  return { ...first, events: events.toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at)) }
}

/** The same timelines, with the id that each event has in a document, as events have it that came as EPCIS. */
export function identified(
  timelines: readonly Timeline[],
  ids: (timeline: Timeline) => readonly string[],
): readonly Timeline[] {
  return timelines.map((timeline) => {
    const known = ids(timeline)
    const events = timeline.events.map((event, at) => ({
      ...event,
      source: { ...event.source, event: { id: known[at] ?? '' } },
    }))
    return { ...timeline, events: events as unknown as Timeline['events'] }
  })
}

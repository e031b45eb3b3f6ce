import { call, createMemoryStore, findStream, otepIngest, readTimeline, type Timeline } from '../../engine/index.ts'
import { contextOn } from '../rows.ts'
import { timelineLength, trackingNumber, wholeTimelines } from '../timelines.ts'

/** Timelines of ten events each, as the engine gives them. */
export async function shortTimelines(count: number): Promise<readonly Timeline[]> {
  const lines = wholeTimelines(count).map((line) => JSON.parse(line) as object)
  return kept(
    lines,
    Array.from({ length: count }, (_, parcel) => trackingNumber(parcel)),
  )
}

/** One timeline with as many events, in tens. */
export async function longTimeline(count: number): Promise<Timeline> {
  const subject = { tracking_number: trackingNumber(0) }
  const lines = wholeTimelines(Math.ceil(count / timelineLength)).slice(0, count)
  const [timeline] = await kept(
    lines.map((line) => ({ ...(JSON.parse(line) as object), subject })),
    [subject.tracking_number],
  )
  if (timeline?.events.length !== count) throw new Error(`The long timeline has ${timeline?.events.length} events.`)
  return timeline
}

async function kept(lines: readonly object[], numbers: readonly string[]): Promise<readonly Timeline[]> {
  const store = createMemoryStore(Date.now)
  const context = contextOn(store)
  for (let from = 0; from < lines.length; from += 1_000) {
    await call(otepIngest, context, { document: { lines: lines.slice(from, from + 1_000) } })
  }
  const timelines: Timeline[] = []
  for (const number of numbers) {
    timelines.push((await readTimeline(context, await findStream(context, number))).timeline)
  }
  return timelines
}

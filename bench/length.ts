import { runOf, unitsOf } from '../adapters/cli/bench/writing.ts'
import { bytesOf } from '../adapters/http/bytes.ts'
import { createMemoryStore, type NewEvent, readTimeline, type Target, type Timeline } from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { appendsOfParcel, streamOf, timelineIn } from './facts.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { contextOn } from './rows.ts'

/** Growing timelines. */
export const length: Topic = {
  name: 'length',
  summary: 'timelines of ever more events: from stored facts to the timeline, and from the timeline to bytes of EPCIS',
  unit: 'event',
  prepare,
}

const sizes = [10, 1_000, 10_000, 100_000]

/** The minimum number of events in a run, for every size. */
const eventsARun = 20_000

const target: Target = { baseUrl: 'https://otep.example', options: {} }

async function prepare({ scale, progress }: Settings): Promise<Prepared> {
  const facts = timelineIn(await appendsOfParcel())
  const cases: Case[] = []
  for (const size of sizes) {
    const count = Math.max(10, Math.round(size * scale))
    progress(`a timeline of ${count.toLocaleString('en')} events`)
    if (size * scale >= 10) cases.push(...(await casesOf(count, Math.ceil((eventsARun * scale) / count), facts)))
  }
  return { cases, notes: [note], close: async () => {} }
}

async function casesOf(count: number, passes: number, facts: readonly NewEvent[]): Promise<readonly Case[]> {
  const store = createMemoryStore(Date.now)
  const context = contextOn(store)
  const stream = streamOf(0)
  await store.append(stream, longHistory(count, facts), 'no-stream')
  const { timeline } = await readTimeline(context, stream)
  if (timeline.events.length !== count) throw new Error(`The timeline has ${timeline.events.length} events.`)
  const name = `${count.toLocaleString('en')} events`
  const batch = { name, timelines: [timeline], target, passes }
  return [
    {
      name: `fold, ${name}`,
      run: () =>
        measured(unitsOf(batch), async () => {
          for (let pass = 0; pass < passes; pass++) await readTimeline(context, stream)
        }),
    },
    { name: `EPCIS in one text, ${name}`, run: runOf(batch, [timeline], inOne) },
    { name: `EPCIS in parts, ${name}`, run: runOf(batch, [timeline], inParts) },
  ]
}

function inOne(timeline: Timeline): Uint8Array {
  return Buffer.from(epcis.write(timeline, target))
}

/** Returns the length of the parts, which were converted to bytes and dropped, this many events at a time. */
function inParts(timeline: Timeline): number {
  let length = 0
  let pieces: string[] = []
  for (const piece of epcis.pieces(timeline, target)) {
    if (pieces.push(piece) < eventsAtATime) continue
    length += bytesOf(pieces).length
    pieces = []
  }
  return length + bytesOf(pieces).length
}

const eventsAtATime = 64

/** The events of a parcel repeated, each later than the one before and with its own id. */
export function longHistory(count: number, facts: readonly NewEvent[]): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const fact = facts[index % facts.length] as NewEvent
    const { personal, event, ...rest } = fact.data as Readonly<Record<string, unknown>>
    const occurred_at = new Date(first + index * 60_000).toISOString()
    const id = `00000000-0000-8000-a000-${index.toString(16).padStart(12, '0')}`
    return { ...fact, id, data: { ...rest, event: { ...(event as object), event_id: `long-${index}`, occurred_at } } }
  })
}

const first = Date.parse('2026-03-02T00:00:00Z')

const note =
  'The facts are read from a store in memory and hold no personal data, so that the cost is that of the fold alone. "In ' +
  'one text" makes the whole document before its bytes, "in parts" is how the server sends a long one.'

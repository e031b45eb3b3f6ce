import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { readingText, type SensorReading } from '../../kernel/sensor-reading.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { breachesAfter } from './breaches.ts'
import { readChunk } from './chunks.ts'
import {
  type ChunkFact,
  chunkStream,
  hourOf,
  recordedReadings,
  type SensorSeriesSummed,
  type SeriesFact,
  seriesStream,
} from './events.ts'
import { hoursIn, readSeries, type SeriesAt, summed } from './series.ts'

/** The most series of a timeline. */
export const maxSeries = 100

/** The most readings of a timeline in an hour: five a second. */
export const maxHourly = 18_000

/** The most hours with readings in a timeline: more than a year. */
export const maxHours = 9000

/** How many readings were new, and how many were there already. */
export interface AddedReadings {
  readonly accepted: number
  readonly duplicate: number
}

/** A thing that was measured, and by whom. */
export interface MeasuredThing {
  /** The stream of its timeline. */
  readonly timeline: StreamName
  readonly subject: Subject
  readonly provider: string
  readonly isErased: boolean
}

/** Adds the readings of one call to timelines, in the same transaction as what else the call appends. */
export interface ReadingBook {
  /**
   * Adds readings to a timeline; without positions if its personal data was erased. Refuses with `too_many_readings` and
   * `too_many_series`.
   */
  add(place: MeasuredThing, readings: readonly SensorReading[]): Promise<AddedReadings>
  /** The events to append, one entry for each stream. */
  appends(): Promise<readonly Append[]>
}

/** An hour of readings within one call. */
interface Chunk {
  readonly revision: number
  readonly known: Set<string>
  readonly added: ChunkFact[]
  count: number
}

/** The readings of a timeline within one call. */
interface Held extends SeriesAt {
  readonly subject: Subject
  readonly chunks: Map<number, Chunk>
  readonly fresh: SensorReading[]
}

/** Opens the book of a call; opened again when another writer was faster. */
export function openReadings(context: Context): ReadingBook {
  const timelines = new Map<StreamName, Held>()

  async function held({ timeline, subject }: MeasuredThing): Promise<Held> {
    const known = timelines.get(timeline) ?? {
      ...(await readSeries(context, timeline)),
      ...{ subject, chunks: new Map(), fresh: [] },
    }
    timelines.set(timeline, known)
    return known
  }

  async function add(thing: MeasuredThing, all: readonly SensorReading[]): Promise<AddedReadings> {
    const { timeline, provider, isErased } = thing
    const one = await held(thing)
    const readings = isErased || one.state.erased === true ? all.flatMap(withoutPosition) : all
    let accepted = 0
    for (const [hour, some] of byHour(readings)) {
      const chunk = one.chunks.get(hour) ?? (await chunkOf(context, idInStream(timeline), hour))
      one.chunks.set(hour, chunk)
      const fresh = some.filter((reading) => isFresh(chunk, reading))
      chunk.count += fresh.length
      if (chunk.count > maxHourly) throw new EngineError('too_many_readings', { limit: maxHourly })
      if (fresh.length > 0) chunk.added.push(recordedReadings(idInStream(timeline), provider, fresh))
      one.fresh.push(...fresh)
      accepted += fresh.length
    }
    return { accepted, duplicate: all.length - accepted }
  }

  async function appends(): Promise<readonly Append[]> {
    const made: Append[] = []
    for (const [timeline, one] of timelines) if (one.fresh.length > 0) made.push(...(await appendsOf(timeline, one)))
    return made
  }

  async function appendsOf(
    timeline: StreamName,
    { subject, state, revision, chunks, fresh }: Held,
  ): Promise<readonly Append[]> {
    const name = idInStream(timeline)
    const next = summed(state, fresh)
    if (next.series.length > maxSeries) throw new EngineError('too_many_series', { limit: maxSeries })
    if (count(hoursIn(next.hours)) > maxHours) throw new EngineError('too_many_readings', { limit: maxHours })
    const { facts, ...judged } = await breachesAfter(context, { subject, before: state, next, fresh })
    const toNew = toNewEvent<SeriesFact | ChunkFact>(context)
    const said: SensorSeriesSummed = { type: 'SensorSeriesSummed', data: { ...next, ...judged } }
    const own = { stream: seriesStream(timeline), events: [...facts, said].map(toNew), expected: expectedAt(revision) }
    const hours = [...chunks].flatMap(([hour, { revision: at, added }]): readonly Append[] =>
      added.length === 0
        ? []
        : [{ stream: chunkStream(name, hour), events: added.map(toNew), expected: expectedAt(at) }],
    )
    return [own, ...hours]
  }

  return { add, appends }
}

function expectedAt(revision: number): Append['expected'] {
  return revision < 0 ? 'no-stream' : revision
}

function count(items: Iterable<unknown>): number {
  let found = 0
  for (const _ of items) found++
  return found
}

function byHour(readings: readonly SensorReading[]): ReadonlyMap<number, SensorReading[]> {
  const hours = new Map<number, SensorReading[]>()
  for (const reading of readings) {
    const hour = hourOf(reading.at)
    const some = hours.get(hour)
    if (some === undefined) hours.set(hour, [reading])
    else some.push(reading)
  }
  return hours
}

/** Whether a reading is new to its hour, which knows it from then on. */
function isFresh({ known }: Chunk, reading: SensorReading): boolean {
  const text = readingText(reading)
  if (known.has(text)) return false
  known.add(text)
  return true
}

/** A reading for a timeline whose positions were erased; none if it is only a position. */
function withoutPosition({ location, ...reading }: SensorReading): readonly SensorReading[] {
  return reading.value === null ? [] : [reading]
}

async function chunkOf(context: Pick<Context, 'store'>, timeline: string, hour: number): Promise<Chunk> {
  const { readings, revision } = await readChunk(context, timeline, hour)
  const known = new Set(readings.map(readingText))
  return { revision, known, added: [], count: known.size }
}

import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { SensorReading } from '../../kernel/sensor-reading.ts'
import { idInStream } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { type AddedReadings, openReadings } from './book.ts'

/** The most readings in one call. */
export const maxReadings = 10_000

/** Readings of one thing. */
export interface ReadingsOfThing {
  readonly subject: Subject
  readonly readings: readonly SensorReading[]
  /** Who measured; the caller if absent. Only an operator may name another. */
  readonly provider?: string | undefined
}

/** Where readings were recorded, and how many of them were new. */
export interface RecordedReadings extends AddedReadings {
  /** The name of the timeline. */
  readonly timeline: string
}

/**
 * Records readings of a thing, each once however often it comes, and opens its timeline if there is none. Throws the refusals
 * of events, `too_many_readings` and `too_many_series`.
 */
export async function recordReadings(
  context: Context,
  { subject, readings, provider = context.caller.name }: ReadingsOfThing,
): Promise<RecordedReadings> {
  if (readings.length > maxReadings) throw new EngineError('too_many_readings', { limit: maxReadings })
  const at = readings.reduce((latest, reading) => Math.max(latest, reading.at), 0)
  return retryOnConflict(async () => {
    const book = openReadings(context)
    const { appends, ...thing } = await context.ports.sensors.placeMeasured(context, {
      subject,
      provider,
      at,
    })
    const added = await book.add({ ...thing, provider }, readings)
    const all = [...appends, ...(await book.appends())]
    if (all.length > 0) await context.store.appendMany(all)
    return { timeline: idInStream(thing.timeline), ...added }
  })
}

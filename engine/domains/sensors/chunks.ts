import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { SensorReading } from '../../kernel/sensor-reading.ts'
import { type ChunkFact, chunkStream, readingsIn } from './events.ts'

/** The readings of a timeline, by its name, in an hour since the epoch, and the revision of their stream; -1 if there is none. */
export async function readChunk({ store }: Pick<Context, 'store'>, timeline: string, hour: number) {
  const facts = (await store.read(chunkStream(timeline, hour))) as readonly RecordedEvent<ChunkFact>[]
  return { readings: readingsOfChunk(facts), revision: facts.at(-1)?.revision ?? -1 }
}

/** The readings in the facts of an hour. */
function readingsOfChunk(facts: readonly ChunkFact[]): readonly SensorReading[] {
  return facts.flatMap((fact) => (fact.type === 'SensorReadingsRecorded' ? readingsIn(fact) : []))
}

/** The whole readings of a timeline, by its name, in hours since the epoch: with their positions, in order of time. */
export async function readingsOfHours(
  context: Pick<Context, 'store' | 'pause'>,
  timeline: string,
  hours: Iterable<number>,
): Promise<readonly SensorReading[]> {
  const found: SensorReading[] = []
  for (const hour of hours) {
    found.push(...(await readChunk(context, timeline, hour)).readings)
    await context.pause()
  }
  return found.sort((one, other) => one.at - other.at || (one.value ?? 0) - (other.value ?? 0))
}

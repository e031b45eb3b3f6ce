import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { chunkStream, type SensorPositionsErased, seriesStream } from './events.ts'
import { hoursIn, readSeries } from './series.ts'

/** The event that erases positions. */
export const positionsErased = 'SensorPositionsErased'

/** Hours that are erased in one transaction. */
const atOnce = 200

/**
 * Erases for good where the sensors of a timeline were. First the timeline takes no more positions; then the keys of its hours are
 * destroyed. A call that was interrupted goes on where it ended.
 */
export async function eraseReadings(context: Context, timeline: StreamName): Promise<void> {
  const name = idInStream(timeline)
  const made = () =>
    toNewEvent<SensorPositionsErased>(context)({
      type: positionsErased,
      data: { at: isoOf(context.clock()), timeline: name },
    })
  const placed = await retryOnConflict(async () => {
    const { state, revision } = await readSeries(context, timeline)
    if (revision >= 0 && state.erased !== true) await context.store.append(seriesStream(timeline), [made()], revision)
    return state.placed ?? []
  })
  const hours = [...hoursIn(placed)]
  for (let at = 0; at < hours.length; at += atOnce)
    await retryOnConflict(async () => {
      const appends: Append[] = []
      for (const hour of hours.slice(at, at + atOnce)) {
        const stream = chunkStream(name, hour)
        const history = await context.store.read(stream, { opens: () => false })
        const last = history.at(-1)
        if (last === undefined || history.some(({ type }) => type === positionsErased)) continue
        appends.push({ stream, events: [made()], expected: last.revision })
      }
      if (appends.length > 0) await context.store.appendMany(appends)
    })
}

import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** A rate is used for a label. */
type LabelRateUsed = Event<
  'LabelRateUsed',
  { readonly at: string; readonly business_id: number; readonly order_id: number }
>

/** The shapes of the events of a rate. */
export const labelRateEventShapes: ShapesOf<LabelRateUsed> = {
  LabelRateUsed: { at: 'text', business_id: 'number', order_id: 'number' },
}

/**
 * What notes that a rate is used for a label, to be recorded with the label: of two calls at once, one buys it. Refuses with
 * `rate_used` if the rate was used for another label.
 */
export async function usingRate(context: Context, rateId: string, order_id: number): Promise<readonly Append[]> {
  const { id: business_id } = accountOf(context).business
  const stream: StreamName = `label_rate-${deriveId('label rate', String(business_id), rateId)}`
  const [used] = await context.store.read(stream, { limit: 1 })
  if (used !== undefined) {
    const { order_id: label } = used.data as LabelRateUsed['data']
    if (label === order_id) return []
    throw new EngineError('rate_used', { label })
  }
  const event: LabelRateUsed = { type: 'LabelRateUsed', data: { at: isoOf(context.clock()), business_id, order_id } }
  return [{ stream, events: [toNewEvent(context)(event)], expected: 'no-stream' }]
}

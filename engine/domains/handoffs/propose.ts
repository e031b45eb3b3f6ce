import { streamOf } from '../../entity/access.ts'
import type { Values } from '../../entity/field.ts'
import { commandStamp } from '../../entity/operations.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { handoff } from './handoff.ts'
import { handoffs } from './rules.ts'

/** A reference of a partner belongs to a handoff, and so to no other: it is the only event of its stream. */
type HandoffReferenceTaken = Event<'HandoffReferenceTaken', { readonly handoff_id: number }>

/** The shape of the event of a reference. */
export const handoffReferenceEventShapes: ShapesOf<HandoffReferenceTaken> = {
  HandoffReferenceTaken: { handoff_id: 'number' },
}

/** Records an offer, in one transaction with the id and the reference that it takes; answers the id. */
export async function propose(context: Context, values: Values): Promise<number> {
  return retryOnConflict(async () => {
    const { first: handoff_id, append } = await nextNumbers(context, handoff.category)
    const command = { move: 'propose', ...commandStamp(context), values: { ...values, handoff_id } } as const
    const events = handoffs.decide(command, undefined).map(toNewEvent(context))
    const offer: Append = { stream: streamOf(handoff, handoff_id), events, expected: 'no-stream' }
    await context.store.appendMany([append, offer, await claimed(context, values, handoff_id)])
    return handoff_id
  })
}

async function claimed(context: Context, values: Values, handoff_id: number): Promise<Append> {
  const { business_id, provider, partner_reference } = values
  const name = deriveId(String(business_id), String(provider), String(partner_reference))
  const stream: StreamName = `handoff_reference-${name}`
  const [existing] = (await context.store.read(stream, { limit: 1 })) as readonly HandoffReferenceTaken[]
  if (existing !== undefined) throw new EngineError('handoff_reference_taken', { handoff: existing.data.handoff_id })
  const event: HandoffReferenceTaken = { type: 'HandoffReferenceTaken', data: { handoff_id } }
  return { stream, events: [toNewEvent(context)(event)], expected: 'no-stream' }
}

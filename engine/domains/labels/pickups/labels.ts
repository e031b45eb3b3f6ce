import { load } from '../../../entity/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { type Label, labelStream, labels, type loadLabel } from '../label.ts'
import { isComingFor, pickupKind, pickupStream, pickups } from './pickup.ts'

/**
 * What makes a label part of a new pickup, to be recorded with it at the revision that the label was read at: of two pickups that
 * are asked for at once, one gets the label. Refuses with `label_in_pickup` if the driver of another one may still come for it.
 */
export async function joining(
  context: Context,
  { state: label, revision: expected }: Awaited<ReturnType<typeof loadLabel>>,
  pickup_id: number,
): Promise<Append> {
  const { order_id } = label.asked
  const other = await comingFor(context, label)
  if (other !== undefined) {
    const { asked, status } = other.state
    throw new EngineError('label_in_pickup', { label: order_id, pickup: asked.pickup_id, status })
  }
  const command = { type: 'LabelPickupAsked', at: isoOf(context.clock()), pickup_id } as const
  return { stream: labelStream(order_id), events: labels.decide(command, label).map(toNewEvent(context)), expected }
}

/**
 * What takes a label that is to be voided out of its pickup, if it is in one. Refuses with `label_in_pickup` if the driver comes
 * for it alone, or if the carrier is yet to answer for the pickup.
 */
export async function leaving(context: Context, label: Label): Promise<readonly Append[]> {
  const found = await comingFor(context, label)
  return found === undefined ? [] : moved(context, found, 'PickupLabelLeft', label)
}

/** What puts a label back into the pickup that it left, because its carrier did not take it back. */
export async function returning(context: Context, label: Label): Promise<readonly Append[]> {
  const found = await pickupOf(context, label)
  return found === undefined ? [] : moved(context, found, 'PickupLabelBack', label)
}

/** The pickup whose driver may still come for a label. */
async function comingFor(context: Context, label: Label) {
  const found = await pickupOf(context, label)
  return found && isComingFor(found.state, label.asked.order_id, context.clock()) ? found : undefined
}

async function pickupOf(context: Context, { pickup }: Label) {
  return pickup === undefined ? undefined : load(context, pickupKind, pickup)
}

function moved(
  context: Context,
  { state, revision: expected }: NonNullable<Awaited<ReturnType<typeof pickupOf>>>,
  type: 'PickupLabelLeft' | 'PickupLabelBack',
  { asked: { order_id } }: Label,
): readonly Append[] {
  const events = pickups.decide({ type, at: isoOf(context.clock()), order_id }, state).map(toNewEvent(context))
  return events.length === 0 ? [] : [{ stream: pickupStream(state.asked.pickup_id), events, expected }]
}

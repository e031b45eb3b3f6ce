import { load, streamOf } from '../../../entity/access.ts'
import { commandStamp } from '../../../entity/operations.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { type Label, labelKind, labels, type loadLabel } from '../label.ts'
import { isComingFor, pickupKind, pickups } from './pickup.ts'

/**
 * What makes a label part of a new pickup, to be recorded with it at the revision that the label was read at: of two pickups that
 * are asked for at once, one gets the label. Refuses with `label_in_pickup` if the driver of another one may still come for it.
 */
export async function joining(
  context: Context,
  { state: label, revision: expected }: Awaited<ReturnType<typeof loadLabel>>,
  pickup_id: number,
): Promise<Append> {
  const { order_id } = label
  const other = await comingFor(context, label)
  if (other !== undefined) {
    const { pickup_id: pickup, status } = other.state
    throw new EngineError('label_in_pickup', { label: order_id, pickup, status })
  }
  const command = { move: 'join_pickup', ...commandStamp(context), values: { pickup_id } } as const
  const events = labels.decide(command, label).map(toNewEvent(context))
  return { stream: streamOf(labelKind.entity, order_id), events, expected }
}

/**
 * What takes a label that is to be voided out of its pickup, if it is in one. Refuses with `label_in_pickup` if the driver comes
 * for it alone, or if the carrier is yet to answer for the pickup.
 */
export async function leaving(context: Context, label: Label): Promise<readonly Append[]> {
  const found = await comingFor(context, label)
  return found === undefined ? [] : moved(context, found, 'leave', label)
}

/** What puts a label back into the pickup that it left, because its carrier did not take it back. */
export async function returning(context: Context, label: Label): Promise<readonly Append[]> {
  const found = await pickupOf(context, label)
  return found === undefined ? [] : moved(context, found, 'come_back', label)
}

/** The pickup whose driver may still come for a label. */
async function comingFor(context: Context, label: Label) {
  const found = await pickupOf(context, label)
  return found && isComingFor(found.state, idIn(found.state, label), context.clock()) ? found : undefined
}

/** The id that a pickup names a label by: its former one, if it was asked for before the label was renumbered. */
function idIn({ order_ids }: { readonly order_ids: readonly number[] }, { order_id, former_id }: Label): number {
  return former_id !== undefined && order_ids.includes(former_id) ? former_id : order_id
}

async function pickupOf(context: Context, { pickup_id }: Label) {
  return pickup_id === undefined ? undefined : load(context, pickupKind, pickup_id)
}

function moved(
  context: Context,
  { state, revision: expected }: NonNullable<Awaited<ReturnType<typeof pickupOf>>>,
  move: 'leave' | 'come_back',
  label: Label,
): readonly Append[] {
  const values = { order_id: idIn(state, label) }
  const command = { move, at: isoOf(context.clock()), by: null, values }
  const events = pickups.decide(command, state).map(toNewEvent(context))
  return events.length === 0 ? [] : [{ stream: streamOf(pickupKind.entity, state.pickup_id), events, expected }]
}

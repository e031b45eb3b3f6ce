import type { CarrierOutcome } from '../../../kernel/carrier.ts'
import type { Context } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { isoOf } from '../../../kernel/time.ts'
import { execute } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { soldLabel } from '../manifest.ts'
import { claimedUntil, contextOf, dueWork, unclearAfter, whenRemoved, workDeadline } from '../work.ts'
import { type Pickup, type PickupCommand, type PickupEvent, pickupModel, pickupStream, pickups } from './pickup.ts'

/**
 * Milliseconds in which nobody asks the carrier again after a try of which it is not known what came of it. A server between us and
 * the carrier may still wait for it, and a second driver costs more than five minutes.
 */
const quiet = 300_000

type Outcome = CarrierOutcome<'pickup'> | CarrierOutcome<'cancelPickup'>

/**
 * Asks the carrier for what a pickup waits for, if it is time and nobody else does. The carrier gets the same key each time, and so
 * sends one driver.
 */
export async function workOnPickup(context: Context, id: number): Promise<void> {
  const tried = { type: 'PickupTried', at: isoOf(context.clock()), until: claimedUntil(context, quiet) } as const
  if (!(await recorded(context, id, tried))) return
  const pickup = fold(pickups, (await context.store.read(pickupStream(id))) as readonly RecordedEvent<PickupEvent>[])
  if (pickup === undefined) return
  const { by, business_id } = pickup.asked
  const asking = await contextOf(context, by, business_id)
  const outcome = await askFor(asking, pickup).catch(whenRemoved(pickup))
  if (outcome !== undefined) await recorded(context, id, toldBy(context, pickup, certain(outcome, pickup)))
}

async function recorded(context: Context, id: number, command: PickupCommand): Promise<boolean> {
  return (await execute(context.store, pickups, pickupStream(id), command, toNewEvent(context))).length > 0
}

async function askFor(context: Context, { status, asked, booked }: Pickup): Promise<Outcome | undefined> {
  const { carrier_account_id: account, personal } = asked
  const { ask } = context.ports.labels
  if (status === 'PICKUP_CANCEL_PENDING' && booked !== undefined)
    return ask(context, account, 'cancelPickup', { reference: booked.reference }, workDeadline)
  if (personal === undefined) return undefined
  const { key, at: asked_at, ready_at, closes_at, time_zone, order_ids } = asked
  const labels = await Promise.all(order_ids.map((order) => soldLabel(context, order)))
  const what = { key, asked_at, ready_at, closes_at, time_zone, labels: labels.flat() }
  return ask(context, account, 'pickup', { ...what, ...personal }, workDeadline)
}

/** A carrier that refuses the credentials has not looked what became of an earlier try. */
function certain(outcome: Outcome, { tries }: Pickup): Outcome {
  const isUnseen = outcome.kind === 'refused' && outcome.refusal.code === 'wrong_credentials' && tries > 1
  return isUnseen ? { kind: 'failed', failure: 'broken' } : outcome
}

function toldBy(context: Context, { status, failures }: Pickup, outcome: Outcome): PickupCommand {
  const at = isoOf(context.clock())
  if (outcome.kind === 'failed') return { type: 'PickupUnclear', ...unclearAfter(context, failures, outcome, quiet) }
  if (outcome.kind === 'refused') {
    const type = status === 'PICKUP_PENDING' ? 'PickupFailed' : 'PickupCancelRefused'
    const { code: refusal, message } = outcome.refusal
    return { type, at, refusal, personal: { message } }
  }
  if (!('pickup' in outcome.answer)) return { type: 'PickupCancelled', at }
  const { charge, confirmation_number, reference } = outcome.answer.pickup
  return { type: 'PickupBooked', at, pickup: { reference, ...omitUndefined({ charge, confirmation_number }) } }
}

/** Pickups whose carrier is to be asked before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const duePickups = dueWork(pickupModel)

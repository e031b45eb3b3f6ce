import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { isSeenBy, partyOf } from '../../kernel/party.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type LockerDeliveryCommand, lockerDeliveries } from './decider.ts'
import type { LockerDeliveryEvent } from './events.ts'
import type { LockerDelivery, LockerDeliveryState } from './state.ts'

/** The stream of a locker delivery. */
export function lockerDeliveryStream(id: number): StreamName {
  return `locker_delivery-${id}`
}

/** A locker delivery that the caller may see: staff those of their business, a provider its own there. Else `locker_delivery_not_found`. */
export async function visibleDelivery(context: Context, id: number): Promise<LockerDelivery> {
  const party = partyOf(context)
  const delivery = await loadDelivery(context.store, id)
  if (delivery === undefined || !isSeenBy(party, delivery))
    throw new EngineError('locker_delivery_not_found', { delivery: id })
  return delivery
}

/** Carries out a command on a locker delivery that the caller may see; answers what follows, and how it stands then. */
export async function carryOut(
  context: Context,
  id: number,
  command: LockerDeliveryCommand,
): Promise<{ readonly facts: readonly LockerDeliveryEvent[]; readonly delivery: LockerDelivery }> {
  const before = await visibleDelivery(context, id)
  const facts = await execute(context.store, lockerDeliveries, lockerDeliveryStream(id), command, toNewEvent(context))
  return { facts, delivery: (await loadDelivery(context.store, id)) ?? before }
}

async function loadDelivery(store: EventStore, id: number): Promise<LockerDeliveryState> {
  return fold(lockerDeliveries, (await store.read(lockerDeliveryStream(id))) as readonly LockerDeliveryEvent[])
}

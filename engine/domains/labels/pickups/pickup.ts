import type { StateOf } from '../../../entity/field.ts'
import { readModelOf } from '../../../entity/list.ts'
import { deciderOf, type Noops, type Rules } from '../../../entity/machine.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { dayIn } from '../../../kernel/zone.ts'
import { isAskedNow } from '../ask-carrier.ts'
import { pickup } from './table.ts'

/** A pickup of labels. */
export type Pickup = StateOf<typeof pickup>

const rules: Rules<typeof pickup> = {
  leave: ({ order_id: label = 0 }, state) => requireOthers(state, label),
}

const noops: Noops<typeof pickup> = {
  try: isAskedNow,
  come_back: ({ order_id = 0 }, { order_ids }) => order_ids.includes(order_id),
}

/**
 * Refuses to take a label out of a pickup while its carrier is yet to answer, and if the driver comes for this label alone: such a
 * pickup is to be called off. If the carrier has refused to call it off, its last label may leave, too.
 */
function requireOthers({ pickup_id, order_ids, status, refusal }: Pickup, label: number): undefined {
  const mayLeave = status !== 'PICKUP_PENDING' && (order_ids.some((one) => one !== label) || refusal !== undefined)
  if (!mayLeave) throw new EngineError('label_in_pickup', { label, pickup: pickup_id, status })
}

/** The decider of a pickup. What the carrier did is recorded once. */
export const pickups = deciderOf(pickup, rules, noops)

/** Pickups, as callers name them by an id. */
export const pickupKind = { entity: pickup, decider: pickups }

/** The pickups of each business, and when their carriers are to be asked. */
export const pickupModel = readModelOf(pickup)

/** Whether the driver may still come for a label: nobody has called the pickup off or refused it, and its day is not over. */
export function isComingFor({ closes_at, time_zone, order_ids, status }: Pickup, label: number, now: number): boolean {
  const isOpen = status !== 'PICKUP_FAILED' && status !== 'PICKUP_CANCELLED'
  const isOver = dayIn(Date.parse(closes_at), time_zone) < dayIn(now, time_zone)
  return isOpen && !isOver && order_ids.includes(label)
}

import type { Facts } from '../../kernel/context.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { findLoaded } from './load.ts'
import { orderNamedBy } from './owners.ts'

/** The order that a subject names, and the service that it was booked at. */
export async function orderMeasured(facts: Facts, subject: Subject) {
  const id = await orderNamedBy(facts.store, subject)
  if (id === undefined) return undefined
  const order = await findLoaded(facts, id)
  return { id, service: order?.state.service }
}

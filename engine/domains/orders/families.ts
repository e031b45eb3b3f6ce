import * as v from 'valibot'
import type { Values } from '../../entity/field.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import type { NamedId } from '../../kernel/operation.ts'
import { localDelivery, type RegisteredOrder, registeredOrder } from '../../kernel/order-family.ts'
import type { Row } from '../../kernel/read-model.ts'
import { findLoaded, isVisible, ofFamily } from './load.ts'
import { orderRecord, recordOf } from './record.ts'

/** An order of any family, as lists and searches show it. */
export const anyOrder = named('AnyOrder', v.variant('family', [orderRecord, registeredOrder]))

/** The record of an order of any family; undefined if the caller may not see it. */
export async function anyRecord(context: Context, id: number): Promise<Values | undefined> {
  const loaded = await findLoaded(context, id)
  if (loaded !== undefined) return isVisible(context, loaded.state) ? recordOf(loaded.state, context) : undefined
  return (await ofFamily(context, id))?.record
}

/** The records of the orders of some rows, but for those that the caller may not see any more. */
export async function recordsOf(context: Context, rows: readonly Row[]): Promise<readonly Values[]> {
  const found = await Promise.all(rows.map((row) => recordIn(context, row)))
  return found.filter((record) => record !== undefined)
}

async function recordIn(context: Context, { order_id, family }: Row): Promise<Values | undefined> {
  if (family === localDelivery) return anyRecord(context, Number(order_id))
  return context.ports.orders.families.find(({ name }) => name === family)?.find(context, Number(order_id))
}

/** The orders of other families with a tracking number, which may be that of a parcel that no list has. */
export async function withNumber(context: Context, trackingNumber: string): Promise<readonly RegisteredOrder[]> {
  const found = await Promise.all(
    context.ports.orders.families.map(async (family) => {
      const id = await family.numbered(context, trackingNumber)
      return id === undefined ? undefined : family.find(context, id)
    }),
  )
  return found.flatMap((order) => order ?? [])
}

const anyOrderId: NamedId = {
  noun: 'order',
  require: async (context, id) => {
    if ((await anyRecord(context, Number(id))) === undefined)
      throw new EngineError('order_not_found', { order: Number(id) })
  },
}

/** What the member of `orderEntries` names where an order of any family will do. */
export const anyOrderIds = { order_id: anyOrderId }

import { loadEntity } from '../../entity/access.ts'
import { type Charge, type ChargedRange, chargedRows } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'
import { billOf, deviceOrder } from './device-order.ts'
import { deviceOrderModel } from './overdue.ts'
import { deviceOrders } from './rules.ts'

/** What the device orders of a customer, or those without one (`null`), cost now, as statements ask for it. */
export async function chargesOf(context: Context, customer: number | null, { since, before }: ChargedRange) {
  const charges: Charge[] = []
  const read = { changed: 'changed_at' }
  for await (const row of chargedRows(context, deviceOrderModel, read, { customer, since, before }))
    charges.push(...(await chargeOf(context, Number(row.device_order_id))))
  return charges
}

/** A cancelled one costs nothing. */
async function chargeOf(context: Context, id: number): Promise<readonly Charge[]> {
  const state = await loadEntity(context, { entity: deviceOrder, decider: deviceOrders }, id)
  const bill = state && billOf(state)
  if (bill?.currency === undefined) return []
  return [{ order_id: id, family: 'device_orders', net: bill.isOpen ? bill.total : '0', tax: '0', taxes: [] }]
}

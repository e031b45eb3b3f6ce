import { loadEntity } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Charge } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'
import type { ChargedRange } from '../../kernel/payable.ts'
import { billOf, deviceOrder } from './device-order.ts'
import { deviceOrderModel } from './overdue.ts'
import { deviceOrders } from './rules.ts'

/** Rows that are read at once. */
const atOnce = 500

/** What the device orders of a customer, or those without one (`null`), cost now, as statements ask for it. */
export async function chargesOf(context: Context, customer: number | null, { since, before }: ChargedRange) {
  const where = { business_id: accountOf(context).business.id, customer_id: customer }
  const charges: Charge[] = []
  for (let from = 1; ; ) {
    const { rows } = await context.models.page(deviceOrderModel, {
      ...{ where, limit: atOnce, uncounted: true, columns: ['device_order_id', 'created_at'] },
      between: { changed_at: [since, undefined], device_order_id: [from, undefined] },
    })
    for (const { device_order_id, created_at } of rows)
      if (String(created_at) < before) charges.push(...(await chargeOf(context, Number(device_order_id))))
    if (rows.length < atOnce) return charges
    from = Number(rows.at(-1)?.device_order_id) + 1
  }
}

/** A cancelled one costs nothing. */
async function chargeOf(context: Context, id: number): Promise<readonly Charge[]> {
  const state = await loadEntity(context, { entity: deviceOrder, decider: deviceOrders }, id)
  const bill = state && billOf(state)
  if (bill?.currency === undefined) return []
  return [{ order_id: id, family: 'device_orders', net: bill.isOpen ? bill.total : '0', tax: '0', taxes: [] }]
}

import type { Facts } from '../../kernel/context.ts'
import { maxAmong } from '../../kernel/read-model.ts'
import { dutyModel } from './duty.ts'

/** The drivers of a business who are on duty, at most 500, and since when (ISO 8601, UTC). */
export async function driversOnDuty({ models }: Facts, business_id: number) {
  const { rows } = await models.page(dutyModel, { where: { business_id, on_duty: 1 }, limit: maxAmong })
  return rows.map((row) => ({ id: Number(row.driver_id), since: String(row.duty_changed_at) }))
}

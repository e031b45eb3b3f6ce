import type { Facts } from '../../kernel/context.ts'
import type { Cell } from '../../kernel/read-model.ts'
import { assignmentModel } from './assignment-model.ts'

/** How many orders of a business each of these contractors was assigned since an instant (ISO 8601, UTC). */
export function assignedSince(
  { models }: Facts,
  business_id: number,
  broker_id: readonly Cell[],
  since: string,
): Promise<ReadonlyMap<Cell, number>> {
  const between = { assigned_at: [since, undefined] } as const
  return models.counts(assignmentModel, 'broker_id', { where: { business_id }, among: { broker_id }, between })
}

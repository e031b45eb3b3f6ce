import type { Context, Facts } from '../../kernel/context.ts'
import { millionths, type SensorType } from '../../kernel/sensor-kinds.ts'
import type { Subject } from '../../kernel/timeline.ts'
import type { JudgedLimit } from './breach.ts'
import { limitModel, maxLimits } from './limit.ts'

/** A limit that holds for a thing. */
export interface LimitOfThing extends JudgedLimit {
  readonly type: SensorType
  readonly business: number
}

/** The limits that hold for a thing: those that its businesses have set for its order, for it, or for its service. */
export async function limitsOf(
  context: Pick<Context, 'ports'> & Facts,
  subject: Subject,
): Promise<readonly LimitOfThing[]> {
  const businesses = await context.ports.sensors.businessesOf(context, subject)
  const found: LimitOfThing[] = []
  for (const business of businesses) {
    const where = { business_id: business, status: 'active' }
    const { rows } = await context.models.page(limitModel, { where, limit: maxLimits, uncounted: true })
    if (rows.length === 0) continue
    const order = await context.ports.sensors.orderOf(context, subject)
    for (const row of rows) {
      const isIts =
        (row.order_id !== null && row.order_id === order?.id) ||
        (row.tracking_number !== null && row.tracking_number === subject.tracking_number) ||
        (row.service !== null && row.service === order?.service)
      if (isIts) found.push(limitIn(row, business))
    }
  }
  return found
}

function limitIn(row: Readonly<Record<string, string | number | null>>, business: number): LimitOfThing {
  const bound = (cell: string | number | null | undefined) =>
    cell === null || cell === undefined ? undefined : Math.round(Number(cell) * millionths)
  return {
    id: Number(row.limit_id),
    business,
    type: row.type as SensorType,
    minimum: bound(row.minimum),
    maximum: bound(row.maximum),
    tolerated: Number(row.tolerated_seconds ?? 0) * 1000,
  }
}

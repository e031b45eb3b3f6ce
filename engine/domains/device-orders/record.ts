import * as v from 'valibot'
import type { Row } from '../../kernel/read-model.ts'
import type { DeviceException, DeviceOrder } from './state.ts'
import { deviceOrderKinds, deviceStatusNames, deviceTypes, nextActors, removalReasons, severities } from './status.ts'

const instant = v.nullable(v.pipe(v.string(), v.description('ISO 8601, UTC; null until it is reached.')))

/** A device order as answers and webhooks tell it (document 3, `data.device_order`). */
export const deviceOrderRecord = v.strictObject({
  id: v.number(),
  kind: v.picklist(deviceOrderKinds),
  status: v.picklist(deviceStatusNames),
  next_actor: v.pipe(v.nullable(v.picklist(nextActors)), v.description('Null once it has ended.')),
  device_type: v.picklist(deviceTypes),
  device_id: v.number(),
  device_name: v.string(),
  grid_code: v.nullable(v.string()),
  reference_number: v.nullable(v.string()),
  order_id: v.nullable(v.number()),
  external_order_id: v.nullable(v.string()),
  due_at: instant,
  overdue_at: instant,
  stored_at: instant,
  ended_at: instant,
  removal_reason: v.nullable(v.picklist(removalReasons)),
})

/** A problem as answers and webhooks tell it (document 3, `data.exception`). */
export const deviceExceptionRecord = v.strictObject({
  id: v.pipe(v.number(), v.description('Counted from 1 within the device order.')),
  type: v.string(),
  severity: v.picklist(severities),
  status: v.picklist(['open', 'resolved', 'dismissed']),
  resolution_action: v.nullable(v.string()),
})

/** The record of a device order. */
export type DeviceOrderRecord = v.InferOutput<typeof deviceOrderRecord>

/** The record of a device order. */
export function deviceOrderOf(order: DeviceOrder): DeviceOrderRecord {
  return {
    id: order.id,
    kind: order.kind,
    status: order.status,
    next_actor: order.nextActor ?? null,
    device_type: order.deviceType,
    device_id: order.deviceId,
    device_name: order.deviceName,
    grid_code: order.gridCode ?? null,
    reference_number: order.referenceNumber ?? null,
    order_id: order.orderId ?? null,
    external_order_id: order.externalOrderId ?? null,
    due_at: order.dueAt ?? null,
    overdue_at: order.overdueAt ?? null,
    stored_at: order.storedAt ?? null,
    ended_at: order.endedAt ?? null,
    removal_reason: order.removalReason ?? null,
  }
}

/** The record in a row of the list, whose columns are its members. */
export function deviceOrderIn(row: Row): Row {
  const names = Object.keys(deviceOrderRecord.entries)
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
}

/** The record of a problem. */
export function deviceExceptionOf(exception: DeviceException): v.InferOutput<typeof deviceExceptionRecord> {
  const { id, type, severity, status, resolutionAction: resolution_action = null } = exception
  return { id, type, severity, status, resolution_action }
}

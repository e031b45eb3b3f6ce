import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { carryOut } from './access.ts'
import { change, changedEntries, given, refusals } from './changes.ts'
import { deviceOrderId, id, line } from './input.ts'
import { reportedExceptions, severities } from './status.ts'

/** Reports a problem. */
export const openDeviceException = operation({
  name: 'open_device_exception',
  summary: 'Report a problem with the deposit or its machine; several may be open at once.',
  ...change,
  input: v.strictObject({
    ...deviceOrderId,
    type: v.pipe(v.picklist(reportedExceptions), v.description('overdue is opened by the clock alone.')),
    severity: v.exactOptional(v.pipe(v.picklist(severities), v.description('medium where absent.'))),
    note: v.exactOptional(line(1000, 'What was seen, for staff.')),
  }),
  output: v.strictObject({ ...changedEntries, exception_id: v.number() }),
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/exceptions' },
  handle: async (context, { device_order_id, type: exception, severity = 'medium', ...rest }) => {
    const command = { type: 'OpenException', ...given(context), exception, severity, ...rest } as const
    const { facts, order } = await carryOut(context, device_order_id, command)
    const exception_id = facts.flatMap((fact) =>
      fact.type === 'DeviceExceptionOpened' ? [fact.data.exception_id] : [],
    )
    return { result: true, device_order_id, status: order.status, exception_id: exception_id[0] }
  },
})

/** Settles a problem. */
export const resolveDeviceException = operation({
  name: 'resolve_device_exception',
  summary: 'Settle a problem: resolved by what was done, or dismissed.',
  ...change,
  input: v.strictObject({
    ...deviceOrderId,
    exception_id: id('Number of the exception within the device order.'),
    status: v.exactOptional(v.pipe(v.picklist(['resolved', 'dismissed']), v.description('resolved where absent.'))),
    resolution_action: v.pipe(
      v.string(),
      v.maxLength(64),
      v.regex(/^[a-z0-9]+(_[a-z0-9]+)*$/),
      v.description('What was done, as a word: door_closed, item_found. Webhooks tell it, so nothing of people.'),
    ),
  }),
  output: v.strictObject({ ...changedEntries, exception_id: v.number() }),
  errors: [...refusals, 'device_exception_not_found', 'device_exception_settled'],
  rest: { method: 'POST', path: '/api/v1/device-orders/{device_order_id}/exceptions/{exception_id}/resolve' },
  handle: async (context, { device_order_id, status = 'resolved', ...rest }) => {
    const command = { type: 'ResolveException', ...given(context), status, ...rest } as const
    const { order } = await carryOut(context, device_order_id, command)
    return { result: true, device_order_id, status: order.status, exception_id: rest.exception_id }
  },
})

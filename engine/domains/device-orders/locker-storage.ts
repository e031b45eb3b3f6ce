import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { visibleDeviceOrder } from './access.ts'
import { id } from './input.ts'
import { deviceOrderOf, deviceOrderRecord } from './record.ts'

/** The timeline of a stay in a machine, for those whose it is. */
export const otepClientLockerStorage = operation({
  name: 'otep_client_locker_storage',
  summary: 'OTEP timeline, in the storage profile, of one of your locker storage rentals by its id.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'OTEP',
  module: 'device_orders',
  mcp: {
    title: 'Timeline of a locker rental',
    hint: 'The rental id is the id of the device order. The pickup code is never in the answer.',
  },
  input: v.strictObject({ rental_id: id('Id of the rental: that of its device order.') }),
  output: v.strictObject({
    result: v.literal(true),
    timeline: v.pipe(
      v.nullable(unpriced(v.record(v.string(), v.unknown()))),
      v.description('As otep_tracking answers it; null for the moment in which it does not follow yet.'),
    ),
    device_order: deviceOrderRecord,
  }),
  errors: ['module_disabled', 'module_not_migrated', 'device_order_not_found'],
  rest: { method: 'GET', path: '/api/v1/otep/client/locker-storage/{rental_id}' },
  handle: async (context, { rental_id }) => {
    const order = await visibleDeviceOrder(context, rental_id)
    const timeline = (await context.ports.deviceOrders.timelineOf(context, order.pieceId)) ?? null
    return { result: true, timeline, device_order: deviceOrderOf(order) }
  },
})

import * as v from 'valibot'
import { type Kind, loadOwn, ownId, viewOf } from '../../entity/access.ts'
import { recordName, recordOf, recordSchemaOf } from '../../entity/record.ts'
import type { Context } from '../../kernel/context.ts'
import { shownAs } from '../../kernel/named.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { id } from '../../kernel/schemas.ts'
import { deviceOrder } from './device-order.ts'
import { deviceOrders } from './rules.ts'

const kind: Kind<typeof deviceOrder> = { entity: deviceOrder, decider: deviceOrders }

/** The timeline of a stay in a machine, for its business and its customer. */
export const otepClientLockerStorage: Operation = operation({
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
  by: deviceOrder.api.read.by,
  ids: { rental_id: ownId(kind) },
  input: v.strictObject({ rental_id: v.pipe(id, v.description('Id of the rental: that of its device order.')) }),
  output: v.strictObject({
    result: v.literal(true),
    timeline: v.pipe(
      v.nullable(unpriced(shownAs('Timeline', v.record(v.string(), v.unknown())))),
      v.description('As otep_tracking answers it; null until the first event is in the timeline.'),
    ),
    device_order: recordSchemaOf(deviceOrder, [], recordName(deviceOrder)),
  }),
  errors: ['module_disabled', 'module_not_migrated', 'device_order_not_found'],
  rest: { method: 'GET', path: '/api/v1/otep/client/locker-storage/{rental_id}' },
  handle: async (context: Context, { rental_id }: { readonly rental_id: number }) => {
    const { state } = await loadOwn(context, kind, rental_id)
    const timeline = (await context.ports.deviceOrders.timelineOf(context, state.piece_id)) ?? null
    return { result: true, timeline, device_order: recordOf(deviceOrder, state, viewOf(context)) }
  },
})

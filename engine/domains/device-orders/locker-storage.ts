import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { visibleDeviceOrder } from './access.ts'
import { id } from './input.ts'

/** The timeline of a stay in a machine, for those whose it is. */
export const otepClientLockerStorage = operation({
  name: 'otep_client_locker_storage',
  summary: 'OTEP timeline, in the storage profile, of one of your locker storage rentals by its id.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'OTEP',
  mcp: {
    title: 'Timeline of a locker rental',
    hint: 'The rental id is the id of the device order. The pickup code is never in the answer.',
  },
  input: v.strictObject({ rental_id: id('Id of the rental: that of its device order.') }),
  output: v.strictObject({
    result: v.literal(true),
    format: v.literal('otep'),
    rental_id: v.number(),
    data: v.pipe(v.record(v.string(), v.unknown()), v.description('The timeline, as otep_tracking answers it.')),
  }),
  errors: ['module_disabled', 'module_not_migrated', 'device_order_not_found', 'timeline_not_found'],
  rest: { method: 'GET', path: '/api/v1/otep/client/locker-storage/{rental_id}' },
  handle: async (context, { rental_id }) => {
    const { pieceId } = await visibleDeviceOrder(context, rental_id)
    const data = await context.timelines.find(context, pieceId)
    // It follows its device order a moment later.
    if (data === undefined) throw new EngineError('timeline_not_found')
    return { result: true, format: 'otep', rental_id, data }
  },
})

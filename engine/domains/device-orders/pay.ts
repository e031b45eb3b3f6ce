import { loadOwn, ownId } from '../../entity/access.ts'
import { payableOf } from '../../entity/payable.ts'
import { payingOperations } from '../../entity/paying-operations.ts'
import { entryErrors, idEntry, statusAnswer, statusOf } from '../../entity/reading.ts'
import { billOf, deviceOrder } from './device-order.ts'
import { chargesOf } from './for-statements.ts'
import { deviceOrders } from './rules.ts'

const { api, moves, refusals } = deviceOrder

const kind = { entity: deviceOrder, decider: deviceOrders }

const names = ownId(kind)

/** Device orders, as they are paid. */
export const payableDeviceOrder = { ...payableOf('device_orders', kind, billOf), charges: chargesOf }

/** Pays for a device order: what comes to it goes from the wallet, or neither; or by the word of the staff. */
export const payDeviceOrder = payingOperations({
  payable: payableDeviceOrder,
  calls: [moves.pay.call, moves.settle_offline.call],
  ...{ id: deviceOrder.id, entries: idEntry(deviceOrder), path: `${api.path}/{device_order_id}` },
  names: [names, names],
  scopes: [['devices:read', 'wallet:read'], [api.write.scope]],
  tags: [api.tag, api.tag],
  module: api.module,
  errors: [...entryErrors(api), refusals.missing, refusals.forbidden],
  answers: statusAnswer(deviceOrder),
  answerOf: async (context, id) => statusOf(deviceOrder, (await loadOwn(context, kind, id)).state),
  ports: ({ ports }) => ports.deviceOrders,
})

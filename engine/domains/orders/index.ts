import type { Domain } from '../../kernel/domain.ts'
import { orderEventTypes } from './events.ts'
import { orderModel } from './order-model.ts'
import { termModel } from './term-model.ts'

/** Orders: who is to carry what from where to where, and how far that has come. */
export const ordersDomain: Domain = {
  name: 'orders',
  events: { order: orderEventTypes, order_number: ['OrderNumberTaken'] },
  operations: [],
  erasures: ['OrderPersonalDataErased'],
  readModels: [orderModel, termModel],
}

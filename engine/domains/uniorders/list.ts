import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { operation } from '../../kernel/operation.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import { orderStatuses, orderStatusNames } from '../../kernel/order-status.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { word } from '../../kernel/schemas.ts'
import { kinds, recordOf, uniorderIdOf, uniorderRecord, type Way } from './uniorder.ts'

const ways = Object.keys(kinds) as readonly Way[]

/** Lists the uniorders that the caller may see. */
export const listUniorders = operation({
  name: 'list_uniorders',
  summary: 'Shipments, newest first: those that the business delivers itself, and those of carriers.',
  scopes: ['uniorder:read'],
  roles: [...staff, 'customer'],
  risk: 'low',
  tag: 'Uniorder',
  rest: { method: 'GET', path: '/api/v1/uniorder' },
  input: v.strictObject({
    kind: v.exactOptional(v.picklist(Object.values(kinds))),
    status: v.exactOptional(
      v.pipe(v.picklist(orderStatusNames), v.description('How far they are, as all orders say it.')),
    ),
    state: v.exactOptional(v.pipe(word(60), v.description('The status of a label, as LABEL_PURCHASE_FAILED.'))),
    carrier: v.exactOptional(v.pipe(word(60), v.description('The carrier that has them.'))),
    reference: v.exactOptional(v.pipe(word(100), v.description('The whole reference, in any case.'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, uniorders: v.array(uniorderRecord) }),
  errors: [],
  handle: async (context, { page, per_page, kind, status, ...filter }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const way = ways.find((one) => kinds[one] === kind)
    const wanted = {
      ...filter,
      ...(status && { status: orderStatuses[status].id }),
      ...(way && { family: way === 'order' ? localDelivery : 'label_service' }),
    }
    const { orders, total } = await context.ports.uniorders.registered(context, wanted, range)
    const ids = orders.map(({ id, family }) => uniorderIdOf({ way: family === localDelivery ? 'order' : 'label', id }))
    return { result: true, total, ...paging, uniorders: await Promise.all(ids.map((id) => recordOf(context, id))) }
  },
})

import * as v from 'valibot'
import { loadOwn, ownId } from '../../entity/access.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { attemptFailures } from '../../kernel/webhooks.ts'
import { shopEndpoint, shopKind } from './endpoint.ts'
import { shopTable } from './shop.ts'

/** Asks a shop whether it accepts the credentials. */
export const testShop = operation({
  name: 'test_shop',
  summary:
    'Whether a shop answers and accepts the credentials. Nothing is changed there; the list of deliveries has its answer.',
  scopes: ['webhooks:write'],
  roles: ['client_admin'],
  risk: 'medium',
  // What a shop answers is only kept in the log of deliveries, which is encrypted.
  secret: true,
  tag: shopTable.api.tag,
  rest: { method: 'POST', path: `${shopTable.api.path}/{shop_id}/test` },
  ids: { shop_id: ownId(shopKind) },
  input: v.strictObject({ shop_id: v.pipe(id, v.description('Id of the shop.')) }),
  output: v.strictObject({
    result: v.literal(true),
    works: v.boolean(),
    delivery_id: v.pipe(v.string(), v.description('Its id in the list of webhook deliveries.')),
    status: v.exactOptional(v.pipe(v.number(), v.description('The HTTP status of the answer.'))),
    failure: v.exactOptional(v.picklist(attemptFailures)),
    answer: v.exactOptional(v.pipe(v.string(), v.description('What the shop answered, cut at 16 KiB.'))),
  }),
  errors: ['shop_not_found', 'shop_status_forbids', 'too_many_sends'],
  handle: async (context, { shop_id }) => {
    const { state } = await loadOwn(context, shopKind, shop_id)
    const endpoint = shopEndpoint(state)
    if (endpoint === undefined)
      throw new EngineError('shop_status_forbids', { move: 'test', shop: shop_id, status: state.status })
    const { id: delivery_id, history } = await context.webhooks.test(endpoint, 'tracking.event')
    const last = history.at(-1)
    return {
      ...{ result: true as const, works: last !== undefined && last.failure === undefined, delivery_id },
      ...(last?.status !== undefined && { status: last.status }),
      ...(last?.failure !== undefined && { failure: last.failure }),
      ...(last !== undefined && last.responseBody !== '' && { answer: last.responseBody }),
    }
  },
})

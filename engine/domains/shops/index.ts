import { loadEntity } from '../../entity/access.ts'
import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { readModelOf } from '../../entity/list.ts'
import { type Machine, operationsOf } from '../../entity/operations.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { within } from '../../kernel/finding.ts'
import { parse } from '../../kernel/parse.ts'
import { shopKind } from './endpoint.ts'
import { credentialsOf, type ShopKind } from './kinds.ts'
import { shopMessages } from './messages.ts'
import { shopTable } from './shop.ts'
import { testShop } from './test-operation.ts'

export { keepShopCredentials, loadShopEndpoint, shopOwnerOf, shopStreamOf } from './endpoint.ts'
export type { ShopCredentials, ShopKind } from './kinds.ts'
export type { ShopCode } from './messages.ts'

const machine: Machine<typeof shopTable> = {
  ...shopKind,
  prepare: {
    connect: async (context, { kind, address, credentials, sends = true }) => {
      checkCredentials(kind as ShopKind, credentials)
      await context.webhooks.checkUrl(String(address))
      return { business_id: accountOf(context).business.id, sends }
    },
    change: async (context, { address, credentials }, { kind }) => {
      if (credentials !== undefined) checkCredentials(kind as ShopKind, credentials)
      if (address !== undefined) await context.webhooks.checkUrl(String(address))
      return undefined
    },
  },
}

/** Refuses credentials that the kind of shop does not have. */
function checkCredentials(kind: ShopKind, given: unknown): void {
  const { findings = [] } = parse(credentialsOf[kind], given)
  const found = findings.map((finding) => within('credentials', finding))
  if (found.length > 0) throw new EngineError('invalid_input', { count: found.length }, found)
}

/** Whether a business works with a shop. */
async function hasShop(context: Context, id: number): Promise<boolean> {
  const shop = await loadEntity(context, shopKind, id)
  return shop?.status === 'connected' && shop.business_id === accountOf(context).business.id
}

const gives = { orders: { hasShop } } satisfies Gives

const model = readModelOf(shopTable)

/** Shops whose orders a business delivers, and which are sent what happens to the parcels. */
export const shopsDomain: Giving<typeof gives> = {
  gives,
  name: 'shops',
  messages: [shopMessages],
  events: { shop: eventShapesOf(shopTable) },
  tables: [shopTable],
  operations: [...operationsOf(machine, model), testShop],
  readModels: [model],
  erasures: ['ShopRemoved'],
}

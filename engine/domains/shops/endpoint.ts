import { streamOf } from '../../entity/access.ts'
import type { StateOf } from '../../entity/field.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { deciderOf } from '../../entity/machine.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { type Endpoint, endpointId, type Owner, shopOwner } from '../../kernel/endpoint.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { ShopCredentials, ShopKind } from './kinds.ts'
import { shopTable } from './shop.ts'

/** The decider of a shop. */
export const shops = deciderOf(shopTable)

/** What the id of a shop names. */
export const shopKind = { entity: shopTable, decider: shops }

/** The stream of the shop that is an owner of endpoints. */
export function shopStreamOf(owner: Owner): StreamName {
  return `shop-${owner.slice('shop.'.length)}`
}

/** The owner that a stream of a shop belongs to, if it is such a stream. */
export function shopOwnerOf(stream: string): Owner | undefined {
  return stream.startsWith('shop-') ? `shop.${stream.slice('shop-'.length)}` : undefined
}

/** Keeps credentials that a shop has given in place of those that were used. Nothing is kept of a shop that is removed. */
export async function keepShopCredentials(
  { store, clock, randomId }: Pick<Context, 'store' | 'clock' | 'randomId'>,
  id: number,
  credentials: ShopCredentials,
): Promise<void> {
  const caller = { kind: 'operator', name: 'shops', scopes: [] } as const
  const stamp = { at: isoOf(clock()), by: null }
  await retryOnConflict(async () => {
    const stream = streamOf(shopTable, id)
    const history = (await store.read(stream)) as readonly RecordedEvent<EntityEvent>[]
    const before = fold(shops, history)
    if (before?.status !== 'connected') return
    const events = shops.decide({ move: 'change', ...stamp, values: { credentials } }, before)
    const made = events.map(toNewEvent({ caller, requestId: randomId(), randomId }))
    await store.append(stream, made, history.at(-1)?.revision ?? 'no-stream')
  })
}

/** The endpoint of a shop: none once it is removed. */
export function shopEndpoint(shop: StateOf<typeof shopTable> | undefined): Endpoint | undefined {
  if (shop === undefined || shop.status !== 'connected' || shop.credentials === undefined) return undefined
  const { shop_id: id, business_id: businessId, kind, name, address: url, credentials } = shop
  const owner = shopOwner(id)
  return {
    ...{ id: endpointId(owner, 'url', `shop:${id}`), owner, businessId, channel: 'shop', field: 'url', url, name },
    ...{ format: 'native', standard: false, isInOrder: true, interval: 0, keys: [{ secret: '' }] },
    shop: { id, kind: kind as ShopKind, credentials },
  }
}

/** The endpoint of an owner that is a shop; none if nothing is sent to it. */
export async function loadShopEndpoint(store: Pick<EventStore, 'read'>, owner: Owner): Promise<Endpoint | undefined> {
  const shop = fold(shops, (await store.read(shopStreamOf(owner))) as readonly EntityEvent[])
  return shop?.sends === true ? shopEndpoint(shop) : undefined
}

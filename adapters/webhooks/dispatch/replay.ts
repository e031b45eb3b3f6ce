import { createKeyedQueue, type Endpoint, isQueue, type Owner, type Webhooks } from '../../../engine/index.ts'
import type { DeliveryRepository, NewDelivery, RedeliverablePage, Structured } from '../../node/deliveries.ts'
import { acceptsDelivery, redeliveryOf } from '../redelivery.ts'
import type { Dispatcher } from './index.ts'

/** Dependencies of a replay. */
export interface ReplayParts {
  readonly repository: DeliveryRepository
  readonly dispatcher: Pick<Dispatcher, 'wake'>
  /** The current endpoint; `undefined` if it is switched off. */
  readonly endpointOf: (owner: Owner, endpointId: string) => Promise<Endpoint | undefined>
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly randomId: () => string
  readonly structured: Structured
}

/** Maximum deliveries per replay. */
const maxReplayed = 1_000

/** Deliveries read and saved at once; sending goes on in between. */
const pageSize = 100

/** Milliseconds between two replayed deliveries of a business: ten a second. */
const spacing = 100

type Found = RedeliverablePage['deliveries'][number]

/**
 * Sends the deliveries of a query again. A replayed delivery no longer matches, so a call that was cut off or reached
 * its limit is continued by the next one. Deliveries whose endpoint is gone are left.
 */
export function createReplay(parts: ReplayParts): Webhooks['replay'] {
  const { repository, dispatcher, clock } = parts
  /** Epoch milliseconds of the next free slot of each business. */
  const nextAt = new Map<number, number>()

  function dueAt(businessId: number): number {
    const now = clock()
    for (const [id, at] of nextAt) if (at < now) nextAt.delete(id)
    const at = nextAt.get(businessId) ?? now
    nextAt.set(businessId, at + spacing)
    return at
  }

  async function again(businessId: number, endpoint: Endpoint, id: string): Promise<readonly NewDelivery[]> {
    const original = await repository.original(businessId, id)
    if (original === undefined || original.native.length === 0 || !acceptsDelivery(endpoint, original)) return []
    const fresh = { id: parts.randomId(), dueAt: dueAt(businessId), structured: parts.structured }
    return [redeliveryOf(original, endpoint, fresh)]
  }

  /** Replays at most `wanted` deliveries of a page; returns how many it replayed. */
  async function replayPage(businessId: number, found: readonly Found[], wanted: number, endpoints: Endpoints) {
    const made: NewDelivery[] = []
    for (const { id, owner, endpointId } of found) {
      if (made.length === wanted) break
      const endpoint = await endpoints(owner, endpointId)
      if (endpoint !== undefined && !isQueue(endpoint.url)) made.push(...(await again(businessId, endpoint, id)))
    }
    const added = await repository.add(made)
    dispatcher.wake(new Set(added.map(({ endpoint }) => endpoint.id)))
    return added.length
  }

  const replay: Webhooks['replay'] = async (query, limit) => {
    const endpoints = cachedLookup(parts.endpointOf)
    const wanted = Math.min(limit, maxReplayed)
    let replayed = 0
    let after: string | undefined
    let total: number | undefined
    while (replayed < wanted) {
      const page = await repository.redeliverable(query, pageSize, after)
      total ??= page.total
      after = page.deliveries.at(-1)?.id
      if (after === undefined) break
      replayed += await replayPage(query.businessId, page.deliveries, wanted - replayed, endpoints)
    }
    return { replayed, left: Math.max(0, (total ?? 0) - replayed) }
  }

  // Concurrent calls of a business would find the same deliveries, so they run one after the other. Businesses do not
  // wait for each other.
  const inTurn = createKeyedQueue<number>()
  return (query, limit) => inTurn(query.businessId, () => replay(query, limit))
}

type Endpoints = ReplayParts['endpointOf']

/** Looks up each endpoint once. */
function cachedLookup(endpointOf: Endpoints): Endpoints {
  const known = new Map<string, ReturnType<Endpoints>>()
  return (owner, id) => {
    const found = known.get(id) ?? endpointOf(owner, id)
    known.set(id, found)
    return found
  }
}

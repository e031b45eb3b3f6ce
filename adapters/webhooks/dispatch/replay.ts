import { createLines, type Endpoint, type Owner, type Webhooks } from '../../../engine/index.ts'
import type { DeliveryBook, NewDelivery, Structured, Unsent } from '../../node/deliveries.ts'
import type { Dispatcher } from './index.ts'
import { isTaking, redeliveryOf } from './redelivery.ts'

/** What is replayed with. */
export interface ReplayParts {
  readonly book: DeliveryBook
  readonly dispatcher: Pick<Dispatcher, 'wake'>
  /** The endpoint as it stands now; nothing where it is switched off. */
  readonly endpointOf: (owner: Owner, endpointId: string) => Promise<Endpoint | undefined>
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly randomId: () => string
  readonly structured: Structured
}

/** So many are replayed by one call at most. */
const most = 1_000

/** So many are looked at, and kept, at once; deliveries go on between. */
const pageSize = 100

/** Milliseconds from one to the next of a business: ten a second. */
const spacing = 100

type Found = Unsent['deliveries'][number]

/**
 * Sends again what a query finds. Each that was sent again is found no more, so that a call that broke off, or had reached
 * its limit, is taken up by the next. Those whose endpoint is gone stay behind.
 */
export function createReplay(parts: ReplayParts): Webhooks['replay'] {
  const { book, dispatcher, clock } = parts
  /** When each business has something to be replayed next; epoch milliseconds. */
  const nextAt = new Map<number, number>()

  function dueAt(businessId: number): number {
    const now = clock()
    for (const [id, at] of nextAt) if (at < now) nextAt.delete(id)
    const at = nextAt.get(businessId) ?? now
    nextAt.set(businessId, at + spacing)
    return at
  }

  async function again(businessId: number, endpoint: Endpoint, id: string): Promise<readonly NewDelivery[]> {
    const original = await book.original(businessId, id)
    if (original === undefined || original.native.length === 0 || !isTaking(endpoint, original)) return []
    const fresh = { id: parts.randomId(), dueAt: dueAt(businessId), structured: parts.structured }
    return [redeliveryOf(original, endpoint, fresh)]
  }

  /** Replays one page, or so many of it; answers how many were. */
  async function replayPage(businessId: number, found: readonly Found[], wanted: number, endpoints: Endpoints) {
    const made: NewDelivery[] = []
    for (const { id, owner, endpointId } of found) {
      if (made.length === wanted) break
      const endpoint = await endpoints(owner, endpointId)
      if (endpoint !== undefined) made.push(...(await again(businessId, endpoint, id)))
    }
    const added = await book.add(made)
    dispatcher.wake(new Set(added.map(({ endpoint }) => endpoint.id)))
    return added.length
  }

  const replay: Webhooks['replay'] = async (query, limit) => {
    const endpoints = remembering(parts.endpointOf)
    const wanted = Math.min(limit, most)
    let replayed = 0
    let after: string | undefined
    let total: number | undefined
    while (replayed < wanted) {
      const page = await book.unsent(query, pageSize, after)
      total ??= page.total
      after = page.deliveries.at(-1)?.id
      if (after === undefined) break
      replayed += await replayPage(query.businessId, page.deliveries, wanted - replayed, endpoints)
    }
    return { replayed, left: Math.max(0, (total ?? 0) - replayed) }
  }

  // Calls of a business at once would find the same: each begins when the one before has ended. No business waits for others.
  const inTurn = createLines<number>()
  return (query, limit) => inTurn(query.businessId, () => replay(query, limit))
}

type Endpoints = ReplayParts['endpointOf']

/** Each endpoint is looked up once. */
function remembering(endpointOf: Endpoints): Endpoints {
  const known = new Map<string, ReturnType<Endpoints>>()
  return (owner, id) => {
    const found = known.get(id) ?? endpointOf(owner, id)
    known.set(id, found)
    return found
  }
}

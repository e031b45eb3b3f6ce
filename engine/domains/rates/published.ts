import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { within } from '../../kernel/finding.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { listFindings, type PriceList } from './price-list.ts'
import { regionFindings, withPlaces } from './taxes.ts'

/** The stream of the price lists of a business: each event is a version, from 1 on. */
export function priceListStream(businessId: number): StreamName {
  return `price_list-${businessId}`
}

/** A price list holds from now on. The ones before stay, so that an old quote can be explained. */
type PriceListPublished = Event<
  'PriceListPublished',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The acting account. */
    readonly by: number
    readonly business_id: number
    readonly list: PriceList
  }
>

/** The shape of this event. */
export const priceListEventShapes: ShapesOf<PriceListPublished> = {
  PriceListPublished: { at: 'text', by: 'number', business_id: 'number', list: 'object' },
}

/** A version of the price list of a business. */
export interface Published {
  readonly version: number
  readonly at: string
  readonly list: PriceList
}

interface PublishPriceList {
  readonly type: 'PublishPriceList'
  readonly at: string
  readonly by: number
  readonly business_id: number
  /** The currency of the business. */
  readonly currency: string
  readonly list: PriceList
}

/** The decider of the price lists of a business. The same list again is no version. Refuses with `invalid_input` and findings. */
export const priceLists: Decider<Published | undefined, PublishPriceList, PriceListPublished> = {
  initial: () => undefined,
  evolve: (before, { type, data: { at, list } }) =>
    type === 'PriceListPublished' ? { version: (before?.version ?? 0) + 1, at, list: withPlaces(list) } : before,
  decide: ({ type: _, currency, list, ...stamp }, current) => {
    const data = { ...stamp, list: withPlaces(list) }
    const expected = { path: 'currency', code: 'currency_of_business', params: { expected: currency } } as const
    const found = [...(list.currency === currency ? [] : [expected]), ...listFindings(list), ...regionFindings(list)]
    const findings = found.map((finding) => within('price_list', finding))
    if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
    const isSame = current !== undefined && JSON.stringify(current.list) === JSON.stringify(data.list)
    return isSame ? [] : [{ type: 'PriceListPublished', data }]
  },
}

/** The price list of a business, or an earlier version of it. */
export async function publishedList(
  { store }: Pick<Context, 'store'>,
  businessId: number,
  version?: number,
): Promise<Published | undefined> {
  // A version is one event, so the ones before it are not read.
  const range = version === undefined ? { backwards: true, limit: 1 } : { from: version - 1, limit: 1 }
  const [event] = (await store.read(priceListStream(businessId), range)) as readonly RecordedEvent<PriceListPublished>[]
  return event && { version: event.revision + 1, at: event.data.at, list: withPlaces(event.data.list) }
}

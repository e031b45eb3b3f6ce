import { loadOwn, type Named, ownId } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Exchange } from '../../kernel/exchange.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { dayIn } from '../../kernel/zone.ts'

/** A business converts prices at this rate from a day on. */
type ExchangeRateSet = Event<
  'ExchangeRateSet',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The acting account. */
    readonly by: number
    readonly exchange_rate_id: number
    readonly business_id: number
    /** ISO 4217. */
    readonly from: string
    /** The currency of the business. */
    readonly to: string
    /** What a unit of `from` costs in `to`: decimal text. */
    readonly rate: string
    /** YYYY-MM-DD, in the time zone of the business. */
    readonly valid_from: string
  }
>

/** The rate is not used any more; `has_begun` says whether its day had come. */
type ExchangeRateEnded = Event<
  'ExchangeRateEnded',
  {
    readonly at: string
    readonly by: number
    readonly exchange_rate_id: number
    readonly business_id: number
    readonly has_begun: boolean
  }
>

/** The events of a rate of exchange. */
type ExchangeRateEvent = ExchangeRateSet | ExchangeRateEnded

/** The shapes of the events of a rate of exchange. */
export const exchangeRateEventShapes: ShapesOf<ExchangeRateEvent> = {
  ExchangeRateSet: {
    at: 'text',
    by: 'number',
    exchange_rate_id: 'number',
    business_id: 'number',
    from: 'text',
    to: 'text',
    rate: 'text',
    valid_from: 'text',
  },
  ExchangeRateEnded: { at: 'text', by: 'number', exchange_rate_id: 'number', business_id: 'number', has_begun: 'flag' },
}

/** A rate of exchange. */
export interface ExchangeRate {
  readonly set: ExchangeRateSet['data']
  /** When it was ended (ISO 8601, UTC). */
  readonly endedAt?: string
}

type ExchangeRateCommand =
  | ({ readonly type: 'SetExchangeRate' } & ExchangeRateSet['data'])
  | { readonly type: 'EndExchangeRate'; readonly at: string; readonly by: number; readonly today: string }

/** The decider of a rate of exchange. To end it again changes nothing. */
export const exchangeRates: Decider<ExchangeRate | undefined, ExchangeRateCommand, ExchangeRateEvent> = {
  initial: () => undefined,
  evolve: (rate, event) => {
    if (event.type === 'ExchangeRateSet') return { set: event.data }
    return rate && event.type === 'ExchangeRateEnded' ? { ...rate, endedAt: event.data.at } : rate
  },
  decide: (command, rate) => {
    if (command.type === 'SetExchangeRate') {
      const { type: _, ...data } = command
      return [{ type: 'ExchangeRateSet', data }]
    }
    if (rate === undefined) throw new EngineError('exchange_rate_not_found', { exchange_rate: 0 })
    if (rate.endedAt !== undefined) return []
    const { exchange_rate_id, business_id, valid_from } = rate.set
    const { at, by, today } = command
    const data = { at, by, exchange_rate_id, business_id, has_begun: valid_from <= today }
    return [{ type: 'ExchangeRateEnded', data }]
  },
}

/** The stream of a rate of exchange. */
export function exchangeRateStream(id: number): StreamName {
  return `exchange_rate-${id}`
}

/** The rates of exchange of each business. */
export const exchangeRateModel = {
  name: 'exchange_rates',
  version: 1,
  category: 'exchange_rate',
  columns: {
    exchange_rate_id: 'integer',
    business_id: 'integer',
    from_currency: 'text',
    to_currency: 'text',
    rate: 'text',
    valid_from: 'text',
    is_ended: 'integer',
    is_withdrawn: 'integer',
  },
  key: ['exchange_rate_id'],
  indexes: [['business_id', 'from_currency']],
  opens: () => false,
  rows: (recorded): readonly Row[] => {
    const event = recorded as RecordedEvent<ExchangeRateEvent>
    if (event.type === 'ExchangeRateSet') {
      const { at: _, by: __, from: from_currency, to: to_currency, ...set } = event.data
      return [{ ...set, from_currency, to_currency, is_ended: 0, is_withdrawn: 0 }]
    }
    if (event.type !== 'ExchangeRateEnded') return []
    const { exchange_rate_id, has_begun } = event.data
    return [{ exchange_rate_id, is_ended: 1, is_withdrawn: has_begun ? 0 : 1 }]
  },
} as const satisfies ReadModel

const kind: Named<ExchangeRate> = {
  entity: {
    category: 'exchange_rate',
    refusals: { missing: 'exchange_rate_not_found', param: 'exchange_rate' },
    access: { belongs: (context, { set }) => accountOf(context).business.id === set.business_id },
  },
  decider: exchangeRates,
}

/** What the id of a rate of exchange names. */
export const exchangeRateId = ownId(kind)

/** A rate of exchange of the caller's business; refuses with `exchange_rate_not_found`. */
export async function loadExchangeRate(context: Context, id: number): Promise<ExchangeRate> {
  return (await loadOwn(context, kind, id)).state
}

/**
 * The rate at which the caller's business converts prices of a currency today: the one that began last and, of those of one day, was
 * set last. Undefined if there is none, or if that one was ended: an older rate does not come back by itself.
 */
export async function exchangeFor(context: Context, from: string): Promise<Exchange | undefined> {
  const { id: business_id, currency: to, timeZone } = accountOf(context).business
  const { rows } = await context.models.page(exchangeRateModel, {
    where: { business_id, from_currency: from, to_currency: to, is_withdrawn: 0 },
    between: { valid_from: [undefined, dayIn(context.clock(), timeZone)] },
    ...{ orderBy: 'valid_from', newestFirst: true, limit: 1, uncounted: true },
  })
  const [row] = rows.filter(({ is_ended }) => is_ended === 0)
  return row && { exchange_rate_id: Number(row.exchange_rate_id), to, rate: String(row.rate) }
}

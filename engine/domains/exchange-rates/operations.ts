import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { currencyCode as currency } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { day, id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { dayIn, zonedIso } from '../../kernel/zone.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import {
  type ExchangeRate,
  exchangeFor,
  exchangeRateId,
  exchangeRateModel,
  exchangeRateStream,
  exchangeRates,
  loadExchangeRate,
} from './exchange-rate.ts'

const tag = 'LabelService'
const path = '/api/v1/exchange-rates'

const rate = v.pipe(
  v.string(),
  v.regex(/^(?!0+(\.0+)?$)(0|[1-9]\d{0,5})(\.\d{1,12})?$/, 'not_an_exchange_rate' satisfies Code),
  v.description('What a unit of `from` costs in `to`, as decimal text: 1.3725.'),
)

const record = named(
  'ExchangeRate',
  v.strictObject({
    exchange_rate_id: v.number(),
    from: v.string(),
    to: v.string(),
    rate: v.string(),
    valid_from: v.pipe(v.string(), v.description('The first day, in the time zone of the business.')),
    set_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    set_by: v.pipe(v.number(), v.description('User id.')),
    ended_at: v.exactOptional(v.pipe(v.string(), v.description('Since when it is not used any more.'))),
  }),
)

const listed = named(
  'ListedExchangeRate',
  v.strictObject({
    ...record.entries,
    is_in_force: v.pipe(v.boolean(), v.description('Whether prices are converted at it today.')),
  }),
)

const answer = named('ExchangeRateAnswer', v.strictObject({ result: v.literal(true), ...record.entries }))

/** Sets a rate of exchange. */
export const setExchangeRate = operation({
  name: 'set_exchange_rate',
  summary: 'Set the rate at which prices of carriers in another currency are converted, from a day on.',
  scopes: ['labels:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'POST', path },
  input: v.strictObject({
    from: v.pipe(currency, v.description('The currency of the carrier (ISO 4217).')),
    to: v.pipe(
      currency,
      v.description('The currency of the business, so that no rate is entered the wrong way round.'),
    ),
    rate,
    valid_from: v.exactOptional(
      v.pipe(day, v.description('The first day, in the time zone of the business; today where absent.')),
    ),
  }),
  output: answer,
  errors: ['currency_of_business', 'same_currency', 'contention'],
  handle: async (context, input) => {
    const { id: by, business } = accountOf(context)
    const findings = findingsOf(input, business.currency)
    if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
    const now = context.clock()
    const exchange_rate_id = await retryOnConflict(async () => {
      const { first, append } = await nextNumbers(context, 'exchange_rate')
      const data = {
        ...{ at: isoOf(now), by, exchange_rate_id: first, business_id: business.id },
        ...{ valid_from: dayIn(now, business.timeZone), ...input },
      }
      const events = exchangeRates.decide({ type: 'SetExchangeRate', ...data }, undefined).map(toNewEvent(context))
      await context.store.appendMany([append, { stream: exchangeRateStream(first), events, expected: 'no-stream' }])
      return first
    })
    return { result: true, ...recordOf(context, await loadExchangeRate(context, exchange_rate_id)) }
  },
})

function findingsOf({ from, to }: { readonly from: string; readonly to: string }, own: string): readonly Finding[] {
  if (to !== own) return [{ path: 'to', code: 'currency_of_business', params: { expected: own } }]
  return from === own ? [{ path: 'from', code: 'same_currency', params: {} }] : []
}

/** Lists the rates of exchange. */
export const listExchangeRates = operation({
  name: 'list_exchange_rates',
  summary: 'The rates of exchange of the business, newest first, also those that were ended.',
  scopes: ['labels:read'],
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  page: 'exchange rate',
  input: v.strictObject({
    from: v.exactOptional(v.pipe(currency, v.description('Only rates of this currency (ISO 4217).'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), exchange_rates: v.array(listed), ...pageAnswerEntries }),
  errors: [],
  handle: async (context, { from, ...asked }) => {
    const { range, paging } = pageOf(asked)
    const where = { business_id: accountOf(context).business.id, ...(from !== undefined && { from_currency: from }) }
    const { rows, total } = await context.models.page(exchangeRateModel, { where, newestFirst: true, ...range })
    const rates = await Promise.all(rows.map((row) => loadExchangeRate(context, Number(row.exchange_rate_id))))
    const currencies = [...new Set(rates.map(({ set }) => set.from))]
    const exchanges = await Promise.all(currencies.map((one) => exchangeFor(context, one)))
    const inForce = new Set(exchanges.map((one) => one?.exchange_rate_id))
    const exchange_rates = rates.map((one) => ({
      ...recordOf(context, one),
      is_in_force: inForce.has(one.set.exchange_rate_id),
    }))
    return { result: true, exchange_rates, total, ...paging }
  },
})

/** Ends a rate of exchange. */
export const endExchangeRate = operation({
  name: 'end_exchange_rate',
  summary:
    'End a rate of exchange at once. If it was in force, prices in its currency are not converted until another one is set; one that had not begun never does.',
  scopes: ['labels:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/{exchange_rate_id}/end` },
  ids: { exchange_rate_id: exchangeRateId },
  input: v.strictObject({ exchange_rate_id: id }),
  output: answer,
  errors: ['exchange_rate_not_found', 'contention'],
  handle: async (context, { exchange_rate_id }) => {
    await loadExchangeRate(context, exchange_rate_id)
    const { id: by, business } = accountOf(context)
    const now = context.clock()
    const command = { type: 'EndExchangeRate', at: isoOf(now), by, today: dayIn(now, business.timeZone) } as const
    await execute(context.store, exchangeRates, exchangeRateStream(exchange_rate_id), command, toNewEvent(context))
    return { result: true, ...recordOf(context, await loadExchangeRate(context, exchange_rate_id)) }
  },
})

function recordOf(context: Context, { set, endedAt }: ExchangeRate): v.InferOutput<typeof record> {
  const { at, by: set_by, business_id: _, ...told } = set
  const inZone = (instant: string) => zonedIso(Date.parse(instant), accountOf(context).business.timeZone)
  return { ...told, set_at: inZone(at), set_by, ...(endedAt !== undefined && { ended_at: inZone(endedAt) }) }
}

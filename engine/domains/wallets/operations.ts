import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { dress } from '../../store/dress.ts'
import { untilUncontended } from '../../store/execute.ts'
import { decimalOf, type WalletEvent, walletStream, wallets } from './wallet.ts'

const amount = v.pipe(
  v.string(),
  v.maxLength(10),
  v.regex(/^\d{1,7}\.\d{2}$/, 'not_an_amount'),
  v.description('Decimal text with two digits behind the point, above zero.'),
)

/** Tells a customer what is in its wallet. */
export const getAccountCredits = operation({
  name: 'get_account_credits',
  summary: 'What is in the wallet of the calling customer, and its latest top-ups, newest first.',
  scopes: ['analytics:read'],
  roles: ['customer'],
  risk: 'low',
  tag: 'Customer',
  mcp: { title: 'Account credits', hint: 'For customer accounts only.' },
  rest: { method: 'GET', path: '/api/v1/customer/credits' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    balance: v.string(),
    currency: v.string(),
    recent_top_ups: v.array(v.strictObject({ amount: v.string(), at: v.string() })),
  }),
  errors: [],
  handle: async (context) => {
    const { id, business } = accountOf(context)
    const wallet = fold(wallets, (await context.store.read(walletStream(id))) as readonly RecordedEvent<WalletEvent>[])
    const { cents, currency = business.currency, topUps } = wallet
    return { result: true, balance: decimalOf(cents), currency, recent_top_ups: topUps }
  },
})

/** Puts money into the wallet of a customer of the business. */
export const topUpWallet = operation({
  name: 'top_up_wallet',
  summary:
    'Put money that was received into the wallet of a customer of the business, in the currency of the business.',
  scopes: ['wallet:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag: 'Client',
  rest: { method: 'POST', path: '/api/v1/accounts/{account_id}/top-ups' },
  input: v.strictObject({ account_id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), amount }),
  output: v.strictObject({
    result: v.literal(true),
    account_id: v.number(),
    balance: v.string(),
    currency: v.string(),
  }),
  errors: ['account_not_found', 'not_an_amount', 'not_a_customer'],
  handle: async (context, { account_id, amount: given }) => {
    const { id: by, business } = accountOf(context)
    const customer = await context.directory.person(context, account_id)
    if (customer?.business.id !== business.id) throw new EngineError('account_not_found')
    if (customer.role !== 'customer') throw new EngineError('not_a_customer', { received: customer.role })
    const { currency } = business
    const told = { customer_id: account_id, amount: given, currency, at: isoOf(context.clock()), by }
    const stream = walletStream(account_id)
    return untilUncontended(async () => {
      const history = (await context.store.read(stream)) as readonly RecordedEvent<WalletEvent>[]
      const wallet = fold(wallets, history)
      const events = wallets.decide({ type: 'TopUpWallet', ...told }, wallet).map(dress(context))
      await context.store.append(stream, events, history.at(-1)?.revision ?? 'no-stream')
      return { result: true, account_id, balance: decimalOf(fold(wallets, events, wallet).cents), currency }
    })
  },
})

import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { amountText, printedAmount, refuseImprecise } from '../../kernel/money.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { customerEntries, customerIds, requireCustomer } from './customer.ts'
import { decideOnWallet, walletOf } from './load.ts'

const amount = v.pipe(amountText, v.description('Decimal text, above zero, with at most the decimals of the currency.'))

/** Returns the wallet of the calling customer. */
export const getAccountCredits = operation({
  name: 'get_account_credits',
  summary: 'Balance and latest top-ups of the calling customer, newest first.',
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
    recent_top_ups: v.array(
      v.strictObject({
        amount: v.string(),
        at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
      }),
    ),
  }),
  errors: [],
  handle: async (context) => {
    const { id, business } = accountOf(context)
    const { balance, currency = business.currency, topUps } = await walletOf(context, id)
    return {
      result: true,
      balance: printedAmount(balance, currency),
      currency,
      recent_top_ups: topUps.map(({ amount, at }) => ({ amount, at: zonedIso(Date.parse(at), business.timeZone) })),
    }
  },
})

/** Adds money to a customer's wallet. */
export const topUpWallet = operation({
  name: 'top_up_wallet',
  summary: "Add received money to the wallet of a customer of the business, in the business's currency.",
  scopes: ['wallet:write'],
  roles: ['client_admin'],
  risk: 'medium',
  tag: 'Money',
  rest: { method: 'POST', path: '/api/v1/accounts/{account_id}/top-ups' },
  ids: customerIds,
  input: v.strictObject({ ...customerEntries, amount }),
  output: v.strictObject({
    result: v.literal(true),
    account_id: v.number(),
    balance: v.string(),
    currency: v.string(),
  }),
  errors: ['account_not_found', 'not_a_positive_amount', 'not_an_amount', 'too_precise', 'not_a_customer'],
  handle: async (context, { account_id, amount: received }) => {
    const { id: by, business } = accountOf(context)
    await requireCustomer(context, account_id)
    const { currency } = business
    refuseImprecise(received, currency)
    const movement = {
      customer_id: account_id,
      amount: printedAmount(received, currency),
      currency,
      at: isoOf(context.clock()),
      by,
    }
    return retryOnConflict(async () => {
      const { wallet, append } = await decideOnWallet(context, { type: 'TopUpWallet', ...movement })
      await context.store.appendMany([append])
      return { result: true, account_id, balance: wallet.balance, currency }
    })
  },
})

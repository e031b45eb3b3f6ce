import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { amountText, printedAmount, refuseImprecise, signedAmountText } from '../../kernel/money.ts'
import { operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { customerEntries, customerIds, requireCustomer } from './customer.ts'
import { decideOnWallet } from './load.ts'
import { standing, standingOf } from './movements.ts'
import { adjustmentKinds, type WalletCommand } from './wallet.ts'

const byAdmin = { scopes: ['wallet:write'], roles: ['client_admin'], risk: 'medium', tag: 'Money' } as const
const output = v.strictObject({ result: v.literal(true), account_id: v.number(), ...standing })

/** Corrects a customer's wallet. */
export const adjustWallet = operation({
  name: 'adjust_wallet',
  summary:
    'Move money in the wallet of a customer with a reason: a correction, a credit note that adds, or a fee that takes.',
  ...byAdmin,
  rest: { method: 'POST', path: '/api/v1/wallets/{account_id}/adjustments' },
  ids: customerIds,
  input: v.strictObject({
    ...customerEntries,
    kind: v.pipe(v.picklist(adjustmentKinds), v.description('Only an adjustment may be below zero.')),
    amount: signedAmountText,
    reason: v.pipe(
      word(200),
      v.description('Why, as the customer reads it. It stays in the books for good, so it should name nobody.'),
    ),
  }),
  output,
  errors: [
    ...(['account_not_found', 'not_a_customer', 'not_an_amount', 'not_a_positive_amount', 'too_precise'] as const),
    ...(['insufficient_credits', 'currency_differs', 'contention'] as const),
  ],
  handle: async (context, { account_id, amount, ...given }) => {
    const { currency } = accountOf(context).business
    refuseImprecise(amount, currency)
    return corrected(context, {
      type: 'AdjustWallet',
      ...stampOf(context, account_id),
      ...given,
      amount: printedAmount(amount, currency),
    })
  },
})

/** Gives a customer credit. */
export const setCreditLimit = operation({
  name: 'set_credit_limit',
  summary:
    'Set how far below zero a customer may pay from the wallet; 0 for not at all. What is owed beyond a lower limit stays owed.',
  ...byAdmin,
  rest: { method: 'PUT', path: '/api/v1/wallets/{account_id}/credit-limit' },
  ids: customerIds,
  input: v.strictObject({ ...customerEntries, credit_limit: amountText }),
  output,
  errors: [
    ...(['account_not_found', 'not_a_customer', 'not_an_amount', 'too_precise'] as const),
    ...(['currency_differs', 'contention'] as const),
  ],
  handle: async (context, { account_id, credit_limit }) => {
    const { currency } = accountOf(context).business
    refuseImprecise(credit_limit, currency, 'credit_limit')
    const limit = printedAmount(credit_limit, currency)
    return corrected(context, { type: 'SetCredit', ...stampOf(context, account_id), limit })
  },
})

function stampOf(context: Context, customer_id: number) {
  const { id: by, business } = accountOf(context)
  return { customer_id, currency: business.currency, at: isoOf(context.clock()), by }
}

async function corrected(context: Context, command: WalletCommand) {
  await requireCustomer(context, command.customer_id)
  return retryOnConflict(async () => {
    const { wallet, append } = await decideOnWallet(context, command)
    if (append.events.length > 0) await context.store.appendMany([append])
    return { result: true, account_id: command.customer_id, ...standingOf(context, wallet) }
  })
}

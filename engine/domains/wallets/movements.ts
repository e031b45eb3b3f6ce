import * as v from 'valibot'
import { type Family, families, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { balanceText, printedAmount } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { hiddenFrom, priceOf } from '../../kernel/prices.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { customerEntries, customerIds, requireCustomer } from './customer.ts'
import { historyOf } from './load.ts'
import { adjustmentKinds, changeOf, isMovement, type MovementEvent, type Wallet, wallets } from './wallet.ts'

const told = {
  number: v.pipe(v.number(), v.description('Its number in this wallet, from 1 on.')),
  at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
  by: v.exactOptional(
    v.pipe(
      v.nullable(v.number()),
      v.description('Who did it: a user id, or null for the platform. Only staff read it.'),
    ),
  ),
}

const amount = v.pipe(balanceText, v.description('Below zero for what was taken.'))

/** It tells what the movements between cost, too. */
const balance = v.exactOptional(
  v.pipe(balanceText, v.description('After this movement; left out where the prices of any family are hidden.')),
)

/** What was paid for an order of a family is a price of it. */
const ofOrder = v.variant(
  'family',
  families.map((family) =>
    v.strictObject({
      kind: v.picklist(['payment', 'refund']),
      ...told,
      family: v.literal(family),
      amount: priceOf(family, amount),
      balance,
      order_id: v.pipe(v.number(), v.description('The order that was paid.')),
    }),
  ),
)

const ofWallet = v.strictObject({
  kind: v.picklist(['top_up', ...adjustmentKinds]),
  ...told,
  amount,
  balance,
  reason: v.exactOptional(v.pipe(v.string(), v.description('Why, as the business told it.'))),
})

const movement = named('WalletMovement', v.variant('kind', [ofOrder, ofWallet]))

/** How a wallet is: what it has, and how far below zero it may go. */
export const standing = {
  balance: v.pipe(balanceText, v.description('Below zero for what the customer owes.')),
  credit_limit: v.pipe(v.string(), v.description('How far below zero the balance may go: decimal text.')),
  currency: v.pipe(v.string(), v.description('ISO 4217.')),
}

const output = v.strictObject({
  result: v.literal(true),
  ...standing,
  movements: v.array(movement),
  ...pageAnswerEntries,
})

/** The movements of a customer's wallet. */
export const getWalletMovements = operation({
  name: 'get_wallet_movements',
  summary: 'What came into the wallet of a customer and went out of it, with the balance after each, newest first.',
  scopes: ['accounts:read'],
  roles: staff,
  risk: 'low',
  tag: 'Money',
  rest: { method: 'GET', path: '/api/v1/wallets/{account_id}/movements' },
  ids: customerIds,
  input: v.strictObject({ ...customerEntries, ...pageEntries }),
  output,
  errors: ['account_not_found', 'not_a_customer'],
  handle: async (context, { account_id, ...asked }) => {
    await requireCustomer(context, account_id)
    return movementsOf(context, account_id, asked)
  },
})

/** The movements of the wallet of the calling customer. */
export const getCreditMovements = operation({
  name: 'get_credit_movements',
  summary:
    "What came into the calling customer's wallet and went out of it, with the balance after each, newest first.",
  scopes: ['wallet:read'],
  roles: ['customer'],
  risk: 'low',
  tag: 'Customer',
  rest: { method: 'GET', path: '/api/v1/customer/credits/movements' },
  input: v.strictObject(pageEntries),
  output,
  errors: [],
  handle: (context, asked) => movementsOf(context, accountOf(context).id, asked),
})

async function movementsOf(context: Context, customer: number, asked: Parameters<typeof pageOf>[0]) {
  const { range, paging } = pageOf(asked)
  let wallet = wallets.initial()
  const movements: v.InferOutput<typeof movement>[] = []
  for (const event of await historyOf(context, customer)) {
    wallet = wallets.evolve(wallet, event)
    if (isMovement(event)) movements.push(recordOf(context, event, movements.length + 1, wallet))
  }
  const page = movements.toReversed().slice(range.offset, range.offset + range.limit)
  return { result: true, ...standingOf(context, wallet), movements: page, total: movements.length, ...paging }
}

/** How a wallet is, as answers show it; an unused one is in the currency of the business. */
export function standingOf(context: Context, { balance, creditLimit, currency: known }: Wallet) {
  const currency = known ?? accountOf(context).business.currency
  return { balance: printedAmount(balance, currency), credit_limit: printedAmount(creditLimit, currency), currency }
}

function recordOf(
  context: Context,
  event: MovementEvent,
  number: number,
  { balance: after }: Wallet,
): v.InferOutput<typeof movement> {
  const { role, business } = accountOf(context)
  const { at, by, currency } = event.data
  const common = {
    ...{ number, at: zonedIso(Date.parse(at), business.timeZone), ...(staff.includes(role) && { by }) },
    amount: printedAmount(changeOf(event), currency),
    ...(hiddenFrom(context.caller).length === 0 && { balance: printedAmount(after, currency) }),
  }
  switch (event.type) {
    case 'WalletToppedUp':
      return { kind: 'top_up', ...common }
    case 'WalletCharged':
      return { kind: 'payment', ...common, family: familyOf(event.data), order_id: event.data.order_id }
    case 'WalletRefunded':
      return { kind: 'refund', ...common, family: familyOf(event.data), order_id: event.data.order_id }
    case 'WalletAdjusted':
      return { kind: event.data.kind, ...common, reason: event.data.reason }
  }
}

/** The family of the order of a movement; events of earlier versions are about local deliveries. */
function familyOf({ family = localDelivery }: { readonly family?: string }): Family {
  return family as Family
}

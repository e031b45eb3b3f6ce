import * as v from 'valibot'
import type { Module } from '../kernel/account.ts'
import type { Context } from '../kernel/context.ts'
import type { Code } from '../kernel/messages/index.ts'
import { amountText, printedAmount, sumText } from '../kernel/money.ts'
import { named, schemaName } from '../kernel/named.ts'
import { type Answer, type NamedId, type Operation, operation } from '../kernel/operation.ts'
import {
  type BegunPayment,
  type Bill,
  type Offline,
  offlineMethods,
  type Payable,
  type PayingPorts,
  remainingOn,
} from '../kernel/payable.ts'
import { priceOf } from '../kernel/prices.ts'
import { id as idSchema, word } from '../kernel/schemas.ts'
import { retryOnConflict } from '../store/execute.ts'
import type { MoveCall, Values } from './field.ts'
import { callersIn } from './reading.ts'

/** How the orders of a family are paid: what differs between families. */
export interface Paying {
  readonly payable: Payable
  /** The operations, as the table of the family has them. */
  readonly calls: readonly [pay: MoveCall, settleOffline: MoveCall]
  /** The member that names an order, its schema, and its path: `/api/v1/orders/{order_id}`. */
  readonly id: string
  readonly entries: v.ObjectEntries
  readonly path: `/${string}`
  /** What the customer, and what the staff, may name. */
  readonly names: readonly [customer: NamedId, staff: NamedId]
  readonly scopes: readonly [pay: readonly string[], settleOffline: readonly string[]]
  readonly tags: readonly [pay: string, settleOffline: string]
  readonly module?: Module
  readonly errors: readonly Code[]
  /** What is answered beside the amounts. */
  readonly answers: v.ObjectEntries
  answerOf(context: Context, id: number): Promise<Values>
  ports(context: Context): PayingPorts
}

const begunPayment = named(
  'BegunPayment',
  v.strictObject({
    payment_id: v.number(),
    status: v.picklist(['pending', 'succeeded', 'failed', 'expired']),
    url: v.exactOptional(v.pipe(v.string(), v.description('Where the payer is to go.'))),
  }),
)

/**
 * The operations that pay for the orders of a family: one for its customers, from the wallet or by a provider outside, and one for
 * the staff, who record what was paid elsewhere.
 */
export function payingOperations(paying: Paying): readonly [pay: Operation, settleOffline: Operation] {
  const { payable, calls, answers } = paying
  const money = priceOf(payable.family, sumText)
  const output = named(
    `${schemaName(calls[0].operation.replace('pay_', ''))}PaymentAnswer`,
    v.strictObject({
      result: v.literal(true),
      ...answers,
      paid_amount: money,
      remaining_amount: money,
      currency: priceOf(payable.family, v.string()),
      payment: v.exactOptional(begunPayment),
    }),
  )
  return [payOperation(paying, output), settleOperation(paying, output)]
}

function payOperation(paying: Paying, output: v.GenericSchema): Operation {
  const { payable, id, calls, names, ports } = paying
  return operation({
    ...commonOf(paying, 0),
    output,
    pays: payable.family,
    ids: { [id]: names[0], payment_account_id: 'rule' },
    input: v.strictObject({
      ...entriesOf(paying),
      payment_account_id: v.exactOptional(
        v.pipe(
          idSchema,
          v.description(
            'An account of list_payment_accounts to pay with; from the wallet where absent. The answer says where to go.',
          ),
        ),
      ),
    }),
    errors: [...errorsOf(paying, calls[0]), ...payErrors],
    handle: async (context, { [id]: given, amount: requested, payment_account_id: account }: Values) => {
      const order = Number(given)
      const amount = textOf(requested)
      if (account !== undefined) return begun(context, paying, order, { amount, accountId: Number(account) })
      const bill = await retryOnConflict(async () => {
        const settled = await payable.settle(context, order, { amount })
        const charged = await ports(context).charge(context, moveOf(payable, order, settled))
        await context.store.appendMany([...settled.appends, charged])
        return settled.bill
      })
      return { ...(await paying.answerOf(context, order)), ...amountsOf(bill) }
    },
    settle: async (context, answer) => {
      const { payment } = answer as { readonly payment?: BegunPayment }
      if (payment === undefined) return answer
      return { ...answer, payment: await ports(context).offerPayment(context, payment.payment_id) }
    },
  })
}

/** Begins a payment by a provider outside: the order is paid once the provider says that the money has come. */
async function begun(
  context: Context,
  { payable, answerOf, ports }: Paying,
  order: number,
  { amount, accountId }: { readonly amount: string | undefined; readonly accountId: number },
): Promise<Answer> {
  const payment = await retryOnConflict(async () => {
    const settled = await payable.settle(context, order, { amount })
    const asked = { ...moveOf(payable, order, settled), accountId }
    const { payment, appends } = await ports(context).beginPayment(context, asked)
    await context.store.appendMany(appends)
    return payment
  })
  const bill = (await payable.bill(context, order)) as Bill
  return { ...(await answerOf(context, order)), ...amountsOf(bill), payment }
}

const payErrors = [
  ...(['insufficient_credits', 'currency_differs'] as const),
  ...(['payment_account_not_found', 'payment_refused', 'payment_provider_silent'] as const),
]

function settleOperation(paying: Paying, output: v.GenericSchema): Operation {
  const { payable, id, calls, names } = paying
  return operation({
    ...commonOf(paying, 1),
    output,
    ids: { [id]: names[1] },
    input: v.strictObject({
      ...entriesOf(paying),
      method: v.pipe(v.picklist(offlineMethods), v.description('How it was paid.')),
      reference: v.exactOptional(
        v.pipe(word(100), v.description('Names the payment elsewhere, as the number of a receipt.')),
      ),
    }),
    errors: errorsOf(paying, calls[1]),
    handle: async (context, { [id]: given, amount, ...offline }: Values) => {
      const order = Number(given)
      const bill = await retryOnConflict(async () => {
        const settlement = { amount: textOf(amount), offline: offline as unknown as Offline }
        const { bill, appends } = await payable.settle(context, order, settlement)
        await context.store.appendMany(appends)
        return bill
      })
      return { ...(await paying.answerOf(context, order)), ...amountsOf(bill) }
    },
  })
}

function entriesOf({ entries, payable }: Paying) {
  return {
    ...entries,
    amount: v.exactOptional(
      v.pipe(
        priceOf(payable.family, amountText),
        v.description('Decimal text, as 12.50; all that is left to pay where absent.'),
      ),
    ),
  }
}

function commonOf({ calls, path, scopes, tags, module }: Paying, which: 0 | 1) {
  const { operation: name, summary, by, verb } = calls[which]
  return {
    ...({ name, summary, risk: 'high', scopes: scopes[which], tag: tags[which], ...callersIn(by) } as const),
    ...(module !== undefined && { module }),
    rest: { method: 'POST', path: `${path}/${verb}` },
  } as const
}

function errorsOf({ errors }: Paying, call: MoveCall): readonly Code[] {
  return [...errors, ...(call.errors ?? []), 'contention', 'nothing_to_pay', 'amount_exceeds', 'too_precise']
}

/** What goes from the wallet of the customer, who alone pays for an order from there. */
function moveOf(
  { family }: Payable,
  orderId: number,
  { amount, bill }: { readonly amount: string; readonly bill: Bill },
) {
  const { customerId = 0, currency = '' } = bill
  return { customerId, orderId, family, amount, currency }
}

function amountsOf(bill: Bill): Answer {
  const { paid, currency = '' } = bill
  const [paid_amount, remaining_amount] = [paid, remainingOn(bill)].map((one) => printedAmount(one, currency))
  return { result: true, paid_amount, remaining_amount, currency }
}

function textOf(amount: unknown): string | undefined {
  return amount === undefined ? undefined : String(amount)
}

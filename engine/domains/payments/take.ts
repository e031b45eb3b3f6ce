import { load } from '../../entity/access.ts'
import type { Context } from '../../kernel/context.ts'
import { compareAmounts, isNothing, printedAmount } from '../../kernel/money.ts'
import { remainingOn, type Settled } from '../../kernel/payable.ts'
import type { PaymentReport } from '../../kernel/payment-provider.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { moveOf, movePayment, type Payment, paymentKind } from './payment.ts'

/**
 * Records what a provider says became of a payment of an account; false if there is no such payment. What came goes to the wallet of
 * the customer, and from there to the order, as far as that takes it, in one transaction: nothing is lost, and nothing counts twice.
 */
export function takeReport(context: Context, accountId: number, report: PaymentReport): Promise<boolean> {
  return retryOnConflict(async () => {
    const id = Number(/^\d{1,15}(?=\.)/.exec(report.key)?.[0])
    const loaded = Number.isNaN(id) ? undefined : await load(context, paymentKind, id)
    if (loaded === undefined || !isOf(loaded.state, accountId, report)) return false
    const { state } = loaded
    if (report.outcome === 'failed') {
      await movePayment(context, id, 'fail')
      return true
    }
    if (state.status === 'succeeded') return true
    const { amount, currency, customer_id: customerId, order_id: orderId, family } = state
    const taken = await takenBy(context, state)
    const charged = taken && { orderId, family, amount: taken.amount }
    const deposit = { customerId, amount, currency, paymentId: id, charged }
    const paid_amount = taken?.amount ?? printedAmount('0', currency)
    await context.store.appendMany([
      moveOf(context, loaded, 'succeed', { paid_amount }),
      ...(taken?.appends ?? []),
      await context.ports.payments.deposit(context, deposit),
    ])
    return true
  })
}

/** Whether a report is about a payment of an account, and of what was to be paid. */
function isOf(state: Payment, accountId: number, report: PaymentReport): boolean {
  if (state.key !== report.key || state.payment_account_id !== accountId) return false
  if (report.outcome === 'failed') return true
  return report.currency === state.currency && compareAmounts(report.amount, state.amount) === 0
}

/** What the order takes of a payment: what is left to pay; nothing once it has ended. */
async function takenBy(
  context: Context,
  { family, order_id, amount, currency }: Payment,
): Promise<Settled | undefined> {
  const payable = context.ports.payments.payables.find((one) => one.family === family)
  const bill = await payable?.bill(context, order_id)
  const remaining = bill === undefined || bill.currency !== currency ? '0' : remainingOn(bill)
  if (isNothing(remaining)) return undefined
  return payable?.settle(context, order_id, { amount: compareAmounts(amount, remaining) > 0 ? remaining : amount })
}

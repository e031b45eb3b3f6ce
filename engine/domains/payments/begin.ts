import { loadEntity } from '../../entity/access.ts'
import { drafted } from '../../entity/operations.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { BegunPayment, PayingPorts } from '../../kernel/payable.ts'
import { isoOf } from '../../kernel/time.ts'
import { findAccount } from './account.ts'
import { paymentAccount } from './account-table.ts'
import { movePayment, type Payment, paymentKind } from './payment.ts'

/** How long a payment that was begun can be paid, in milliseconds: a day. */
const lifetime = 24 * 3_600_000

/** What families of orders get from here. */
export const outsidePayments: Pick<PayingPorts, 'beginPayment' | 'offerPayment'> = {
  beginPayment: async (context, asked) => {
    const { accountId: account, customerId, orderId: order_id, family, amount, currency } = asked
    const found = await findAccount(context, account)
    if (found === undefined || !paymentAccount.access.belongs(context, found.state))
      throw new EngineError('payment_account_not_found', { account })
    // The wallet takes what comes, also if the order does not any more: what it would refuse is refused now.
    await context.ports.payments.deposit(context, { customerId, amount, currency, paymentId: 0 })
    const values = {
      ...{
        business_id: found.state.business_id,
        customer_id: customerId,
        family,
        order_id,
        payment_account_id: account,
      },
      ...{ amount, currency, expires_at: isoOf(context.clock() + lifetime) },
    }
    const { id, appends } = await drafted(context, paymentKind, values, (id) => ({
      key: `${id}.${context.randomId()}`,
    }))
    return { payment: { payment_id: id, status: 'pending' }, appends }
  },
  offerPayment: async (context, id) => {
    const before = await loadEntity(context, paymentKind, id)
    if (before?.status === 'pending' && before.url === undefined) await ask(context, id, before)
    const { status = 'failed', url } = (await loadEntity(context, paymentKind, id)) ?? {}
    return { payment_id: id, status, ...(url !== undefined && { url }) } satisfies BegunPayment
  },
}

/** Asks the provider where the payer is to go. One that does not answer may be asked again, by a repeated call. */
async function ask(context: Context, id: number, pending: Payment): Promise<void> {
  const { key, amount, currency, family, order_id, expires_at, payment_account_id: account } = pending
  const found = await findAccount(context, account)
  if (found === undefined) throw new EngineError('payment_account_not_found', { account })
  const { provider, state } = found
  const answer = await context.paymentProviders.begin(provider, state.credentials, {
    ...{ key, amount, currency, description: `${family} ${order_id}`, expires_at },
    notify_url: `${context.baseUrl}${paymentAccount.api.path}/${account}/events`,
  })
  if (answer === undefined) throw new EngineError('payment_provider_silent')
  if ('url' in answer) return movePayment(context, id, 'offer', answer)
  await movePayment(context, id, 'fail')
  throw new EngineError('payment_refused', { reason: answer.refused })
}

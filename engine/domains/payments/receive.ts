import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { findAccount } from './account.ts'
import { paymentAccount } from './account-table.ts'
import { takeReport } from './take.ts'

const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded']

/** Takes what a payment provider sends by itself. */
export const receivePaymentEvents = operation({
  name: 'receive_payment_events',
  summary:
    'For payment providers: what became of a payment, in the form of the provider and with its signature. A repeated request changes nothing.',
  scopes: [],
  risk: 'low',
  writes: true,
  tag: 'Customer',
  rest: {
    method: 'POST',
    path: `${paymentAccount.api.path}/{payment_account_id}/events`,
    document: 'body',
    ...{ types, isBinary: true, bodyLimit: 256 * 1024, allHeaders: 'headers' },
  },
  ids: { payment_account_id: 'rule' },
  input: v.strictObject({
    payment_account_id: v.pipe(id, v.description('The account that the provider tells of.')),
    headers: v.record(v.string(), v.string()),
    body: v.pipe(v.string(), v.base64()),
  }),
  output: v.strictObject({ result: v.literal(true) }),
  errors: ['payment_events_refused', 'currency_differs', 'contention'],
  handle: async (context, { payment_account_id: account, headers, body }) => {
    const found = await findAccount(context, account)
    const notice = { headers, body: Uint8Array.from(atob(body), (char) => char.charCodeAt(0)) }
    const report = found && (await context.paymentProviders.receive(found.provider, found.state.credentials, notice))
    // Who asks must not learn which accounts and payments there are.
    if (report === undefined || !(await takeReport(context, account, report)))
      throw new EngineError('payment_events_refused')
    return { result: true }
  },
})

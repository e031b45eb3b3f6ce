import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { customerEntries } from './customer.ts'
import { walletOf } from './load.ts'
import { standing, standingOf } from './movements.ts'

const record = named(
  'Wallet',
  v.strictObject({
    account_id: v.number(),
    name: v.exactOptional(v.pipe(v.string(), v.description('Of the customer; missing once it was erased.'))),
    ...standing,
    updated_at: v.exactOptional(
      v.pipe(v.string(), v.description('When it last changed; missing for one that was never used.')),
    ),
  }),
)

/** Lists what all customers have to pay with. */
export const listWallets = operation({
  name: 'list_wallets',
  summary: 'The wallet of each customer of the business: its balance and its limit of credit, in order of account id.',
  scopes: ['accounts:read'],
  roles: staff,
  risk: 'low',
  tag: 'Money',
  rest: { method: 'GET', path: '/api/v1/wallets' },
  page: 'wallet',
  ids: { account_id: 'filter' },
  input: v.strictObject({
    account_id: v.exactOptional(v.pipe(customerEntries.account_id, v.description('Only the wallet of this customer.'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), wallets: v.array(record), ...pageAnswerEntries }),
  errors: [],
  handle: async (context, { account_id, ...asked }) => {
    const { range, paging } = pageOf(asked)
    const { timeZone } = accountOf(context).business
    const { customers, total } = await context.ports.wallets.customers(context, range, account_id)
    const wallets = await Promise.all(
      customers.map(async ({ id, name }) => {
        const wallet = await walletOf(context, id)
        const updated_at = wallet.updatedAt && zonedIso(Date.parse(wallet.updatedAt), timeZone)
        return { account_id: id, ...omitUndefined({ name, updated_at }), ...standingOf(context, wallet) }
      }),
    )
    return { result: true, wallets, total, ...paging }
  },
})

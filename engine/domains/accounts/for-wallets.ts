import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { peopleModel } from './people.ts'
import { accountsOf } from './read.ts'

/** A page of the customers of the caller's business, in order of id; only the one with an id, if it is given. */
export async function customersOf(
  context: Context,
  range: { readonly limit: number; readonly offset: number },
  account_id?: number,
) {
  const where = { business_id: accountOf(context).business.id, role: 'customer', ...omitUndefined({ account_id }) }
  const { rows, total } = await context.models.page(peopleModel, { where, ...range })
  const customers = (await accountsOf(context, rows)).map(({ account_id: id, name }) => ({ id, name }))
  return { customers, total }
}

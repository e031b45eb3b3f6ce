import * as v from 'valibot'
import { idFrom } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { id } from '../../kernel/schemas.ts'

/** The member that names the customer of a wallet. */
export const customerEntries = { account_id: v.pipe(id, v.description('User id of the customer.')) }

/** What that member names: an account of the caller's business. */
export const customerIds = {
  account_id: idFrom('account', 'account_not_found', async (context, id) => {
    const person = await context.directory.person(context, id)
    return person?.business.id === accountOf(context).business.id
  }),
}

/** Refuses an account that is no customer, with `not_a_customer`. */
export async function requireCustomer(context: Context, customer: number): Promise<void> {
  const person = await context.directory.person(context, customer)
  if (person?.role !== 'customer') throw new EngineError('not_a_customer', { customer })
}

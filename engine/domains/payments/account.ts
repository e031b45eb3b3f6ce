import { load } from '../../entity/access.ts'
import type { StateOf } from '../../entity/field.ts'
import { readModelOf } from '../../entity/list.ts'
import { deciderOf } from '../../entity/machine.ts'
import type { Machine } from '../../entity/operations.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { within } from '../../kernel/finding.ts'
import { parse } from '../../kernel/parse.ts'
import type { PaymentProvider } from '../../kernel/payment-provider.ts'
import { paymentAccount } from './account-table.ts'
import { paymentModel } from './payment.ts'

/** An account of a business at a payment provider that can be asked. */
export interface AskedAccount {
  readonly state: StateOf<typeof paymentAccount>
  readonly provider: PaymentProvider
}

const decider = deciderOf(paymentAccount)

/** The list of accounts at payment providers. */
export const paymentAccountModel = readModelOf(paymentAccount)

/** Accounts at payment providers: their providers are known, and their credentials have the right form. */
export const paymentAccountMachine: Machine<typeof paymentAccount> = {
  entity: paymentAccount,
  decider,
  prepare: {
    add: async (context, { provider: received, credentials }) => {
      const { installed } = context.paymentProviders
      const provider = installed.find(({ name }) => name === received)
      if (provider === undefined) {
        const params = { received: String(received), expected: installed.map(({ name }) => name).join(', ') }
        throw new EngineError('invalid_input', { count: 1 }, [
          { path: 'provider', code: 'unknown_payment_provider', params },
        ])
      }
      const { findings = [] } = parse(provider.credentials, credentials)
      const found = findings.map((finding) => within('credentials', finding))
      if (found.length > 0) throw new EngineError('invalid_input', { count: found.length }, found)
      return { business_id: accountOf(context).business.id }
    },
    remove: async (context, _, { payment_account_id }) => {
      // Without its credentials, nobody could find out whether a payment came.
      const where = { payment_account_id: Number(payment_account_id), status: 'pending' }
      if ((await context.models.rows(paymentModel, where, 1)).length > 0)
        throw new EngineError('payment_account_in_use')
      return undefined
    },
  },
}

/** An account at a payment provider of any business; undefined if it is removed, or if its provider is not installed. */
export async function findAccount(context: Context, id: number): Promise<AskedAccount | undefined> {
  const state = (await load(context, { entity: paymentAccount, decider }, id))?.state
  const provider = context.paymentProviders.installed.find(({ name }) => name === state?.provider)
  return state === undefined || state.status !== 'active' || provider === undefined ? undefined : { state, provider }
}

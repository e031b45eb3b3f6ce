import type { Context } from '../../../kernel/context.ts'
import type { AccountState } from '../account.ts'
import { type Letter, messageFor } from '../mails.ts'

function tell(
  context: Context,
  { email: to }: AccountState,
  kind: Letter['kind'],
  values: Letter['values'] = {},
): void {
  if (to !== undefined)
    context.messenger.post(async () =>
      messageFor(context, { kind, to, values: { link: `${context.baseUrl}/account`, ...values } }),
    )
}

/** Tells the owner of an account that it has another second factor. */
export function tellOfFactor(context: Context, account: AccountState, name: string): void {
  tell(context, account, 'factor_added', { name })
}

/** Tells the owner of an account that a second factor was removed, or all were. */
export function tellOfRemoval(context: Context, account: AccountState): void {
  tell(context, account, 'factor_removed')
}

/** Tells the owner of an account that somebody knows its password. */
export function tellOfWrongCodes(context: Context, account: AccountState): void {
  tell(context, account, 'wrong_codes', { link: `${context.baseUrl}/account/forgotten` })
}

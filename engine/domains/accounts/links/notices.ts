import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import type { AccountState } from '../account.ts'
import { messageFor } from '../mails.ts'

/** Tells the owner of an account that its password was changed. */
export function tellOfNewPassword(context: Context, { email: to }: AccountState): void {
  const values = { link: `${context.baseUrl}/account/forgotten` }
  if (to !== undefined)
    context.messenger.post(async () => messageFor(context, { kind: 'password_changed', to, values }))
}

/** Tells the person of an account who has registered that the business has enabled it. */
export function tellOfApproval(context: Context, { email: to }: AccountState): void {
  const values = { business: accountOf(context).business.name }
  if (to !== undefined) context.messenger.post(async () => messageFor(context, { kind: 'approved', to, values }))
}

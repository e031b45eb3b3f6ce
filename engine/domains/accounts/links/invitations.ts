import * as v from 'valibot'
import { inputEntries } from '../../../entity/input.ts'
import { pick } from '../../../entity/record.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { type AccountState, ownAccountId } from '../account.ts'
import { accountTable } from '../account-table.ts'
import { blindEmail, findCredential } from '../credential.ts'
import { addressOf, messageFor } from '../mails.ts'
import { openAccount } from '../open.ts'
import { accountStateOf } from '../read.ts'
import { accountId, role } from '../schema.ts'
import { ownStaffRoleId } from '../staff-roles.ts'
import { sealLink } from './link.ts'
import { requireMail } from './operations.ts'

const tag = 'Business'
const admin = ['client_admin'] as const
const scopes = ['accounts:write']

/**
 * Sends the person of an account the link for the first password, if somebody is to set it, or says that the address has an
 * account elsewhere.
 */
export async function invite(context: Context, id: number): Promise<void> {
  const account = await accountStateOf(context, id)
  if (account?.email !== undefined)
    context.messenger.post(async () => invitationFor(context, account, account.email ?? ''))
}

/** Only the owner of an address learns that it has an account in another business. */
async function invitationFor(context: Context, account: AccountState, to: string) {
  const { state: holder } = await findCredential(context, to)
  const isElsewhere = holder !== undefined && holder.accountId !== account.account_id
  if (!isElsewhere && account.is_invited !== true) return undefined
  const link = isElsewhere
    ? `${context.baseUrl}/account`
    : addressOf(context, 'password', sealLink(context, 'invitation', account, to))
  const { name: business } = accountOf(context).business
  const kind = isElsewhere ? 'invitation_elsewhere' : 'invitation'
  return messageFor(context, { kind, to, values: { link, business, name: account.name ?? '' } })
}

/** Opens an account for a person, who sets its first password. */
export const inviteAccount = operation({
  name: 'invite_account',
  summary:
    'Open an account in the business for a person, who is sent a link to set the first password. The link is valid for 7 days. The answer is the same if the address has an account in another business: only its owner learns that.',
  scopes,
  roles: admin,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/accounts/invitations' },
  ids: { staff_role_id: ownStaffRoleId },
  input: v.strictObject(pick(inputEntries(accountTable, 'open'), ['role', 'email', 'name', 'staff_role_id'] as const)),
  output: v.strictObject({ result: v.literal(true), account_id: v.number(), role }),
  errors: ['email_taken', 'mail_not_set_up', 'staff_role_not_found', 'staff_role_not_for'],
  audited: {
    event: () => 'account_open',
    concerned: (_, { role: kind }, answer) => ({
      ...{ role: kind, invited: true },
      ...(typeof answer?.account_id === 'number' ? { account: answer.account_id } : {}),
    }),
  },
  handle: async (context, input) => {
    requireMail(context)
    const { id, business } = accountOf(context)
    const { accountId: account_id } = await openAccount(
      context,
      { ...input, business: business.id, reserves: true },
      id,
    )
    await invite(context, account_id)
    return { result: true, account_id, role: input.role }
  },
})

/** Invites a person again who has not set a password yet. */
export const inviteAgain = operation({
  name: 'invite_again',
  summary: 'Send the link of an invitation again. Earlier links stay valid until their 7 days are over.',
  scopes,
  roles: admin,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/accounts/{account_id}/invitation' },
  ids: { account_id: ownAccountId },
  input: v.strictObject({ account_id: accountId }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number() }),
  errors: ['account_not_found', 'account_not_invited', 'mail_not_set_up'],
  handle: async (context, { account_id }) => {
    requireMail(context)
    const account = await accountStateOf(context, account_id)
    if (account?.is_invited !== true || !account.is_active)
      throw new EngineError('account_not_invited', { account: account_id })
    if (!context.messenger.admit(blindEmail(context.credentials, account.email ?? ''), context.source))
      throw new EngineError('too_many_requests', { limit: 'messages_to', seconds: 3_600 })
    await invite(context, account_id)
    return { result: true, account_id }
  },
})

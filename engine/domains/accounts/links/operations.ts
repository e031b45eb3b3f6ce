import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { email } from '../../../kernel/schemas.ts'
import type { AccountState } from '../account.ts'
import { changeEmail, changePassword } from '../change.ts'
import { blindEmail, findCredential } from '../credential.ts'
import { addressOf, messageFor } from '../mails.ts'
import { renewedHash } from '../new-password.ts'
import { requireOwnDomain } from '../other-ways.ts'
import { accountStateOf } from '../read.ts'
import { newPassword, passwordInput } from '../schema.ts'
import { requireOwnPassword } from '../sign-in.ts'
import { linkText, openLink, sealLink } from './link.ts'
import { tellOfNewPassword } from './notices.ts'

const tag = 'User'
const done = v.strictObject({ result: v.literal(true) })

/** Refuses what cannot be done without e-mail. */
export function requireMail({ messenger }: Pick<Context, 'messenger'>): void {
  if (!messenger.sendsMail) throw new EngineError('mail_not_set_up')
}

/** The active account of an email address, if there is one. */
async function activeAccountOf(context: Context, address: string): Promise<AccountState | undefined> {
  const { state } = await findCredential(context, address)
  const account = state && (await accountStateOf(context, state.accountId))
  return account?.is_active === true ? account : undefined
}

/** Sends a link to set a new password, if the address has an account. */
export const forgotPassword = operation({
  name: 'forgot_password',
  summary:
    'Send a link for a new password to an email address, if it has an account. The answer is the same, and as fast, if it has none.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/password-reset' },
  input: v.strictObject({ email }),
  output: done,
  errors: ['mail_not_set_up'],
  audited: { event: () => 'password_reset_request' },
  handle: async (context, { email: address }) => {
    const { messenger, credentials, source } = context
    requireMail(context)
    if (messenger.admit(blindEmail(credentials, address), source))
      messenger.post(async () => {
        const account = await activeAccountOf(context, address)
        if (account?.email === undefined) return undefined
        const link = addressOf(context, 'password', sealLink(context, 'password', account))
        return messageFor(context, { kind: 'password', to: account.email, values: { link } })
      })
    return { result: true }
  },
})

/** Sets the password that a link is for. */
export const setPasswordByLink = operation({
  name: 'set_password_by_link',
  summary:
    'Set the password of the account that a link from an e-mail is for: a new one, or the first after an invitation. Ends all sessions of the account.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/password-reset/confirm' },
  input: v.strictObject({ link: linkText, new_password: newPassword }),
  output: done,
  errors: ['link_not_valid', 'email_taken', 'too_busy'],
  audited: {
    event: () => 'password_change',
    concerned: async (context, { link }) => {
      const found = await openLink(context, link, 'password', 'invitation').catch(() => undefined)
      return found === undefined ? {} : { account: found.account.account_id }
    },
  },
  handle: async (context, { link: text, new_password }) => {
    const { account } = await openLink(context, text, 'password', 'invitation')
    const { account_id: id, generation } = account
    const hash = await renewedHash(context, id, 'new_password', new_password)
    await changePassword(context, id, hash, id, generation)
    if (account.is_invited !== true) tellOfNewPassword(context, account)
    return { result: true }
  },
})

/** Asks for another email address of the caller. */
export const requestEmailChange = operation({
  name: 'request_email_change',
  summary:
    'Change your email address: a link is sent to the present address, and once that is confirmed, one to the new address.',
  scopes: ['account:self'],
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/email' },
  input: v.strictObject({ new_email: email, password: passwordInput }),
  output: done,
  errors: [
    ...(['mail_not_set_up', 'email_unchanged', 'email_outside_sign_on'] as const),
    ...(['wrong_password', 'too_many_attempts', 'too_busy'] as const),
  ],
  audited: { event: () => 'email_change_request', concerned: (context) => ({ account: accountOf(context).id }) },
  handle: async (context, { new_email, password }) => {
    const { messenger, credentials, source } = context
    requireMail(context)
    const account = await requireOwnPassword(context, password)
    const { email: to } = account
    if (to === undefined || blindEmail(credentials, to) === blindEmail(credentials, new_email))
      throw new EngineError('email_unchanged')
    await requireOwnDomain(context, account, new_email)
    if (messenger.admit(blindEmail(credentials, to), source)) {
      const link = addressOf(context, 'email', sealLink(context, 'email_from', account, new_email))
      messenger.post(async () => messageFor(context, { kind: 'email_from', to, values: { email: new_email, link } }))
    }
    return { result: true }
  },
})

/** Confirms a change of an email address, from one of the two addresses. */
export const confirmEmailChange = operation({
  name: 'confirm_email_change',
  summary:
    'Confirm a change of an email address with the link from an e-mail. The link to the new address changes it and ends all sessions.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/user/email/confirm' },
  input: v.strictObject({ link: linkText }),
  output: v.strictObject({
    result: v.literal(true),
    state: v.pipe(
      v.picklist(['new_address_asked', 'changed']),
      v.description('`new_address_asked`: a link was sent to the new address.'),
    ),
  }),
  errors: ['link_not_valid', 'email_taken', 'email_outside_sign_on', 'mail_not_set_up'],
  audited: {
    event: () => 'email_change',
    concerned: async (context, { link }, answer) => {
      const found = await openLink(context, link, 'email_from', 'email_to').catch(() => undefined)
      const state = answer?.state === undefined ? {} : { state: String(answer.state) }
      return { ...(found && { account: found.account.account_id }), ...state }
    },
  },
  handle: async (context, { link: text }) => {
    const { link, account } = await openLink(context, text, 'email_from', 'email_to')
    const { email: to = '' } = link
    const { messenger, credentials, source } = context
    await requireOwnDomain(context, account, to)
    if (link.purpose === 'email_from') {
      requireMail(context)
      if (messenger.admit(blindEmail(credentials, to), source))
        messenger.post(() => askNewAddress(context, account, to))
      return { result: true, state: 'new_address_asked' }
    }
    await changeEmail(context, account, to, account.account_id)
    const { email: before } = account
    if (before !== undefined)
      messenger.post(async () => messageFor(context, { kind: 'email_changed', to: before, values: { email: to } }))
    return { result: true, state: 'changed' }
  },
})

/** What the new address is sent: nobody but its owner learns that it has an account already. */
async function askNewAddress(context: Context, account: AccountState, to: string) {
  const isTaken = (await findCredential(context, to)).state !== undefined
  if (isTaken)
    return messageFor(context, { kind: 'taken', to, values: { link: `${context.baseUrl}/account/forgotten` } })
  const link = addressOf(context, 'email', sealLink(context, 'email_to', account, to))
  return messageFor(context, { kind: 'email_to', to, values: { link } })
}

import * as v from 'valibot'
import type { Concerned } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import type { AccountState } from './account.ts'
import { finishSignIn } from './apps/second-step.ts'
import { addAuthenticator, offerAuthenticator } from './factors/add.ts'
import { factorStream, factorsOf } from './factors/factors.ts'
import { requirePasskeys } from './factors/passkeys.ts'
import { attemptsOn, prove } from './factors/prove.ts'
import {
  addedEntries,
  codeInput,
  factorName,
  type PasskeyAnswer,
  passkeyAnswer,
  passkeyOptions,
  signedIn,
} from './factors/schema.ts'
import { accountOfTicket, openTicket, requireNotEnded, sealTicket, type Ticket, ticketText } from './factors/ticket.ts'
import { requireOtherWays } from './other-ways.ts'
import { accountStateOf, load } from './read.ts'

const tag = 'User'
const path = '/api/v1/user/login'

/** Whom a ticket names in the security log, and whether the first step was a single sign-on. */
function ownerOfTicket(context: Context, ticket: string): Concerned {
  try {
    const { account, identity, app } = openTicket(context, ticket, 'second', 'set_up', 'passkey')
    const way = identity !== undefined && app === undefined ? { way: 'sign_on' } : {}
    return account === undefined ? {} : { account, ...way }
  } catch (error) {
    if (isEngineError(error)) return {}
    throw error
  }
}

/** The options with which a browser uses a passkey. */
export const beginPasskeySignIn = operation({
  name: 'begin_passkey_sign_in',
  summary:
    'The options for `navigator.credentials.get`: for the second step of a sign-in with its ticket, or without one to sign in with a passkey alone.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/passkey` },
  input: v.strictObject({ ticket: v.exactOptional(ticketText) }),
  output: v.strictObject({ result: v.literal(true), ticket: v.string(), options: passkeyOptions }),
  errors: ['ticket_not_valid', 'passkeys_unavailable'],
  handle: async (context, { ticket: given }) => {
    const passkeys = requirePasskeys(context)
    const { baseUrl } = context
    if (given === undefined) {
      const { ticket, text } = sealTicket(context, 'passkey', undefined)
      const options = await passkeys.request({ baseUrl, challenge: ticket.challenge, known: [] })
      return { result: true, ticket: text, options }
    }
    const ticket = openTicket(context, given, 'second')
    const { account_id } = await accountOfTicket(context, ticket)
    const { list } = (await load(context.store, factorsOf, factorStream(account_id))).state
    const known = list.flatMap(({ passkey }) => (passkey === undefined ? [] : [passkey]))
    const options = await passkeys.request({ baseUrl, challenge: ticket.challenge, known })
    return { result: true, ticket: given, options }
  },
})

/** Signs in with the second factor. */
export const loginSecondFactor = operation({
  name: 'login_second_factor',
  summary:
    'The second step of a sign-in that was refused with `second_factor_required`: its ticket, and a code or the answer of a passkey. With a ticket of `begin_passkey_sign_in`, a passkey alone signs in.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/second-factor` },
  ids: { 'passkey.id': 'external' },
  input: v.strictObject({
    ticket: ticketText,
    code: v.exactOptional(codeInput),
    passkey: v.exactOptional(passkeyAnswer),
  }),
  output: signedIn,
  errors: [
    ...(['ticket_not_valid', 'wrong_code', 'passkeys_unavailable', 'sign_on_required'] as const),
    ...(['too_many_attempts', 'too_busy'] as const),
  ],
  audited: {
    event: () => 'sign_in',
    concerned: (context, { ticket, passkey }) => ({
      ...ownerOfTicket(context, ticket),
      factor: passkey === undefined ? 'code' : 'passkey',
    }),
  },
  handle: async (context, { ticket: text, code, passkey }) => {
    const ticket = openTicket(context, text, 'second', 'passkey')
    const account = await ownerOf(context, ticket, passkey)
    const asked = { proof: { code, passkey }, challenge: ticket.challenge }
    const session = await prove(context, account, asked, async () => {
      if (ticket.purpose === 'passkey') await requireOtherWays(context, account)
      const { appends, answer } = await finishSignIn(context, account, ticket)
      return { appends, result: answer }
    })
    // The token of a session that was begun while its sign-in ended is given to nobody.
    await requireNotEnded(context, account, ticket)
    return session
  },
})

/** The account that signs in: that of the ticket, or the one that a passkey alone names. */
async function ownerOf(context: Context, ticket: Ticket, passkey: PasskeyAnswer | undefined): Promise<AccountState> {
  if (ticket.purpose === 'second') return accountOfTicket(context, ticket)
  const userHandle = passkey?.response.userHandle
  const id = typeof userHandle === 'string' ? accountIn(userHandle) : undefined
  const account = id === undefined ? undefined : await accountStateOf(context, id)
  if (account?.is_active === true && account.has_second_factor === true) return account
  // Counted like a wrong passkey of an account that has some, so that nobody learns which accounts those are.
  await context.credentials.attempts.attempt(attemptsOn(id ?? 0), context.source, async () => undefined)
  throw new EngineError('wrong_code')
}

/** The account in the user handle of a passkey, which is its id in base64url. */
function accountIn(userHandle: string): number | undefined {
  const text = /^[\w-]{1,40}$/.test(userHandle) ? textOfHandle(userHandle) : ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

function textOfHandle(handle: string): string {
  try {
    return atob(handle.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

/** A new secret for an authenticator app, for somebody who cannot sign in without one. */
export const beginSetup = operation({
  name: 'begin_second_factor_setup',
  summary: 'Begin to set up an authenticator app in a sign-in that was refused with `second_factor_setup_required`.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/setup` },
  input: v.strictObject({ ticket: ticketText }),
  output: v.strictObject({ result: v.literal(true), enrolment: v.string(), secret: v.string(), uri: v.string() }),
  errors: ['ticket_not_valid'],
  handle: async (context, { ticket }) => {
    const account = await accountOfTicket(context, openTicket(context, ticket, 'set_up'))
    return { result: true, ...(await offerAuthenticator(context, { account, by: account.account_id })) }
  },
})

/** Adds the authenticator app and signs in. */
export const confirmSetup = operation({
  name: 'confirm_second_factor_setup',
  summary: 'Add the authenticator app with a first code of it, and sign in. The recovery codes are shown only once.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/setup/confirm` },
  input: v.strictObject({ ticket: ticketText, enrolment: ticketText, code: codeInput, name: factorName }),
  output: v.strictObject(addedEntries),
  errors: ['ticket_not_valid', 'wrong_code', 'too_many_attempts', 'too_busy'],
  audited: {
    event: () => 'second_factor_added',
    concerned: (context, { ticket }) => ownerOfTicket(context, ticket),
  },
  handle: async (context, { ticket: text, ...given }) => {
    const ticket = openTicket(context, text, 'set_up')
    const account = await accountOfTicket(context, ticket)
    const restart = (next: AccountState) => finishSignIn(context, next, ticket)
    const added = await addAuthenticator(context, { account, by: account.account_id, restart }, given)
    await requireNotEnded(context, account, ticket)
    return added
  },
})

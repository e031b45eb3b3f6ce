import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { sha256 } from '../../../kernel/id.ts'
import { typedCode } from '../../../kernel/short-code.ts'
import { isoOf } from '../../../kernel/time.ts'
import type { AccountState } from '../account.ts'
import { businessOf, load } from '../read.ts'
import { type Changer, changeFactors } from './change.ts'
import { type FactorCommand, factorStream, factorsOf } from './factors.ts'
import { tellOfFactor } from './notices.ts'
import { keptFor, requirePasskeys } from './passkeys.ts'
import { attemptsOn } from './prove.ts'
import { newRecoveryCodes, recoveryHash } from './recovery.ts'
import type { PasskeyAnswer } from './schema.ts'
import { openTicket, sealTicket } from './ticket.ts'

type New = FactorCommand & { readonly type: 'AddAuthenticator' | 'AddPasskey' }

/** A new secret for an authenticator app, and the ticket with which a first code of it confirms it. */
export async function offerAuthenticator(context: Context, { account }: Changer) {
  const issuer = (await businessOf(context, account.business_id))?.name ?? ''
  const names = { issuer, account: account.email ?? String(account.account_id) }
  const { secret, uri } = await context.credentials.authenticators.create(names)
  return { enrolment: sealTicket(context, 'authenticator', account, { secret }).text, secret, uri }
}

/** Adds the authenticator app of a ticket, if the code is of it. */
export async function addAuthenticator(
  context: Context,
  changer: Changer,
  { enrolment, code, name }: { readonly enrolment: string; readonly code: string; readonly name: string },
) {
  const { credentials, clock, source } = context
  const { account_id } = changer.account
  const ticket = openTicket(context, enrolment, 'authenticator')
  const secret = requireOwn(changer, ticket).secret ?? ''
  const step = await credentials.attempts.attempt(attemptsOn(account_id), source, () =>
    credentials.authenticators.stepOf(secret, typedCode(code), clock()),
  )
  if (step === undefined) throw new EngineError('wrong_code')
  const base = { at: isoOf(clock()), by: changer.by, account_id, challenge: sha256(ticket.challenge) }
  return add(context, changer, { type: 'AddAuthenticator', ...base, step, personal: { name, secret } })
}

/** The options with which a browser makes a passkey, and the ticket to add it. */
export async function offerPasskey(context: Context, { account }: Changer) {
  const passkeys = requirePasskeys(context)
  const { account_id, email, name = '' } = account
  const { state } = await load(context.store, factorsOf, factorStream(account_id))
  const known = state.list.flatMap(({ passkey }) => (passkey === undefined ? [] : [passkey]))
  const { ticket, text } = sealTicket(context, 'new_passkey', account)
  const asked = {
    baseUrl: context.baseUrl,
    challenge: ticket.challenge,
    account: account_id,
    name: email ?? name,
    known,
  }
  return { enrolment: text, options: await passkeys.creation(asked) }
}

/** Adds the passkey that a browser has made for a ticket. */
export async function addPasskey(
  context: Context,
  changer: Changer,
  { enrolment, answer, name }: { readonly enrolment: string; readonly answer: PasskeyAnswer; readonly name: string },
) {
  const passkeys = requirePasskeys(context)
  const { challenge } = requireOwn(changer, openTicket(context, enrolment, 'new_passkey'))
  const passkey = await passkeys.created({ baseUrl: context.baseUrl, challenge, answer })
  if (passkey === undefined) throw new EngineError('passkey_not_valid')
  const { by, account } = changer
  const { account_id } = account
  const base = { at: isoOf(context.clock()), by, account_id, challenge: sha256(challenge) }
  return add(context, changer, { type: 'AddPasskey', ...base, name, passkey })
}

/** Refuses the ticket of another account, or of this one before it changed how it signs in. */
function requireOwn<Given extends { readonly account?: number; readonly generation?: number }>(
  { account }: Changer,
  ticket: Given,
): Given {
  if (ticket.account !== account.account_id || ticket.generation !== account.generation)
    throw new EngineError('ticket_not_valid')
  return ticket
}

/** Adds a factor; with the first one come recovery codes. */
async function add(context: Context, changer: Changer, command: New) {
  const { at, by, account_id } = command
  let codes: readonly string[] | undefined
  const commands = async (_: unknown, { has_second_factor }: AccountState) => {
    codes = has_second_factor === true ? undefined : newRecoveryCodes(context)
    const hashes = codes?.map((code) => recoveryHash(account_id, code))
    const made = hashes && ({ type: 'MakeRecoveryCodes', at, by, account_id, hashes } as const)
    return made === undefined ? [command] : [command, made]
  }
  const kept = async () =>
    command.type === 'AddPasskey' ? keptFor(context, account_id, command.passkey.credential) : []
  const { after, account, session } = await changeFactors(context, changer, commands, kept)
  const { id, name } = after.list.at(-1) ?? { id: after.made, name: '' }
  tellOfFactor(context, account, name)
  return { result: true, factor_id: id, ...(codes && { recovery_codes: codes }), ...(session && { session }) }
}

import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { unsealed } from '../../../kernel/sealed-text.ts'
import { isoOf } from '../../../kernel/time.ts'
import type { AccountState } from '../account.ts'
import { accountStateOf } from '../read.ts'
import { isEnded } from '../sign-on-end.ts'

const minute = 60_000

/** What a ticket is for, and for how many milliseconds it is good. */
const validity = {
  /** The second step of a sign-in. */
  second: 5 * minute,
  /** A second factor has to be set up to sign in. */
  set_up: 30 * minute,
  /** A passkey alone signs in. */
  passkey: 5 * minute,
  /** The secret of an authenticator app, until a first code confirms it. */
  authenticator: 15 * minute,
  /** The challenge for a new passkey. */
  new_passkey: 5 * minute,
} as const

/** What a ticket is for. */
type TicketPurpose = keyof typeof validity

const appOfTicket = v.strictObject({
  appCode: v.string(),
  clientCode: v.string(),
  device_id: v.string(),
  device_platform: v.picklist(['ios', 'android']),
  app_version: v.exactOptional(v.nullable(v.string())),
  /** The way of the first step: `email`, or an identity provider. */
  method: v.string(),
})

const identityOfTicket = v.strictObject({
  issuer: v.string(),
  subject: v.string(),
  email: v.exactOptional(v.string()),
  isEmailVerified: v.boolean(),
  session: v.exactOptional(v.string()),
})

const contents = v.strictObject({
  purpose: v.picklist(Object.keys(validity) as [TicketPurpose, ...TicketPurpose[]]),
  until: v.number(),
  /** Random: a passkey signs it. */
  challenge: v.string(),
  account: v.exactOptional(v.number()),
  generation: v.exactOptional(v.number()),
  app: v.exactOptional(appOfTicket),
  identity: v.exactOptional(identityOfTicket),
  secret: v.exactOptional(v.string()),
})

/** What a ticket says. */
export type Ticket = v.InferOutput<typeof contents>

/** What the first step of a sign-in leaves for the second. */
export type FirstStep = Pick<Ticket, 'app' | 'identity'>

/** The text of a ticket in a request. */
export const ticketText = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(6_000),
  v.description('The ticket of the step before, as it was given.'),
)

/** A ticket and its text. */
interface SealedTicket {
  readonly ticket: Ticket
  readonly text: string
}

/**
 * A ticket that leads from one step to the next: sealed by this server and kept nowhere. It names the generation of the
 * account, so that a new password or another change of how it signs in ends it.
 */
export function sealTicket(
  { credentials, clock }: Context,
  purpose: TicketPurpose,
  account: Pick<AccountState, 'account_id' | 'generation'> | undefined,
  more: Pick<Ticket, 'app' | 'identity' | 'secret'> = {},
): SealedTicket {
  const whose = account && { account: account.account_id, generation: account.generation }
  const ends = { purpose, until: clock() + validity[purpose] }
  const ticket: Ticket = { ...ends, challenge: credentials.token(), ...whose, ...omitUndefined(more) }
  return { ticket, text: credentials.seal(JSON.stringify(ticket)) }
}

/** Opens a ticket. Refuses one that is not for this, or has run out: `ticket_not_valid`. */
export function openTicket(context: Context, text: string, ...purposes: readonly TicketPurpose[]): Ticket {
  const ticket = unsealed(context, contents, text)
  if (ticket === undefined || !purposes.includes(ticket.purpose)) throw new EngineError('ticket_not_valid')
  return ticket
}

/** The account of a ticket, if it still signs in as it did then, and the sign-in has not ended at an identity provider. */
export async function accountOfTicket(context: Context, ticket: Ticket): Promise<AccountState> {
  const { account, generation } = ticket
  const state = account === undefined ? undefined : await accountStateOf(context, account)
  if (state?.is_active !== true || state.generation !== generation) throw new EngineError('ticket_not_valid')
  await requireNotEnded(context, state, ticket)
  return state
}

/** When the sign-in began that a ticket is of. */
export function begunAt({ purpose, until }: Ticket): string {
  return isoOf(until - validity[purpose])
}

/** Refuses the ticket of a single sign-on that the identity provider has ended meanwhile: `ticket_not_valid`. */
export async function requireNotEnded(
  context: Context,
  { business_id }: Pick<AccountState, 'business_id'>,
  ticket: Ticket,
): Promise<void> {
  const { app, identity } = ticket
  if (identity === undefined || app !== undefined) return
  if (await isEnded(context, business_id, identity, begunAt(ticket))) throw new EngineError('ticket_not_valid')
}

import type { Role } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type AccountCommand, accountStream, accounts } from './account.ts'
import { businesses, businessStream } from './business.ts'
import { credentialStream, credentialsOf, type FoundCredential, findCredential } from './credential.ts'
import type { AccountEvent } from './events.ts'
import { newPasswordHash } from './new-password.ts'
import { accountStateOf, businessOf } from './read.ts'

/** A business that is opened with its first account. */
interface NewBusiness {
  readonly name: string
  readonly time_zone: string
  readonly currency: string
}

/** An account to open. */
interface NewAccount {
  readonly business: number | NewBusiness
  readonly role: Role
  readonly email: string
  readonly name: string
  /** Missing for an invitation: its person sets the first one. */
  readonly password?: string
  /** Confirmed by a code. */
  readonly phone?: string | undefined
  /** Whether it is disabled until the business enables it. */
  readonly awaitsApproval?: boolean
  readonly staff_role_id?: number
  /** Whether its person, who has no password yet, is to set one; not if there is another way to sign in. */
  readonly isInvited?: boolean
  /**
   * Whether an email that has an account in another business is only reserved, so that the person who opens this
   * account cannot tell.
   */
  readonly reserves?: boolean
}

/** The ids of an opened account. */
interface OpenedAccount {
  readonly accountId: number
  readonly businessId: number
}

/**
 * Opens an account, its credential and, if it is new, its business in one transaction; refuses an email in use with
 * `email_taken`.
 */
export async function openAccount(context: Context, account: NewAccount, by: number | null): Promise<OpenedAccount> {
  const { store, clock } = context
  const { role, name, email, password, phone, awaitsApproval = false, staff_role_id, isInvited = true } = account
  if ((await placeFor(context, account, by)).state !== undefined) throw new EngineError('email_taken')
  const business =
    typeof account.business === 'number' ? (await businessOf(context, account.business))?.name : account.business.name
  const owner = { name, email, business }
  const password_hash = password === undefined ? undefined : await newPasswordHash(context, 'password', password, owner)
  const at = isoOf(clock())
  return retryOnConflict(async () => {
    const home = await businessFor(context, account.business, { at, by })
    const { first: account_id, append } = await nextNumbers(context, 'account')
    const credential = await placeFor(context, account, by)
    const issued = credentialsOf.decide({ type: 'IssueCredential', at, account_id, password_hash }, credential.state)
    const fields = {
      at,
      by,
      account_id,
      business_id: home.id,
      role,
      credential: credential.id,
      ...(password === undefined && isInvited && { is_invited: true as const }),
      ...(awaitsApproval && { awaits_approval: true as const }),
      ...omitUndefined({ staff_role_id }),
      personal: { name, email, ...(phone !== undefined && { phone }) },
    }
    const opened = openedAs({ type: 'OpenAccount', ...fields }, awaitsApproval)
    await store.appendMany([
      ...home.appends,
      append,
      { stream: accountStream(account_id), events: opened.map(toNewEvent(context)), expected: 'no-stream' },
      {
        stream: credentialStream(credential.id),
        events: issued.map(toNewEvent(context)),
        expected: credential.expected,
      },
    ])
    return { accountId: account_id, businessId: home.id }
  })
}

/** Where the credential of a new account goes; it has a state if the email is taken. */
async function placeFor(
  context: Context,
  { business, email, reserves = false }: NewAccount,
  by: number | null,
): Promise<FoundCredential> {
  const credential = await findCredential(context, email)
  if (typeof business !== 'number' || by === null) return credential
  const reservation = await findCredential(context, email, business)
  if (reservation.state !== undefined) return reservation
  if (!reserves) return credential
  // As much work for every email: where it has no account, that of the caller is read.
  const holder = await accountStateOf(context, credential.state?.accountId ?? by)
  return holder?.business_id === business ? credential : reservation
}

/** A service account to open. */
interface NewServiceAccount {
  readonly business: number
  readonly role: Role
  readonly name: string
  readonly staff_role_id?: number
}

/** Opens an account that no person signs in to. */
export async function openServiceAccount(
  context: Context,
  { business, role, name, staff_role_id }: NewServiceAccount,
  by: number | null,
): Promise<number> {
  const { store, clock } = context
  const at = isoOf(clock())
  return retryOnConflict(async () => {
    const { id: business_id } = await businessFor(context, business, { at, by })
    const { first: account_id, append } = await nextNumbers(context, 'account')
    const fields = { at, by, account_id, business_id, role, ...omitUndefined({ staff_role_id }), personal: { name } }
    const opened = accounts.decide({ type: 'OpenServiceAccount', ...fields }, undefined)
    const stream = accountStream(account_id)
    await store.appendMany([append, { stream, events: opened.map(toNewEvent(context)), expected: 'no-stream' }])
    return account_id
  })
}

/** The events of a new account, which is disabled at once if it has to be approved. */
function openedAs(command: AccountCommand, awaitsApproval: boolean): readonly AccountEvent[] {
  const opened = accounts.decide(command, undefined)
  if (!awaitsApproval) return opened
  const disable = { type: 'SetActive', at: command.at, by: null, is_active: false } as const
  return [...opened, ...accounts.decide(disable, fold(accounts, opened))]
}

/** The business of a new account, and its appends if it is new too. */
async function businessFor(
  context: Context,
  business: NewAccount['business'],
  stamp: { readonly at: string; readonly by: number | null },
): Promise<{ readonly id: number; readonly appends: readonly Append[] }> {
  if (typeof business === 'number') {
    if ((await businessOf(context, business)) === undefined) throw new EngineError('business_not_found')
    return { id: business, appends: [] }
  }
  const { first: id, append } = await nextNumbers(context, 'business')
  const opened = businesses.decide({ type: 'OpenBusiness', ...stamp, ...business, business_id: id }, undefined)
  return {
    id,
    appends: [append, { stream: businessStream(id), events: opened.map(toNewEvent(context)), expected: 'no-stream' }],
  }
}

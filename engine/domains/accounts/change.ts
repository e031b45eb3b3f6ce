import { commandStamp } from '../../entity/operations.ts'
import type { Brand } from '../../kernel/brand.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type AccountCommand, type AccountState, accountStream, accounts } from './account.ts'
import { type BrandCommand, type BusinessCommand, type BusinessState, businesses, businessStream } from './business.ts'
import { credentialStream, credentialsOf, type FoundCredential, findCredential, isReservation } from './credential.ts'
import type { CredentialEvent } from './events.ts'
import { load } from './read.ts'

/** Runs commands on one stream in one append, each after the one before, and returns the new state. */
async function change<State, Command, E extends Event>(
  context: Context,
  decider: Decider<State, Command, E>,
  stream: StreamName,
  commands: readonly Command[],
): Promise<State> {
  return retryOnConflict(async () => {
    const { state, expected } = await load(context.store, decider, stream)
    const { events, after } = decideEach(decider, commands, state)
    if (events.length > 0) await context.store.append(stream, events.map(toNewEvent(context)), expected)
    return after
  })
}

/** The events of commands, each decided after the one before, and the state after all of them. */
function decideEach<State, Command, E extends Event>(
  decider: Decider<State, Command, E>,
  commands: readonly Command[],
  state: State,
): { readonly events: readonly E[]; readonly after: State } {
  const events: E[] = []
  let after = state
  for (const command of commands) {
    const decided = decider.decide(command, after)
    events.push(...decided)
    after = fold(decider, decided, after)
  }
  return { events, after }
}

/** Changes an account and returns its new state. */
export async function changeAccount(context: Context, id: number, ...commands: readonly AccountCommand[]) {
  return requireAccount(await change(context, accounts, accountStream(id), commands))
}

/**
 * Changes an account in the name of an admin of its business. The one that takes the rights of another admin is checked as an admin in
 * the same transaction, so that a business keeps an admin.
 */
export async function changeByAdmin(context: Context, id: number, ...commands: readonly AccountCommand[]) {
  const { store } = context
  return retryOnConflict(async () => {
    const home = businessStream(accountOf(context).business.id)
    // Before the account of the caller: what takes its rights after this changes the stream of the business.
    const business = await load(store, businesses, home)
    const { state, expected } = await load(store, accounts, accountStream(id))
    const { events, after } = decideEach(accounts, commands, state)
    const changed = requireAccount(after)
    const account = { stream: accountStream(id), events: events.map(toNewEvent(context)), expected }
    if (isActingAdmin(state) && !isActingAdmin(changed)) {
      await requireStillAdmin(context)
      const removal = { type: 'RemoveAdmin', ...commandStamp(context), account_id: id } as const
      const removed = businesses.decide(removal, business.state).map(toNewEvent(context))
      await store.appendMany([account, { stream: home, events: removed, expected: business.expected }])
    } else if (events.length > 0) await store.appendMany([account])
    return changed
  })
}

function isActingAdmin(account: AccountState | undefined): boolean {
  return account?.role === 'client_admin' && account.is_active
}

async function requireStillAdmin(context: Context): Promise<void> {
  const { state } = await load(context.store, accounts, accountStream(accountOf(context).id))
  if (state?.is_active !== true) throw new EngineError('unauthenticated')
  if (!isActingAdmin(state)) throw new EngineError('wrong_account', { received: state.role, expected: 'client_admin' })
}

/** Changes a business and returns its new state. */
export async function changeBusiness(
  context: Context,
  id: number,
  ...commands: readonly BusinessCommand[]
): Promise<BusinessState> {
  const business = await change(context, businesses, businessStream(id), commands)
  if (business === undefined) throw new EngineError('business_not_found')
  return business
}

/** Changes the brand of a business; returns it as it was and as it is. */
export async function changeBrand(
  context: Context,
  id: number,
  command: BrandCommand,
): Promise<Readonly<Record<'before' | 'after', Brand | undefined>>> {
  return retryOnConflict(async () => {
    const stream = businessStream(id)
    const { state: before, expected } = await load(context.store, businesses, stream)
    const events = businesses.decide(command, before).map(toNewEvent(context))
    if (events.length > 0) await context.store.append(stream, events, expected)
    return { before: before?.brand, after: fold(businesses, events, before)?.brand }
  })
}

/**
 * Sets the password of an account, which ends all its sessions; by a link only in the generation that the link is of. An account
 * that has its email only reserved gets it with that, or is refused with `email_taken`.
 */
export async function changePassword(
  context: Context,
  account_id: number,
  password_hash: string,
  by: number | null,
  generation?: number,
): Promise<void> {
  const { store, clock } = context
  const at = isoOf(clock())
  await retryOnConflict(async () => {
    const { state, expected } = await load(store, accounts, accountStream(account_id))
    if (generation !== undefined && state?.generation !== generation) throw new EngineError('link_not_valid')
    const id = requireCredential(state)
    const own = { id, ...(await load(store, credentialsOf, credentialStream(id))) }
    const { email = '' } = requireAccount(state)
    const next = isReservation(id) ? await findCredential(context, email) : undefined
    const take = next && ({ type: 'ChangeEmail', at, by, credential: next.id, personal: { email } } as const)
    const commands: readonly AccountCommand[] = [...(take ? [take] : []), { type: 'ChangePassword', at, by }]
    const { events: changed } = decideEach(accounts, commands, state)
    const fields = { at, account_id, password_hash }
    await store.appendMany([
      { stream: accountStream(account_id), events: changed.map(toNewEvent(context)), expected },
      ...(next === undefined ? [renewed(context, own, fields)] : moved(context, own, next, fields)),
    ])
  })
}

/**
 * Gives an account another email address with the same password, if it is still in a generation; ends all its sessions. `by` is
 * null for the operator.
 */
export async function changeEmail(
  context: Context,
  { account_id, generation }: Pick<AccountState, 'account_id' | 'generation'>,
  email: string,
  by: number | null,
): Promise<void> {
  const { store, clock } = context
  const at = isoOf(clock())
  await retryOnConflict(async () => {
    const { state, expected } = await load(store, accounts, accountStream(account_id))
    if (state === undefined || state.generation !== generation) throw new EngineError('link_not_valid')
    const next = await findCredential(context, email)
    const id = requireCredential(state)
    const own = { id, ...(await load(store, credentialsOf, credentialStream(id))) }
    const fields = { at, account_id, password_hash: own.state?.passwordHash }
    const change = { type: 'ChangeEmail', at, by, credential: next.id, personal: { email } } as const
    const changed = accounts.decide(change, state)
    await store.appendMany([
      { stream: accountStream(account_id), events: changed.map(toNewEvent(context)), expected },
      ...moved(context, own, next, fields),
    ])
  })
}

interface CredentialFields {
  readonly at: string
  readonly account_id: number
  readonly password_hash: string | undefined
}

function renewed(context: Context, own: FoundCredential, fields: CredentialFields): Append {
  return appendTo(context, own, credentialsOf.decide({ type: 'RenewCredential', ...fields }, own.state))
}

/** Gives an account a new credential in place of its current one; refuses with `email_taken` one that another account has. */
function moved(
  context: Context,
  own: FoundCredential,
  next: FoundCredential,
  fields: CredentialFields,
): readonly Append[] {
  return [
    appendTo(context, next, credentialsOf.decide({ type: 'IssueCredential', ...fields }, next.state)),
    appendTo(context, own, credentialsOf.decide({ type: 'EraseCredential', ...fields }, own.state)),
  ]
}

function appendTo(context: Context, { id, expected }: FoundCredential, events: readonly CredentialEvent[]): Append {
  return { stream: credentialStream(id), events: events.map(toNewEvent(context)), expected }
}

function requireAccount(state: AccountState | undefined): AccountState {
  if (state === undefined) throw new EngineError('account_not_found')
  return state
}

function requireCredential(state: AccountState | undefined): string {
  const { credential } = requireAccount(state)
  if (credential === undefined) throw new EngineError('service_account')
  return credential
}

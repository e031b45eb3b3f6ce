import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Identity } from '../../kernel/credentials.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append, ExpectedRevision } from '../../kernel/event-store.ts'
import { email } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type AccountState, accountStream, accounts } from './account.ts'
import { findCredential } from './credential.ts'
import type { BindingEvent } from './events.ts'
import { bindingOf, bindingStream, isBoundTo, lastBinding } from './identity.ts'
import { accountStateOf, load } from './read.ts'
import { ownerOfDomain } from './sign-on/domain-model.ts'
import { domainIn } from './sign-on/domains.ts'

/** The account of an identity, and the events that bind them the first time. */
export async function accountBoundTo(
  context: Context,
  { issuer, subject, email: address, isEmailVerified }: Identity,
): Promise<{ readonly account: AccountState; readonly appends: readonly Append[] }> {
  const binding = bindingOf(context.credentials, { issuer, subject })
  const bound = await lastBinding(context, binding)
  const known = bound && (await accountStateOf(context, bound.data.account_id))
  if (known !== undefined && isBoundTo(known, issuer, binding)) return { account: requireActive(known), appends: [] }
  if (address === undefined || !isEmailVerified || !v.is(email, address)) throw new EngineError('registration_required')
  return bindByEmail(context, address, { issuer, binding }, bound?.revision ?? 'no-stream')
}

async function bindByEmail(
  context: Context,
  address: string,
  identity: { readonly issuer: string; readonly binding: string },
  expectedBinding: ExpectedRevision,
): Promise<{ readonly account: AccountState; readonly appends: readonly Append[] }> {
  const { store, clock } = context
  const credential = await findCredential(context, address)
  if (credential.state === undefined) throw new EngineError('registration_required')
  const stream = accountStream(credential.state.accountId)
  const { state, expected } = await load(store, accounts, stream)
  const account = requireActive(state)
  const at = isoOf(clock())
  const facts = accounts.decide({ type: 'BindIdentity', at, by: account.account_id, ...identity }, account)
  const bound: BindingEvent = { type: 'BindingMade', data: { at, account_id: account.account_id } }
  const appends: readonly Append[] = [
    { stream: bindingStream(identity.binding), events: [bound].map(toNewEvent(context)), expected: expectedBinding },
    { stream, events: facts.map(toNewEvent(context)), expected },
  ]
  return { account, appends }
}

/** Refuses a disabled account with the same error as a wrong identity. */
function requireActive(account: AccountState | undefined): AccountState {
  if (account?.is_active !== true) throw new EngineError('invalid_id_token')
  return account
}

/**
 * The account of this business that an identity is of, and the events that bind them the first time. Each time, the provider
 * must have verified an address, and it must be in a domain that the business has proved: it may speak for no other.
 */
export async function signedOnAccount(
  context: Context,
  businessId: number,
  identity: Identity,
): Promise<{ readonly account: AccountState; readonly appends: readonly Append[] }> {
  const { email: address = '', isEmailVerified } = identity
  if (!isEmailVerified || !v.is(email, address) || (await ownerOfDomain(context, domainIn(address))) !== businessId)
    throw new EngineError('sign_on_address_refused')
  const found = await accountBoundTo(context, identity)
  if (found.account.business_id !== businessId) throw new EngineError('sign_on_without_account')
  return found
}

import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Credentials, Identity } from '../../kernel/credentials.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { operation } from '../../kernel/operation.ts'
import { email } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type AccountState, accountStream, accounts } from './account.ts'
import { findCredential } from './credential.ts'
import type { BindingEvent } from './events.ts'
import { load } from './read.ts'
import { accountId, issuer } from './schema.ts'

/** The blinded issuer and subject of an identity. */
export function bindingOf({ blind }: Pick<Credentials, 'blind'>, { issuer: iss, subject }: BoundIdentity): string {
  return blind(`identity\0${iss}\0${subject}`)
}

type BoundIdentity = Pick<Identity, 'issuer' | 'subject'>

/** The stream that tells of which account an identity is. */
export function bindingStream(binding: string): StreamName {
  return `binding-${binding}`
}

/** The last event of the binding of an identity, if it ever had one. */
export async function lastBinding(
  { store }: Pick<Context, 'store'>,
  binding: string,
): Promise<RecordedEvent<BindingEvent> | undefined> {
  return ((await store.read(bindingStream(binding))) as readonly RecordedEvent<BindingEvent>[]).at(-1)
}

/** Whether an account is that of an identity still: it was not erased since, nor linked to another identity of the issuer. */
export function isBoundTo(account: AccountState, iss: string, binding: string): boolean {
  return !account.isErased && Object.hasOwn(account.bindings, iss) && account.bindings[iss] === binding
}

/** The id of the account that signs in with an email address, if there is one. */
export async function accountIdOfEmail(
  context: Pick<Context, 'store' | 'credentials'>,
  address: string,
): Promise<number | undefined> {
  return v.is(email, address) ? (await findCredential(context, address)).state?.accountId : undefined
}

/**
 * Links an account with an identity, for the operator: somebody who links another person's identity acts with that
 * person's programs.
 */
export const linkIdentity = operation({
  name: 'link_identity',
  summary:
    'Link an account with the subject of an issuer, in place of what either was linked with. Its tokens then act for the account.',
  scopes: ['platform:write'],
  risk: 'medium',
  ids: { account_id: 'rule' },
  input: v.strictObject({
    account_id: accountId,
    issuer,
    subject: v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.description('`sub` of its tokens.')),
  }),
  output: v.strictObject({ result: v.literal(true), account_id: v.number() }),
  errors: ['account_not_found', 'account_erased', 'service_account'],
  handle: async (context, { account_id, issuer: iss, subject }) => {
    const { store, credentials, clock } = context
    const binding = bindingOf(credentials, { issuer: iss, subject })
    await retryOnConflict(async () => {
      const stream = accountStream(account_id)
      const [{ state, expected }, last] = [await load(store, accounts, stream), await lastBinding(context, binding)]
      const at = isoOf(clock())
      const facts = accounts.decide({ type: 'LinkIdentity', at, by: null, issuer: iss, binding }, state)
      const bound: BindingEvent = { type: 'BindingMade', data: { at, account_id } }
      const ofIdentity = { stream: bindingStream(binding), expected: last?.revision ?? ('no-stream' as const) }
      const appends: readonly Append[] = [
        ...(last?.data.account_id === account_id ? [] : [{ ...ofIdentity, events: [bound].map(toNewEvent(context)) }]),
        ...(facts.length === 0 ? [] : [{ stream, expected, events: facts.map(toNewEvent(context)) }]),
      ]
      if (appends.length > 0) await store.appendMany(appends)
    })
    return { result: true, account_id }
  },
})

import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { operation } from '../../kernel/operation.ts'
import { email } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type AccountState, accountStream, accounts } from './account.ts'
import { credentialStream, credentialsOf, findCredential } from './credential.ts'
import { eraseFactors } from './factors/erase.ts'
import { eraseGrants } from './grants/erase.ts'
import { eraseApiKeys } from './keys/erase.ts'
import { load } from './read.ts'
import { accountId } from './schema.ts'
import { eraseSessions } from './sessions/erase.ts'

/** Erases a person for good. */
export const forgetAccount = operation({
  name: 'forget_account',
  summary:
    'Erase the personal data of an account for good: its name, address, password, second factors, API keys and grants, where it signed in, the locations of a driver, and the proposals that it made or that name it. Nobody can sign in to it any more; its id stays.',
  scopes: ['otep:erase'],
  risk: 'high',
  ids: { account_id: 'rule' },
  input: v.strictObject({
    account_id: v.exactOptional(accountId),
    email: v.exactOptional(v.pipe(email, v.description('In place of account_id.'))),
    dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only report what would be erased.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    account_id: v.number(),
    role: v.string(),
    business_id: v.number(),
    proposals: v.pipe(v.number(), v.description('Proposals that are erased with it.')),
    state: v.pipe(
      v.picklist(['not_forgotten', 'forgotten', 'already_forgotten']),
      v.description('not_forgotten only after a dry run.'),
    ),
  }),
  errors: ['account_not_found', 'contention', 'erasure_unfinished'],
  handle: async (context, { account_id, email: address, dry_run = false }) => {
    const id =
      account_id ?? (address === undefined ? undefined : (await findCredential(context, address)).state?.accountId)
    if (id === undefined) throw new EngineError('account_not_found')
    return retryOnConflict(async () => {
      const { state, expected } = await load(context.store, accounts, accountStream(id))
      if (state === undefined) throw new EngineError('account_not_found')
      const { role, business_id } = state
      const appends = [
        { stream: accountStream(id), events: eraseAccount(context, state), expected },
        ...(await eraseElsewhere(context, state)),
      ].filter(({ events }) => events.length > 0)
      if (!dry_run && appends.length > 0) await context.store.appendMany(appends)
      const proposals = appends.filter(({ stream }) => stream.startsWith('approval-')).length
      const done = state.isErased ? 'already_forgotten' : dry_run ? 'not_forgotten' : 'forgotten'
      return { result: true, account_id: id, role, business_id, proposals, state: done }
    })
  },
})

function eraseAccount(context: Context, state: AccountState) {
  const command = { type: 'EraseAccount', at: isoOf(context.clock()), by: null } as const
  return accounts.decide(command, state).map(toNewEvent(context))
}

async function eraseCredential(context: Context, { account_id, credential }: AccountState): Promise<readonly Append[]> {
  if (credential === undefined) return []
  const stream = credentialStream(credential)
  const { state, expected } = await load(context.store, credentialsOf, stream)
  const command = { type: 'EraseCredential', at: isoOf(context.clock()), account_id } as const
  return [{ stream, events: credentialsOf.decide(command, state).map(toNewEvent(context)), expected }]
}

/** The erasure of the password, and of what other domains know; a repetition finishes what a restored backup has left. */
async function eraseElsewhere(context: Context, state: AccountState): Promise<readonly Append[]> {
  const { account_id: id, business_id: businessId, name, email: address } = state
  return [
    ...(await eraseCredential(context, state)),
    await eraseFactors(context, id),
    ...(await eraseApiKeys(context, id)),
    ...(await eraseSessions(context, id)),
    ...(await eraseGrants(context, id)),
    ...(await context.ports.accounts.erasures(context, { id, businessId, name, email: address })),
  ]
}

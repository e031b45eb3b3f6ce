import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { sha256 } from '../../../kernel/id.ts'
import { named } from '../../../kernel/named.ts'
import type { Answer } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { nextNumbers } from '../../../store/sequence.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import type { AccountState } from '../account.ts'
import { accountStateOf, load } from '../read.ts'
import { requireTerms } from '../terms.ts'
import { countValidKeys } from '../valid-keys.ts'
import type { KeyTerms } from './events.ts'
import { type ApiKey, type ApiKeyCommand, apiKeyStream, apiKeys } from './key.ts'
import { apiKeyModel } from './model.ts'
import { overlapOf } from './record.ts'
import { newApiKey } from './secret.ts'
import { hour, most, usual } from './terms.ts'

/** The answer with a new key. */
export const madeKey = named(
  'MadeApiKey',
  v.strictObject({
    result: v.literal(true),
    key_id: v.number(),
    key: v.pipe(v.string(), v.description('The key. It is shown only once.')),
    expires_at: v.string(),
    previous_key_until: v.exactOptional(v.string()),
  }),
)

/** The input for a new key. */
interface NewKey extends KeyTerms {
  readonly name: string
  readonly expires_in_hours?: number
}

/** Makes a key of an account, by an account or the platform, with at most these scopes. */
export async function makeKey(
  context: Context,
  account_id: number,
  { name, expires_in_hours = usual.key, ...terms }: NewKey,
  { by, within }: { readonly by: number | null; readonly within: readonly string[] },
): Promise<Answer> {
  const account = await accountStateOf(context, account_id)
  if (account === undefined) throw new EngineError('account_not_found')
  if (account.isErased) throw new EngineError('account_erased')
  requireTerms(context, terms, within)
  await requireRoom(context, account)
  const { store, credentials, clock } = context
  const [at, expires_at] = [isoOf(clock()), isoOf(clock() + expires_in_hours * hour)]
  const { business_id, key_generation: generation } = account
  return retryOnConflict(async () => {
    const { first: key_id, append } = await nextNumbers(context, 'api_key')
    const key = newApiKey(credentials, key_id)
    const whose = { at, by, key_id, account_id, business_id, generation }
    const command = { type: 'MakeKey', ...whose, name, ...terms, hash: sha256(key), expires_at } as const
    const events = apiKeys.decide(command, undefined).map(toNewEvent(context))
    await store.appendMany([append, { stream: apiKeyStream(key_id), events, expected: 'no-stream' }])
    return { result: true, key_id, key, expires_at }
  })
}

/** Refuses an account that has as many valid keys as it may have. */
async function requireRoom(context: Context, account: AccountState): Promise<void> {
  if ((await countValidKeys(context, account)) >= most.keys)
    throw new EngineError('too_many_api_keys', { limit: most.keys })
}

/** Runs a command on an API key and returns its new state. */
export async function changeKey(context: Context, id: number, command: ApiKeyCommand): Promise<ApiKey> {
  return retryOnConflict(async () => {
    const { state, expected } = await load(context.store, apiKeys, apiKeyStream(id))
    const events = apiKeys.decide(command, state).map(toNewEvent(context))
    if (events.length > 0) await context.store.append(apiKeyStream(id), events, expected)
    const changed = fold(apiKeys, events, state)
    if (changed === undefined) throw new EngineError('api_key_not_found')
    return changed
  })
}

/** Revokes the open keys of an account in one transaction, by itself; answers how many there were. */
export async function revokeKeysOf(context: Context, account_id: number): Promise<number> {
  const { store, models, clock } = context
  return retryOnConflict(async () => {
    const rows = await models.rows(apiKeyModel, { account_id, state: 'open' })
    const appends = await Promise.all(
      rows.map(async ({ key_id }) => {
        const stream = apiKeyStream(Number(key_id))
        const { state, expected } = await load(store, apiKeys, stream)
        const command = { type: 'RevokeKey', at: isoOf(clock()), by: account_id } as const
        return { stream, events: apiKeys.decide(command, state).map(toNewEvent(context)), expected }
      }),
    )
    const changed = appends.filter(({ events }) => events.length > 0)
    if (changed.length > 0) await store.appendMany(changed)
    return changed.length
  })
}

/** How long both keys are accepted, and the new one. */
interface Renewal {
  readonly key_id: number
  readonly overlap_in_hours?: number
  readonly expires_in_hours?: number
}

/** Replaces a key, by an account or the platform. */
export async function renewKey(
  context: Context,
  { key_id, overlap_in_hours = usual.overlap, expires_in_hours }: Renewal,
  by: number | null,
): Promise<Answer> {
  const { state: known } = await load(context.store, apiKeys, apiKeyStream(key_id))
  if (known === undefined) throw new EngineError('api_key_not_found')
  const account = await accountStateOf(context, known.accountId)
  if (account === undefined) throw new EngineError('api_key_ended')
  const key = newApiKey(context.credentials, key_id)
  const now = context.clock()
  const rotated = await changeKey(context, key_id, {
    ...{ type: 'RotateKey', at: isoOf(now), by, generation: account.key_generation, hash: sha256(key) },
    overlap_until: isoOf(now + overlap_in_hours * hour),
    expires_at: expires_in_hours === undefined ? undefined : isoOf(now + expires_in_hours * hour),
  })
  return { result: true, key_id, key, expires_at: rotated.current.expiresAt, ...overlapOf(rotated, isoOf(now)) }
}

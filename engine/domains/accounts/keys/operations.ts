import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { sha256 } from '../../../kernel/id.ts'
import { type Answer, type NamedId, operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { isoOf } from '../../../kernel/time.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { nextNumbers } from '../../../store/sequence.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { accountStateOf, load } from '../read.ts'
import type { KeyTerms } from './events.ts'
import { type ApiKey, type ApiKeyCommand, apiKeyStream, apiKeys } from './key.ts'
import { apiKeyModel } from './model.ts'
import { keyRecord, keyRecordOf, overlapOf } from './record.ts'
import { newApiKey } from './secret.ts'
import { hour, lifetime, most, newKeyEntries, overlap, requireTerms, usual } from './terms.ts'

const tag = 'User'
/** No API key has it, so only somebody who has signed in makes and changes keys. */
const scopes = ['account:self']

const keyId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('Id of an API key.'))

/** An API key of the caller; an administrator also has those of its business. */
const ownKeyId: NamedId = {
  noun: 'api_key',
  require: (context, id) => ownKey(context, Number(id)),
}

async function ownKey(context: Context, id: number): Promise<ApiKey> {
  const { state } = await load(context.store, apiKeys, apiKeyStream(id))
  const { id: account, role, business } = accountOf(context)
  const isOwn = state?.accountId === account
  if (state === undefined || !(isOwn || (role === 'client_admin' && state.businessId === business.id)))
    throw new EngineError('api_key_not_found')
  return state
}

const madeKey = v.strictObject({
  result: v.literal(true),
  key_id: v.number(),
  key: v.pipe(v.string(), v.description('The key. It is shown only once.')),
  expires_at: v.string(),
  previous_key_until: v.exactOptional(v.string()),
})

function concernedKey(key_id: unknown): Readonly<Record<string, number>> {
  return typeof key_id === 'number' ? { key: key_id } : {}
}

/** Makes an API key of the calling account. */
export const createApiKey = operation({
  name: 'create_api_key',
  summary: 'Make an API key of your account, within what you may do. The key is shown only once.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/api-keys' },
  input: v.strictObject(newKeyEntries),
  output: madeKey,
  errors: ['too_many_api_keys', 'account_not_found'],
  audited: {
    event: () => 'key_made',
    concerned: (context, _, answer) => ({ account: accountOf(context).id, ...concernedKey(answer?.key_id) }),
  },
  handle: async (context, { name, expires_in_hours = usual.key, ...terms }) => {
    requireTerms(context, terms, context.caller.scopes)
    return makeKey(context, { name, terms, hours: expires_in_hours })
  },
})

interface NewKey {
  readonly name: string
  readonly terms: KeyTerms
  readonly hours: number
}

async function makeKey(context: Context, { name, terms, hours }: NewKey): Promise<Answer> {
  const { id: account_id, business } = accountOf(context)
  const { store, credentials, clock } = context
  const generation = (await requireRoom(context, account_id)).key_generation
  const [at, expires_at] = [isoOf(clock()), isoOf(clock() + hours * hour)]
  return retryOnConflict(async () => {
    const { first: key_id, append } = await nextNumbers(context, 'api_key')
    const key = newApiKey(credentials, key_id)
    const whose = { at, by: account_id, key_id, account_id, business_id: business.id, generation }
    const command = { type: 'MakeKey', ...whose, name, ...terms, hash: sha256(key), expires_at } as const
    const events = apiKeys.decide(command, undefined).map(toNewEvent(context))
    await store.appendMany([append, { stream: apiKeyStream(key_id), events, expected: 'no-stream' }])
    return { result: true, key_id, key, expires_at }
  })
}

/** The account, if it may have another key. */
async function requireRoom(context: Context, account_id: number) {
  const account = await accountStateOf(context, account_id)
  if (account === undefined) throw new EngineError('account_not_found')
  const where = { account_id, generation: account.key_generation, state: 'open' }
  const between = { expires_at: [isoOf(context.clock()), undefined] } as const
  const { total } = await context.models.page(apiKeyModel, { where, between, limit: 0 })
  if (total >= most.keys) throw new EngineError('too_many_api_keys', { limit: most.keys })
  return account
}

/** Lists the API keys of the caller, or of its business. */
export const listApiKeys = operation({
  name: 'list_api_keys',
  summary: 'Your API keys, newest first; for an administrator, those of all accounts of the business.',
  scopes,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/api-keys' },
  input: v.strictObject(pageEntries),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, keys: v.array(keyRecord) }),
  errors: [],
  handle: async (context, input) => {
    const { id, role, business } = accountOf(context)
    const { range, paging } = pageOf(input)
    const where = { business_id: business.id, ...(role === 'client_admin' ? {} : { account_id: id }) }
    const { rows, total } = await context.models.page(apiKeyModel, { where, ...range, newestFirst: true })
    const keys = await Promise.all(rows.map(({ key_id }) => keyRecordOf(context, Number(key_id))))
    return { result: true, total, ...paging, keys: keys.filter((key) => key !== undefined) }
  },
})

/** Runs a command on an API key and returns its new state. */
async function change(context: Context, id: number, command: ApiKeyCommand): Promise<ApiKey> {
  return retryOnConflict(async () => {
    const { state, expected } = await load(context.store, apiKeys, apiKeyStream(id))
    const events = apiKeys.decide(command, state).map(toNewEvent(context))
    if (events.length > 0) await context.store.append(apiKeyStream(id), events, expected)
    const changed = fold(apiKeys, events, state)
    if (changed === undefined) throw new EngineError('api_key_not_found')
    return changed
  })
}

/** Replaces an API key; the one before is accepted for a while. */
export const rotateApiKey = operation({
  name: 'rotate_api_key',
  summary:
    'Replace an API key of your account. The new one is shown only once; the one before is accepted for a while.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/api-keys/{key_id}/rotate' },
  ids: { key_id: ownKeyId },
  input: v.strictObject({ key_id: keyId, overlap_in_hours: overlap, expires_in_hours: lifetime('as the key before') }),
  output: madeKey,
  errors: ['api_key_not_found', 'api_key_ended', 'not_own_api_key'],
  audited: { event: () => 'key_rotated', concerned: (_, { key_id }) => concernedKey(key_id) },
  handle: async (context, { key_id, overlap_in_hours = usual.overlap, expires_in_hours }) => {
    const { id: by } = accountOf(context)
    if ((await ownKey(context, key_id)).accountId !== by) throw new EngineError('not_own_api_key')
    const account = await accountStateOf(context, by)
    if (account === undefined) throw new EngineError('api_key_ended')
    const key = newApiKey(context.credentials, key_id)
    const now = context.clock()
    const rotated = await change(context, key_id, {
      ...{ type: 'RotateKey', at: isoOf(now), by, generation: account.key_generation, hash: sha256(key) },
      overlap_until: isoOf(now + overlap_in_hours * hour),
      expires_at: expires_in_hours === undefined ? undefined : isoOf(now + expires_in_hours * hour),
    })
    return { result: true, key_id, key, expires_at: rotated.current.expiresAt, ...overlapOf(rotated, isoOf(now)) }
  },
})

/** Revokes an API key. */
export const revokeApiKey = operation({
  name: 'revoke_api_key',
  summary: 'Revoke an API key at once, with the one before it. An administrator revokes those of its business, too.',
  scopes,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: '/api/v1/api-keys/{key_id}' },
  ids: { key_id: ownKeyId },
  input: v.strictObject({ key_id: keyId }),
  output: v.strictObject({ result: v.literal(true), key_id: v.number() }),
  errors: ['api_key_not_found'],
  audited: { event: () => 'key_revoked', concerned: (_, { key_id }) => concernedKey(key_id) },
  handle: async (context, { key_id }) => {
    await change(context, key_id, { type: 'RevokeKey', at: isoOf(context.clock()), by: accountOf(context).id })
    return { result: true, key_id }
  },
})

import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { type NamedId, operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { isoOf } from '../../../kernel/time.ts'
import { accountStateOf, load } from '../read.ts'
import { accountId } from '../schema.ts'
import { type ApiKey, apiKeyStream, apiKeys } from './key.ts'
import { changeKey, madeKey, makeKey, renewKey, revokeKeysOf } from './make.ts'
import { apiKeyModel } from './model.ts'
import { keyRecord, keyRecordOf, keyRecordsOf } from './record.ts'
import { keyId, newKeyEntries, renewalEntries } from './terms.ts'

const tag = 'User'
/** No API key has it, so only somebody who has signed in makes and changes keys. */
const scopes = ['account:self']

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
  errors: ['too_many_api_keys'],
  audited: {
    event: () => 'key_made',
    concerned: (context, _, answer) => ({ account: accountOf(context).id, ...concernedKey(answer?.key_id) }),
  },
  handle: (context, input) => {
    const { id } = accountOf(context)
    return makeKey(context, id, input, { by: id, within: context.caller.scopes })
  },
})

/** Lists the API keys of the caller, or of its business. */
export const listApiKeys = operation({
  name: 'list_api_keys',
  summary: 'Your API keys, newest first; for an administrator, those of all accounts of the business.',
  scopes,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/api-keys' },
  ids: { account_id: 'filter' },
  input: v.strictObject({ account_id: v.exactOptional(accountId), ...pageEntries }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, keys: v.array(keyRecord) }),
  errors: [],
  handle: async (context, { account_id, ...input }) => {
    const { id, role, business } = accountOf(context)
    const { range, paging } = pageOf(input)
    const reach = role === 'client_admin' ? account_id : id
    if (account_id !== undefined && account_id !== reach) return { result: true, total: 0, ...paging, keys: [] }
    const where = { business_id: business.id, ...omitUndefined({ account_id: reach }) }
    const { rows, total } = await context.models.page(apiKeyModel, { where, ...range, newestFirst: true })
    return { result: true, total, ...paging, keys: await keyRecordsOf(context, rows) }
  },
})

/** Reads an API key. */
export const getApiKey = operation({
  name: 'get_api_key',
  summary: 'One of your API keys; for an administrator, one of any account of the business.',
  scopes,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/api-keys/{key_id}' },
  ids: { key_id: ownKeyId },
  input: v.strictObject({ key_id: keyId }),
  output: v.strictObject({ result: v.literal(true), key: keyRecord }),
  errors: ['api_key_not_found'],
  handle: async (context, { key_id }) => {
    const key = await keyRecordOf(context, key_id)
    if (key === undefined) throw new EngineError('api_key_not_found')
    return { result: true, key }
  },
})

/** Replaces an API key; the one before is accepted for a while. */
export const rotateApiKey = operation({
  name: 'rotate_api_key',
  summary:
    'Replace an API key of your account; an administrator replaces those of service accounts, too. The new one is shown only once; the one before is accepted for a while.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/api-keys/{key_id}/rotate' },
  ids: { key_id: ownKeyId },
  input: v.strictObject({ key_id: keyId, ...renewalEntries }),
  output: madeKey,
  errors: ['api_key_not_found', 'api_key_ended', 'not_own_api_key'],
  audited: { event: () => 'key_rotated', concerned: (_, { key_id }) => concernedKey(key_id) },
  handle: async (context, input) => {
    const { id: by } = accountOf(context)
    const { accountId } = await ownKey(context, input.key_id)
    const isOwn = accountId === by || (await accountStateOf(context, accountId))?.is_service === true
    if (!isOwn) throw new EngineError('not_own_api_key')
    return renewKey(context, input, by)
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
    await changeKey(context, key_id, { type: 'RevokeKey', at: isoOf(context.clock()), by: accountOf(context).id })
    return { result: true, key_id }
  },
})

/** Revokes all API keys of the caller. */
export const revokeOwnApiKeys = operation({
  name: 'revoke_own_api_keys',
  summary:
    'Revoke all API keys of your account at once, as after a second factor was set up: keys of before stay valid.',
  scopes,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: '/api/v1/api-keys' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    revoked: v.pipe(v.number(), v.description('How many keys were revoked.')),
  }),
  errors: [],
  audited: {
    event: () => 'key_revoked',
    concerned: (context, _, answer) => ({
      account: accountOf(context).id,
      ...(typeof answer?.revoked === 'number' ? { keys: answer.revoked } : {}),
    }),
  },
  handle: async (context) => ({ result: true, revoked: await revokeKeysOf(context, accountOf(context).id) }),
})

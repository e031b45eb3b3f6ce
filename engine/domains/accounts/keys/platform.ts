import * as v from 'valibot'
import { operation } from '../../../kernel/operation.ts'
import { scopesOfAccount } from '../../../kernel/rights.ts'
import { isoOf } from '../../../kernel/time.ts'
import { accountId } from '../schema.ts'
import { changeKey, madeKey, makeKey, renewKey } from './make.ts'
import { apiKeyModel } from './model.ts'
import { keyRecord, keyRecordsOf } from './record.ts'
import { keyId, newKeyEntries, renewalEntries } from './terms.ts'

/** The scope of callers with access to the store itself; no account has it. */
const scopes = ['platform:write']

/** Makes an API key of any account. */
export const issueApiKey = operation({
  name: 'issue_api_key',
  summary: 'Make an API key of an account, within what the account may do. The key is shown only once.',
  scopes,
  risk: 'medium',
  secret: true,
  ids: { account_id: 'rule' },
  input: v.strictObject({ account_id: accountId, ...newKeyEntries }),
  output: madeKey,
  errors: ['account_not_found', 'account_erased', 'too_many_api_keys'],
  handle: async (context, { account_id, ...input }) => {
    const person = await context.directory.person(context, account_id)
    const own = person === undefined ? [] : scopesOfAccount(person)
    return makeKey(context, account_id, input, { by: null, within: own })
  },
})

/** Lists the API keys of all accounts, or of one. */
export const listAllApiKeys = operation({
  name: 'list_all_api_keys',
  summary: 'The API keys of all accounts or of one, in order of id.',
  scopes,
  risk: 'low',
  ids: { account_id: 'filter' },
  input: v.strictObject({ account_id: v.exactOptional(accountId) }),
  output: v.strictObject({ result: v.literal(true), keys: v.array(keyRecord) }),
  errors: [],
  handle: async (context, where) => {
    const rows = await context.models.rows(apiKeyModel, where)
    return { result: true, keys: await keyRecordsOf(context, rows) }
  },
})

/** Replaces any API key; the one before is accepted for a while. */
export const renewApiKey = operation({
  name: 'renew_api_key',
  summary: 'Replace an API key. The new one is shown only once; the one before is accepted for a while.',
  scopes,
  risk: 'medium',
  secret: true,
  ids: { key_id: 'rule' },
  input: v.strictObject({ key_id: keyId, ...renewalEntries }),
  output: madeKey,
  errors: ['api_key_not_found', 'api_key_ended'],
  handle: (context, input) => renewKey(context, input, null),
})

/** Revokes any API key. */
export const endApiKey = operation({
  name: 'end_api_key',
  summary: 'Revoke an API key at once, with the one before it.',
  scopes,
  risk: 'medium',
  ids: { key_id: 'rule' },
  input: v.strictObject({ key_id: keyId }),
  output: v.strictObject({ result: v.literal(true), key_id: v.number() }),
  errors: ['api_key_not_found'],
  handle: async (context, { key_id }) => {
    await changeKey(context, key_id, { type: 'RevokeKey', at: isoOf(context.clock()), by: null })
    return { result: true, key_id }
  },
})

import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { type Answer, operation } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { accountStateOf, load } from '../read.ts'
import { needsFactor, ruleFor } from '../second-step.ts'
import { countValidKeys } from '../valid-keys.ts'
import { addAuthenticator, addPasskey, offerAuthenticator, offerPasskey } from './add.ts'
import { changeFactors, recentCaller } from './change.ts'
import { type Factor, factorStream, factorsOf } from './factors.ts'
import { tellOfRemoval } from './notices.ts'
import { passkeysOf } from './passkeys.ts'
import { newRecoveryCodes, recoveryHash } from './recovery.ts'
import { addedEntries, codeInput, factorName, factorRecord, passkeyAnswer, passkeyOptions, signedIn } from './schema.ts'
import { ticketText } from './ticket.ts'

const tag = 'User'
const scopes = ['account:self']
const path = '/api/v1/user/second-factors'

const concerned = (context: Context, _: unknown, answer?: Answer) => ({
  account: accountOf(context).id,
  ...(typeof answer?.factor_id === 'number' ? { factor: answer.factor_id } : {}),
})

function recordOf({ id, kind, name, addedAt, usedAt }: Factor) {
  return { factor_id: id, kind, name, added_at: addedAt, ...omitUndefined({ last_used_at: usedAt }) }
}

/** Lists the second factors of the caller. */
export const listFactors = operation({
  name: 'list_second_factors',
  summary:
    'What you prove beside your password when you sign in: your authenticator app, your passkeys, and how many recovery codes are left.',
  scopes,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    factors: v.array(factorRecord),
    recovery_codes_left: v.number(),
    is_required: v.pipe(v.boolean(), v.description('Whether your business asks for one.')),
    required_from: v.exactOptional(v.pipe(v.string(), v.description('When your business begins to ask for one.'))),
    valid_api_keys: v.pipe(
      v.number(),
      v.description('How many API keys of the account are valid. They stay so when a second factor is set up.'),
    ),
    passkeys_available: v.pipe(v.boolean(), v.description('Whether this server can check passkeys.')),
  }),
  errors: [],
  handle: async (context) => {
    const { id } = accountOf(context)
    const account = await accountStateOf(context, id)
    const { state } = await load(context.store, factorsOf, factorStream(id))
    const rule = account && (await ruleFor(context, account))
    const isRequired = account !== undefined && (await needsFactor(context, account))
    return {
      result: true,
      factors: state.list.map(recordOf),
      recovery_codes_left: state.list.length === 0 ? 0 : state.codes.size,
      is_required: isRequired,
      ...(isRequired ? {} : omitUndefined({ required_from: rule?.required_from })),
      valid_api_keys: account === undefined ? 0 : await countValidKeys(context, account),
      passkeys_available: passkeysOf(context) !== undefined,
    }
  },
})

/** A new secret for an authenticator app. */
export const beginAuthenticator = operation({
  name: 'begin_authenticator',
  summary:
    'Begin to set up an authenticator app: answers its secret, which counts once a first code has confirmed it within 15 minutes.',
  scopes,
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/authenticator` },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    enrolment: v.string(),
    secret: v.pipe(v.string(), v.description('In Base32, to be typed into the app.')),
    uri: v.pipe(v.string(), v.description('The `otpauth:` address, for a QR code.')),
  }),
  errors: ['sign_in_again', 'account_required'],
  handle: async (context) => ({ result: true, ...(await offerAuthenticator(context, await recentCaller(context))) }),
})

/** Adds an authenticator app. */
export const confirmAuthenticator = operation({
  name: 'confirm_authenticator',
  summary:
    'Add the authenticator app with a first code of it; it takes the place of an earlier one. With the first second factor all sessions end, the answer has recovery codes, and `session` goes on with this sign-in.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/authenticator/confirm` },
  input: v.strictObject({ enrolment: ticketText, code: codeInput, name: factorName }),
  output: v.strictObject(addedEntries),
  errors: ['sign_in_again', 'account_required', 'ticket_not_valid', 'wrong_code', 'too_many_attempts'],
  audited: { event: () => 'second_factor_added', concerned },
  handle: async (context, input) => addAuthenticator(context, await recentCaller(context), input),
})

/** The options with which a browser makes a passkey. */
export const beginPasskey = operation({
  name: 'begin_passkey',
  summary: 'Begin to add a passkey: answers the options for `navigator.credentials.create`.',
  scopes,
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/passkeys` },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), enrolment: v.string(), options: passkeyOptions }),
  errors: ['sign_in_again', 'account_required', 'passkeys_unavailable'],
  handle: async (context) => ({ result: true, ...(await offerPasskey(context, await recentCaller(context))) }),
})

/** Adds a passkey. */
export const confirmPasskey = operation({
  name: 'confirm_passkey',
  summary: 'Add the passkey that a browser has made. With the first second factor it is as with an authenticator app.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/passkeys/confirm` },
  ids: { 'passkey.id': 'external' },
  input: v.strictObject({ enrolment: ticketText, passkey: passkeyAnswer, name: factorName }),
  output: v.strictObject(addedEntries),
  errors: [
    ...(['sign_in_again', 'account_required', 'passkeys_unavailable', 'ticket_not_valid'] as const),
    ...(['passkey_not_valid', 'passkey_exists', 'too_many_passkeys'] as const),
  ],
  audited: { event: () => 'second_factor_added', concerned },
  handle: async (context, { enrolment, passkey: answer, name }) =>
    addPasskey(context, await recentCaller(context), { enrolment, answer, name }),
})

/** Removes a second factor of the caller. */
export const removeFactor = operation({
  name: 'remove_second_factor',
  summary:
    'Remove one of your second factors. Without the last one, all sessions end, and `session` goes on with this sign-in.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'DELETE', path: `${path}/{factor_id}` },
  ids: { factor_id: 'rule' },
  input: v.strictObject({ factor_id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) }),
  output: v.strictObject({ result: v.literal(true), factor_id: v.number(), session: v.exactOptional(signedIn) }),
  errors: ['sign_in_again', 'account_required', 'factor_not_found', 'second_factor_needed'],
  audited: {
    event: () => 'second_factor_removed',
    concerned: (context, { factor_id }) => ({ account: accountOf(context).id, factor: factor_id }),
  },
  handle: async (context, { factor_id }) => {
    const caller = await recentCaller(context)
    const base = { at: isoOf(context.clock()), by: caller.by, account_id: caller.account.account_id }
    const { account, session } = await changeFactors(context, caller, async ({ list }, state) => {
      const isLast = list.length === 1 && list[0]?.id === factor_id
      if (isLast && (await needsFactor(context, state))) throw new EngineError('second_factor_needed')
      return [{ type: 'RemoveFactor', ...base, factor_id }]
    })
    tellOfRemoval(context, account)
    return { result: true, factor_id, ...(session && { session }) }
  },
})

/** Makes new recovery codes. */
export const renewRecoveryCodes = operation({
  name: 'renew_recovery_codes',
  summary: 'Make ten new recovery codes, which replace those before. They are shown only once.',
  scopes,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/recovery-codes` },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), recovery_codes: v.array(v.string()) }),
  errors: ['sign_in_again', 'account_required', 'factor_not_found'],
  audited: { event: () => 'recovery_codes_made', concerned: (context) => ({ account: accountOf(context).id }) },
  handle: async (context) => {
    const caller = await recentCaller(context)
    const { account_id } = caller.account
    const codes = newRecoveryCodes(context)
    const hashes = codes.map((code) => recoveryHash(account_id, code))
    await changeFactors(context, caller, async ({ list }) => {
      if (list.length === 0) throw new EngineError('factor_not_found')
      return [{ type: 'MakeRecoveryCodes', at: isoOf(context.clock()), by: caller.by, account_id, hashes }]
    })
    return { result: true, recovery_codes: codes }
  },
})

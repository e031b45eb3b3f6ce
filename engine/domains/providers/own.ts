import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { makeKey, renewKey, runCommand } from './keys.ts'
import { registerOf } from './read.ts'
import { lifetime, madeProviderKey, name, overlap, providerRecord, recordOf } from './schema.ts'

const path = '/api/v1/providers'

/** The providers that report for the caller's business alone. No API key has the scope to make and change keys. */
const byAdmin = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag: 'Business' } as const

const concerned = (_: unknown, { name: provider }: { readonly name: string }) => ({ provider })

/** Lists the providers that report for the caller's business alone. */
export const listOwnProviders = operation({
  name: 'list_own_providers',
  summary:
    'The providers that report for the business alone, by name: whether and how long their keys are valid, and the day of their last use.',
  scopes: ['accounts:read'],
  roles: ['client_admin'],
  risk: 'low',
  tag: 'Business',
  rest: { method: 'GET', path },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), providers: v.array(providerRecord) }),
  errors: [],
  handle: async (context) => {
    const { business } = accountOf(context)
    const at = isoOf(context.clock())
    const own = [...(await registerOf(context)).values()].filter(({ businessId }) => businessId === business.id)
    return { result: true, providers: own.sort((a, b) => (a.name < b.name ? -1 : 1)).map((one) => recordOf(one, at)) }
  },
})

/** Adds a provider that reports for the caller's business alone. */
export const addOwnProvider = operation({
  ...byAdmin,
  name: 'add_own_provider',
  summary:
    'Let a provider, as a carrier, report for the business alone, and return its key, which is shown only once. A revoked provider gets a new key this way, too.',
  secret: true,
  rest: { method: 'POST', path },
  input: v.strictObject({ name, expires_in_hours: lifetime('it does not expire') }),
  output: madeProviderKey,
  errors: ['provider_exists', 'provider_name_taken', 'too_many_providers', 'too_many_provider_keys'],
  audited: { event: () => 'key_made', concerned },
  handle: (context, input) => {
    const { id: business } = accountOf(context).business
    return makeKey(context, { ...input, business_id: business }, { business })
  },
})

/** Gives a provider of the caller's business another key; the one before is accepted for a while. */
export const rotateOwnProviderKey = operation({
  ...byAdmin,
  name: 'rotate_key_of_own_provider',
  summary:
    'Give a provider of the business another key, which is shown only once. The one before is accepted for a while; one before that is not.',
  secret: true,
  rest: { method: 'POST', path: `${path}/{name}/rotate` },
  input: v.strictObject({ name, overlap_in_hours: overlap, expires_in_hours: lifetime('as long as the key before') }),
  output: madeProviderKey,
  errors: ['provider_not_found', 'too_many_provider_keys'],
  audited: { event: () => 'key_rotated', concerned },
  handle: (context, input) => renewKey(context, input, { business: accountOf(context).business.id }),
})

/** Revokes the keys of a provider of the caller's business. */
export const revokeOwnProvider = operation({
  ...byAdmin,
  name: 'revoke_own_provider',
  summary: 'Revoke the keys of a provider of the business at once. What it has reported stays.',
  rest: { method: 'DELETE', path: `${path}/{name}` },
  input: v.strictObject({ name }),
  output: v.strictObject({ result: v.literal(true), name: v.string() }),
  errors: ['provider_not_found'],
  audited: { event: () => 'key_revoked', concerned },
  handle: async (context, { name }) => {
    const { business } = accountOf(context)
    const command = { type: 'RevokeProvider', name, at: isoOf(context.clock()), business: business.id } as const
    await runCommand(context, command)
    return { result: true, name }
  },
})

/** Replaces the key of the call. */
export const rotateCallingKey = operation({
  name: 'rotate_calling_provider_key',
  summary:
    'Replace the key of this call, as its provider. The new key is shown only once and is valid as long as the one before was meant to be; the one before is accepted for a while, and cannot be used for this again.',
  scopes: ['otep:ingest'],
  by: ['provider'],
  risk: 'medium',
  secret: true,
  tag: 'OTEP',
  rest: { method: 'POST', path: '/api/v1/provider/key/rotate' },
  input: v.strictObject({ overlap_in_hours: overlap }),
  output: madeProviderKey,
  errors: ['provider_not_found', 'provider_key_replaced', 'too_many_provider_keys'],
  audited: { event: () => 'key_rotated', concerned: ({ caller }) => ({ provider: caller.name }) },
  handle: (context, input) => {
    const { name, keyHash: holder } = context.caller
    if (holder === undefined) throw new EngineError('unauthenticated')
    return renewKey(context, { name, ...input }, { holder })
  },
})

import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { makeKey, renewKey, runCommand } from './keys.ts'
import { registerOf } from './read.ts'
import { lifetime, madeProviderKey, name, overlap, providerRecord, recordOf } from './schema.ts'

const businessId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** The scope of operators: they reach every provider. */
const scopes = ['providers:write']

/** Adds a provider and returns its key. */
export const addProvider = operation({
  name: 'add_provider',
  summary: 'Add a provider for one business or for all, and return its key for ingest. The key is shown only once.',
  scopes,
  risk: 'medium',
  secret: true,
  ids: { business_id: 'rule' },
  input: v.strictObject({
    name,
    business_id: v.exactOptional(v.pipe(businessId, v.description('The only business that it reports for.'))),
    all_businesses: v.exactOptional(
      v.pipe(v.literal(true), v.description('It reports for every business, in place of business_id.')),
    ),
    expires_in_hours: lifetime('it does not expire'),
  }),
  output: madeProviderKey,
  errors: ['provider_reach_required', 'provider_exists', 'business_not_found'],
  handle: async (context, { all_businesses, ...input }) => {
    const { business_id } = input
    if ((business_id === undefined) === (all_businesses === undefined)) throw new EngineError('provider_reach_required')
    if (business_id !== undefined && (await context.directory.business(context, business_id)) === undefined)
      throw new EngineError('business_not_found')
    return makeKey(context, input)
  },
})

/** Gives a provider another key; the one before is accepted for a while. */
export const rotateProviderKey = operation({
  name: 'rotate_provider_key',
  summary:
    'Give a provider another key, which is shown only once. The one before is accepted for a while; one before that is not.',
  scopes,
  risk: 'medium',
  secret: true,
  input: v.strictObject({ name, overlap_in_hours: overlap, expires_in_hours: lifetime('as long as the key before') }),
  output: madeProviderKey,
  errors: ['provider_not_found'],
  handle: (context, input) => renewKey(context, input),
})

/** Revokes the keys of a provider. */
export const revokeProvider = operation({
  name: 'revoke_provider',
  summary: 'Revoke the keys of a provider at once.',
  scopes,
  risk: 'medium',
  input: v.strictObject({ name }),
  output: v.strictObject({ result: v.literal(true), name: v.string() }),
  errors: ['provider_not_found'],
  handle: async (context, input) => {
    await runCommand(context, { type: 'RevokeProvider', name: input.name, at: isoOf(context.clock()) })
    return { result: true, name: input.name }
  },
})

/** Lists the providers, by name. */
export const listProviders = operation({
  name: 'list_providers',
  summary:
    'All providers: for which business, whether and how long their keys are valid, and the day of their last use.',
  scopes,
  risk: 'low',
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), providers: v.array(providerRecord) }),
  errors: [],
  handle: async (context) => {
    const at = isoOf(context.clock())
    const listed = [...(await registerOf(context)).values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { result: true, providers: listed.map((one) => recordOf(one, at)) }
  },
})

import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { providerName } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type ProviderCommand, providers, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'

const name = v.pipe(
  providerName,
  v.description('Lower-case letters, digits and single hyphens. Used as source.provider of every event.'),
)

const businessId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const provider = v.strictObject({
  name: v.string(),
  business_id: v.exactOptional(v.number()),
  state: v.picklist(['valid', 'revoked']),
  added_at: v.string(),
  revoked_at: v.exactOptional(v.string()),
  last_used_at: v.exactOptional(v.string()),
})

const scopes = ['providers:write']

async function runCommand(context: Context, command: ProviderCommand): Promise<void> {
  await execute(context.store, providers, registerStream, command, toNewEvent(context))
}

/** Adds a provider and returns its key. Only the SHA-256 of the key is stored. */
export const addProvider = operation({
  name: 'add_provider',
  summary: 'Add a provider and return its key for ingest. The key is shown only once.',
  scopes,
  risk: 'medium',
  secret: true,
  ids: { business_id: 'rule' },
  input: v.strictObject({
    name,
    business_id: v.exactOptional(
      v.pipe(businessId, v.description('The only business that it reports for. Default: any business.')),
    ),
  }),
  output: v.strictObject({ result: v.literal(true), name: v.string(), key: v.string() }),
  errors: ['provider_exists', 'business_not_found'],
  handle: async (context, input) => {
    const { business_id } = input
    if (business_id !== undefined && (await context.directory.business(context, business_id)) === undefined)
      throw new EngineError('business_not_found')
    const secret = `${context.randomId()}${context.randomId()}`.replaceAll('-', '')
    const key = `otep_${input.name}_${secret}`
    await runCommand(context, { type: 'AddProvider', ...input, key_hash: sha256(key), at: isoOf(context.clock()) })
    return { result: true, name: input.name, key }
  },
})

/** Revokes a provider's key. */
export const revokeProvider = operation({
  name: 'revoke_provider',
  summary: "Revoke a provider's key at once.",
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
  summary: 'All providers, whether their keys are valid, and the day of their last use.',
  scopes,
  risk: 'low',
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), providers: v.array(provider) }),
  errors: [],
  handle: async ({ store }) => {
    const register = fold(providers, (await store.read(registerStream)) as readonly ProviderEvent[])
    const listed = [...register.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      result: true,
      providers: listed.map(({ name, addedAt, revokedAt, lastUsedAt, businessId }) => ({
        name,
        ...(businessId === undefined ? {} : { business_id: businessId }),
        state: revokedAt === undefined ? 'valid' : 'revoked',
        added_at: addedAt,
        ...(revokedAt === undefined ? {} : { revoked_at: revokedAt }),
        ...(lastUsedAt === undefined ? {} : { last_used_at: lastUsedAt }),
      })),
    }
  },
})

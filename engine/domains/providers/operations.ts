import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { providerName } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { isExpired, keysOf, type Provider, type ProviderCommand, providers, registerStream } from './decider.ts'
import { registerOf } from './read.ts'

const name = v.pipe(
  providerName,
  v.description('Lower-case letters, digits and single hyphens. Used as source.provider of every event.'),
)

const businessId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const hour = 3_600_000

/** Limits in hours: ten years for a key, thirty days for an overlap. */
const longest = { key: 10 * 365 * 24, overlap: 30 * 24 }

const lifetime = (otherwise: string) =>
  v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(longest.key),
      v.description(`Hours until the key is no longer accepted. Default: ${otherwise}.`),
    ),
  )

const provider = v.strictObject({
  name: v.string(),
  business_id: v.exactOptional(v.number()),
  all_businesses: v.pipe(v.boolean(), v.description('Whether it reports for every business.')),
  state: v.picklist(['valid', 'expired', 'revoked']),
  added_at: v.string(),
  expires_at: v.exactOptional(v.pipe(v.string(), v.description('When its key is no longer accepted.'))),
  previous_key_until: v.exactOptional(v.pipe(v.string(), v.description('How long the key before is accepted, too.'))),
  revoked_at: v.exactOptional(v.string()),
  last_used_at: v.exactOptional(v.string()),
})

const keyAnswer = v.strictObject({
  result: v.literal(true),
  name: v.string(),
  key: v.string(),
  expires_at: v.exactOptional(v.string()),
  previous_key_until: v.exactOptional(v.string()),
})

const scopes = ['providers:write']

async function runCommand(context: Context, command: ProviderCommand): Promise<void> {
  await execute(context.store, providers, registerStream, command, toNewEvent(context))
}

function newKey(context: Context, name: string): string {
  return `otep_${name}_${`${context.randomId()}${context.randomId()}`.replaceAll('-', '')}`
}

function hoursFrom(at: string, hours: number): string {
  return isoOf(Date.parse(at) + hours * hour)
}

/** Adds a provider and returns its key. Only the SHA-256 of the key is stored. */
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
  output: keyAnswer,
  errors: ['provider_reach_required', 'provider_exists', 'business_not_found'],
  handle: async (context, { name, business_id, all_businesses, expires_in_hours }) => {
    if ((business_id === undefined) === (all_businesses === undefined)) throw new EngineError('provider_reach_required')
    if (business_id !== undefined && (await context.directory.business(context, business_id)) === undefined)
      throw new EngineError('business_not_found')
    const key = newKey(context, name)
    const at = isoOf(context.clock())
    const expires_at = expires_in_hours === undefined ? undefined : hoursFrom(at, expires_in_hours)
    const chosen = omitUndefined({ business_id, expires_at })
    await runCommand(context, { type: 'AddProvider', name, key_hash: sha256(key), at, ...chosen })
    return { result: true, name, key, ...omitUndefined({ expires_at }) }
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
  input: v.strictObject({
    name,
    overlap_in_hours: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(0),
        v.maxValue(longest.overlap),
        v.description('Hours for which the key before is accepted. Default: 24.'),
      ),
    ),
    expires_in_hours: lifetime('as long as the key before'),
  }),
  output: keyAnswer,
  errors: ['provider_not_found'],
  handle: async (context, { name, overlap_in_hours = 24, expires_in_hours }) => {
    const key = newKey(context, name)
    const at = isoOf(context.clock())
    const expires_at = expires_in_hours === undefined ? {} : { expires_at: hoursFrom(at, expires_in_hours) }
    const overlap_until = hoursFrom(at, overlap_in_hours)
    await runCommand(context, { type: 'RotateKey', name, key_hash: sha256(key), at, overlap_until, ...expires_at })
    const rotated = (await registerOf(context)).get(name)
    return { result: true, name, key, ...(rotated === undefined ? {} : endsOf(rotated, at)) }
  },
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
  output: v.strictObject({ result: v.literal(true), providers: v.array(provider) }),
  errors: [],
  handle: async (context) => {
    const at = isoOf(context.clock())
    const listed = [...(await registerOf(context)).values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { result: true, providers: listed.map((one) => recordOf(one, at)) }
  },
})

function recordOf(one: Provider, at: string): v.InferOutput<typeof provider> {
  const { name, key, addedAt: added_at, revokedAt: revoked_at, lastUsedAt: last_used_at, businessId } = one
  return {
    ...{ name, ...omitUndefined({ business_id: businessId }), all_businesses: businessId === undefined },
    state: revoked_at !== undefined ? 'revoked' : isExpired(key, at) ? 'expired' : 'valid',
    ...{ added_at, ...endsOf(one, at), ...omitUndefined({ revoked_at, last_used_at }) },
  }
}

/** When the keys of a provider end; that of the one before only while it is accepted. */
function endsOf(provider: Provider, at: string) {
  const [key, previous] = keysOf(provider)
  const isOverlapping = previous !== undefined && !isExpired(previous, at)
  return omitUndefined({
    expires_at: key?.expiresAt,
    previous_key_until: isOverlapping ? previous.expiresAt : undefined,
  })
}

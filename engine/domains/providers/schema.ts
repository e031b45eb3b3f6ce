import * as v from 'valibot'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { providerName } from '../../kernel/schemas.ts'
import { isExpired, keysOf, type Provider } from './decider.ts'

/** The name of a provider. */
export const name = v.pipe(
  providerName,
  v.description('Lower-case letters, digits and single hyphens. Used as source.provider of every event.'),
)

/** An hour in milliseconds. */
export const hour = 3_600_000

/** Limits in hours: ten years for a key, thirty days for an overlap. */
const longest = { key: 10 * 365 * 24, overlap: 30 * 24 }

const hours = (smallest: number, largest: number, about: string) =>
  v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(smallest), v.maxValue(largest), v.description(about)))

/** Hours of a new key. */
export const lifetime = (otherwise: string) =>
  hours(1, longest.key, `Hours until the key is no longer accepted. Default: ${otherwise}.`)

/** Hours of the key before. */
export const overlap = hours(0, longest.overlap, 'Hours for which the key before is accepted. Default: 24.')

/** A provider as answers show it. */
export const providerRecord = named(
  'Provider',
  v.strictObject({
    name: v.string(),
    business_id: v.exactOptional(v.number()),
    all_businesses: v.pipe(v.boolean(), v.description('Whether it reports for every business.')),
    state: v.picklist(['valid', 'expired', 'revoked']),
    added_at: v.string(),
    expires_at: v.exactOptional(v.pipe(v.string(), v.description('When its key is no longer accepted.'))),
    previous_key_until: v.exactOptional(v.pipe(v.string(), v.description('How long the key before is accepted, too.'))),
    revoked_at: v.exactOptional(v.string()),
    webhook_format: v.exactOptional(v.pipe(v.string(), v.description('The format of the webhooks that it sends.'))),
    last_used_at: v.exactOptional(v.pipe(v.string(), v.description('Recorded once a day.'))),
  }),
)

/** The answer with a new key. */
export const madeProviderKey = named(
  'MadeProviderKey',
  v.strictObject({
    result: v.literal(true),
    name: v.string(),
    key: v.pipe(v.string(), v.description('The key. It is shown only once.')),
    expires_at: v.exactOptional(v.string()),
    previous_key_until: v.exactOptional(v.string()),
  }),
)

/** A provider at an instant (ISO 8601, UTC) as answers show it. */
export function recordOf(one: Provider, at: string): v.InferOutput<typeof providerRecord> {
  const { name, key, addedAt: added_at, revokedAt: revoked_at, lastUsedAt: last_used_at, businessId, webhook } = one
  return {
    ...{ name, ...omitUndefined({ business_id: businessId }), all_businesses: businessId === undefined },
    state: revoked_at !== undefined ? 'revoked' : isExpired(key, at) ? 'expired' : 'valid',
    ...{
      added_at,
      ...endsOf(one, at),
      ...omitUndefined({ revoked_at, last_used_at, webhook_format: webhook?.format }),
    },
  }
}

/** When the keys of a provider end; that of the one before only while it is accepted. */
export function endsOf(provider: Provider, at: string) {
  const [key, previous] = keysOf(provider)
  const isOverlapping = previous !== undefined && !isExpired(previous, at)
  return omitUndefined({
    expires_at: key?.expiresAt,
    previous_key_until: isOverlapping ? previous.expiresAt : undefined,
  })
}

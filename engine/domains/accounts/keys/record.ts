import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { named } from '../../../kernel/named.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import type { Row } from '../../../kernel/read-model.ts'
import { isoOf } from '../../../kernel/time.ts'
import { accountStateOf, load } from '../read.ts'
import { type ApiKey, apiKeyStream, apiKeys, hasExpired, secretsOf } from './key.ts'
import { termEntries } from './terms.ts'

const states = ['valid', 'expired', 'revoked', 'ended'] as const

/** An API key as answers show it. */
export const keyRecord = named(
  'ApiKey',
  v.strictObject({
    key_id: v.number(),
    account_id: v.number(),
    is_service: v.exactOptional(
      v.pipe(v.literal(true), v.description('Whether it is of a service account: administrators replace it, too.')),
    ),
    name: v.exactOptional(v.string()),
    ...termEntries,
    state: v.pipe(v.picklist(states), v.description('ended: its account was disabled.')),
    made_at: v.string(),
    expires_at: v.string(),
    previous_key_until: v.exactOptional(v.pipe(v.string(), v.description('How long the key before is accepted, too.'))),
    last_used: v.exactOptional(
      v.pipe(
        v.strictObject({ at: v.string(), source: v.exactOptional(v.string()) }),
        v.description('Recorded once a day, and from another source once an hour.'),
      ),
    ),
  }),
)

type KeyRecord = v.InferOutput<typeof keyRecord>

/** The API keys of rows of `apiKeyModel` as answers show them. */
export async function keyRecordsOf(context: Context, rows: readonly Row[]): Promise<readonly KeyRecord[]> {
  const keys = await Promise.all(rows.map(({ key_id }) => keyRecordOf(context, Number(key_id))))
  return keys.filter((key) => key !== undefined)
}

/** One API key as answers show it; undefined if there is none. */
export async function keyRecordOf(context: Context, id: number): Promise<KeyRecord | undefined> {
  const { state: key } = await load(context.store, apiKeys, apiKeyStream(id))
  if (key === undefined) return undefined
  const account = await accountStateOf(context, key.accountId)
  const now = isoOf(context.clock())
  const state = stateOf(key, account?.key_generation, now)
  return {
    ...{ key_id: id, account_id: key.accountId, ...omitUndefined({ is_service: account?.is_service, name: key.name }) },
    ...(key.terms as Pick<KeyRecord, 'scopes'>),
    ...{ state, made_at: key.madeAt, expires_at: key.current.expiresAt },
    ...(state === 'valid' ? overlapOf(key, now) : {}),
    ...(key.lastUse && { last_used: { at: key.lastUse.at, ...omitUndefined({ source: key.lastUse.source }) } }),
  }
}

function stateOf(key: ApiKey, generation: number | undefined, now: string): (typeof states)[number] {
  if (key.isRevoked) return 'revoked'
  if (generation === undefined || secretsOf(key, generation).length === 0) return 'ended'
  return hasExpired(key.current, now) ? 'expired' : 'valid'
}

/** How long the key before is still accepted. */
export function overlapOf({ previous }: ApiKey, now: string): { readonly previous_key_until?: string } {
  return previous === undefined || hasExpired(previous, now) ? {} : { previous_key_until: previous.expiresAt }
}

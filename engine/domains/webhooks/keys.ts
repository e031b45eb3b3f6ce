import type { Context } from '../../kernel/context.ts'
import type { SigningKey } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type { KeyEvent, WebhookEventBase } from './events.ts'

/** Milliseconds that a replaced key keeps signing (document 3, "Formats and Standard Webhooks"). */
export const keyOverlap = 24 * 3_600_000

/** The most keys of one owner that sign at a time; the oldest ones are dropped. */
const maxKeys = 5

/** The commands of an owner's keys. Refusal: `webhook_secret_missing` if there is none to reveal. */
export type KeyCommand = WebhookEventBase &
  (
    | { readonly type: 'RotateSecret'; readonly secret: string }
    /** Only recorded; changes nothing. */
    | { readonly type: 'RevealSecret' }
    /** Does nothing if no replaced key signs any more. */
    | { readonly type: 'ExpireReplacedKeys' }
  )

/** The events that follow from a command on keys. */
export function decideOnKeys(command: KeyCommand, keys: readonly SigningKey[]): readonly KeyEvent[] {
  const { at, by } = command
  switch (command.type) {
    case 'RotateSecret':
      return replacement(command, command.secret, keys)
    case 'RevealSecret':
      if (keys.length === 0) throw new EngineError('webhook_secret_missing')
      return [{ type: 'WebhookSecretRevealed', data: { at, by } }]
    case 'ExpireReplacedKeys':
      return deadlinesOf(keys, instantOf(at)).length === 0
        ? []
        : [{ type: 'ReplacedWebhookKeysExpired', data: { at, by } }]
    default:
      return command satisfies never
  }
}

/** Replaces the newest secret, which keeps signing for a while. Returns no events if the secret is the same. */
export function replacement(
  { at, by }: WebhookEventBase,
  secret: string,
  [newest]: readonly SigningKey[],
): readonly KeyEvent[] {
  if (newest?.secret === secret) return []
  const until = newest === undefined ? {} : { replaced_until: isoOf(instantOf(at) + keyOverlap) }
  return [{ type: 'WebhookSecretReplaced', data: { at, by, ...until, personal: { secret } } }]
}

/** The keys after an event, newest first. An erased secret removes all of them. */
export function keysAfter(event: KeyEvent, keys: readonly SigningKey[]): readonly SigningKey[] {
  switch (event.type) {
    case 'WebhookSecretReplaced': {
      const { at, replaced_until = at, personal } = event.data
      if (personal === undefined) return []
      const older = keys
        .map(({ secret, expiresAt = instantOf(replaced_until) }) => ({ secret, expiresAt }))
        .filter(({ secret, expiresAt }) => expiresAt > instantOf(at) && secret !== personal.secret)
      return [{ secret: personal.secret }, ...older].slice(0, maxKeys)
    }
    case 'ReplacedWebhookKeysExpired':
      return keys.slice(0, 1)
    default:
      return keys
  }
}

/** What verifies the ed25519 signatures of the keys that sign now, newest first. */
export function publicKeysOf({ webhooks, clock }: Context, keys: readonly SigningKey[]): string[] {
  const now = clock()
  const signing = keys.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
  return signing.map(({ secret }) => webhooks.publicKey(secret))
}

/** When each replaced key that still signs will expire (ISO 8601, UTC), the last replaced key first. */
export function deadlinesOf(keys: readonly SigningKey[], now: number): readonly string[] {
  return keys.flatMap(({ expiresAt }) => (expiresAt !== undefined && expiresAt > now ? [isoOf(expiresAt)] : []))
}

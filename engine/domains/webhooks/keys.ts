import { keyOverlap, type SigningKey } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type { KeyEvent, WebhookEventBase } from './events.ts'

/** So many keys of one owner sign at a time; the oldest of more is dropped. */
const maxKeys = 5

/** What can be asked of the keys of an owner. Refusals: `webhook_secret_missing` where there is none to reveal. */
export type KeyCommand = WebhookEventBase &
  (
    | { readonly type: 'RotateSecret'; readonly secret: string }
    /** Nothing changes by it, and it is recorded. */
    | { readonly type: 'RevealSecret' }
    /** Nothing follows where no replaced key signs any more. */
    | { readonly type: 'ExpireReplacedKeys' }
  )

/** What follows from a command about keys. */
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

/** A secret takes the place of the newest, which signs on for a while; nothing follows where it is the same. */
export function replacement(
  { at, by }: WebhookEventBase,
  secret: string,
  [newest]: readonly SigningKey[],
): readonly KeyEvent[] {
  if (newest?.secret === secret) return []
  const until = newest === undefined ? {} : { replaced_until: isoOf(instantOf(at) + keyOverlap) }
  return [{ type: 'WebhookSecretReplaced', data: { at, by, ...until, personal: { secret } } }]
}

/** The keys after a fact, newest first. A secret that was erased takes all of them with it. */
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

/** Until when each of the replaced keys signs that still do (ISO 8601, UTC), the one that was replaced last first. */
export function deadlinesOf(keys: readonly SigningKey[], now: number): readonly string[] {
  return keys.flatMap(({ expiresAt }) => (expiresAt !== undefined && expiresAt > now ? [isoOf(expiresAt)] : []))
}

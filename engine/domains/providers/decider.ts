import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import type { ProviderEvent } from './events.ts'

/** One stream for all providers, because there are few. */
export const registerStream: StreamName = 'provider-register'

/** A key that is not revoked. Only its SHA-256 is known. */
export interface ProviderKey {
  readonly hash: string
  /** ISO 8601, UTC, like all instants here. */
  readonly madeAt: string
  /** When it is no longer accepted; never if absent. */
  readonly expiresAt?: string | undefined
}

/** A provider in the register. */
export interface Provider {
  readonly name: string
  readonly key: ProviderKey
  /** The key before the last rotation, which always expires. */
  readonly previousKey?: ProviderKey
  readonly addedAt: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
  /** The only business that it reports for; any business if absent. */
  readonly businessId?: number
}

/** The register: providers by name. */
export type Register = Map<string, Provider>

interface NewKey {
  readonly name: string
  readonly key_hash: string
  readonly at: string
}

/** The commands of the register; `at` is the instant of the command. */
export type ProviderCommand =
  | (NewKey & { readonly type: 'AddProvider'; readonly business_id?: number; readonly expires_at?: string })
  /** A new key without `expires_at` has the lifetime of the one before. */
  | (NewKey & { readonly type: 'RotateKey'; readonly overlap_until: string; readonly expires_at?: string })
  | { readonly type: 'RevokeProvider'; readonly name: string; readonly at: string }
  | { readonly type: 'NoteUse'; readonly name: string; readonly at: string }

const day = 86_400_000

const evolve: Reducer<Register, ProviderEvent> = (register, { type, data }) => {
  const { name, at } = data
  const known = register.get(name)
  if (type === 'ProviderAdded') {
    const { business_id: businessId } = data
    return register.set(name, {
      ...{ name, addedAt: at, key: keyIn(data) },
      ...(businessId === undefined ? {} : { businessId }),
    })
  }
  if (known === undefined) return register
  if (type === 'ProviderKeyRotated') {
    const { expiresAt = data.overlap_until } = known.key
    const [end] = [expiresAt, data.overlap_until].sort()
    return register.set(name, { ...known, key: keyIn(data), previousKey: { ...known.key, expiresAt: end } })
  }
  return register.set(name, type === 'ProviderRevoked' ? { ...known, revokedAt: at } : { ...known, lastUsedAt: at })
}

function keyIn({ key_hash: hash, at: madeAt, expires_at: expiresAt }: NewKey & { readonly expires_at?: string }) {
  return { hash, madeAt, expiresAt }
}

function decide(command: ProviderCommand, register: Register): readonly ProviderEvent[] {
  const { name, at } = command
  const known = register.get(name)
  const valid = known !== undefined && known.revokedAt === undefined
  switch (command.type) {
    case 'AddProvider': {
      const { type: _, ...data } = command
      if (valid) throw new EngineError('provider_exists', { name })
      return [{ type: 'ProviderAdded', data }]
    }
    case 'RotateKey': {
      const { type: _, ...data } = command
      if (!valid) throw new EngineError('provider_not_found', { name })
      const expires_at = data.expires_at ?? sameLifetime(known.key, at)
      return [{ type: 'ProviderKeyRotated', data: { ...data, ...(expires_at === undefined ? {} : { expires_at }) } }]
    }
    case 'RevokeProvider':
      if (!valid) throw new EngineError('provider_not_found', { name })
      return [{ type: 'ProviderRevoked', data: { name, at } }]
    case 'NoteUse':
      if (!valid || Date.parse(at) - Date.parse(known.lastUsedAt ?? '1970-01-01T00:00:00Z') < day) return []
      return [{ type: 'ProviderKeyUsed', data: { name, at } }]
  }
}

/** When a key that is made now expires, if it is to be valid for as long as another was. */
function sameLifetime({ madeAt, expiresAt }: ProviderKey, now: string): string | undefined {
  if (expiresAt === undefined) return undefined
  return isoOf(Date.parse(now) + Date.parse(expiresAt) - Date.parse(madeAt))
}

/** Whether a key is no longer accepted at an instant (ISO 8601, UTC). */
export function isExpired({ expiresAt }: ProviderKey, at: string): boolean {
  return expiresAt !== undefined && expiresAt <= at
}

/** The keys of a provider: none after a revocation. */
export function keysOf({ key, previousKey, revokedAt }: Provider): readonly ProviderKey[] {
  if (revokedAt !== undefined) return []
  return previousKey === undefined ? [key] : [key, previousKey]
}

/**
 * The decider of the register. A provider has one key, and the one before while both overlap; after a revocation it can
 * get a new one.
 */
export const providers: Decider<Register, ProviderCommand, ProviderEvent> = { initial: () => new Map(), evolve, decide }

import * as v from 'valibot'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { providerName } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { platformProvider } from '../../kernel/timeline.ts'
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
  /** The format of the webhooks that it sends, and the secret that proves them; absent if it sends none. */
  readonly webhook?: { readonly format: string; readonly secret: string } | undefined
  /** How many keys it got on the day (ISO 8601, UTC) of the last one. */
  readonly keysOfDay: { readonly day: string; readonly count: number }
}

/** The register. */
export interface Register {
  /** By name. */
  readonly providers: Map<string, Provider>
  /** Names of no provider under which an operator has recorded events. */
  readonly reserved: Set<string>
}

interface NewKey {
  readonly name: string
  readonly key_hash: string
  readonly at: string
}

/** On whose behalf a command is given; the operator's if both are absent. */
export interface OnBehalf {
  /** A business reaches the providers that report for it alone. */
  readonly business?: number | undefined
  /** The holder of a key (its SHA-256) replaces that key, as long as it is the last one. */
  readonly holder?: string | undefined
}

/** The commands of the register; `at` is the instant of the command. */
export type ProviderCommand =
  | (NewKey & OnBehalf & { readonly type: 'AddProvider'; readonly business_id?: number; readonly expires_at?: string })
  /** A new key without `expires_at` has the lifetime of the one before. */
  | (NewKey & OnBehalf & { readonly type: 'RotateKey'; readonly overlap_until: string; readonly expires_at?: string })
  | (OnBehalf & { readonly type: 'RevokeProvider'; readonly name: string; readonly at: string })
  | (OnBehalf & {
      readonly type: 'SetWebhook'
      readonly name: string
      readonly at: string
      readonly format: string
      readonly personal: { readonly secret: string }
    })
  | (OnBehalf & { readonly type: 'RemoveWebhook'; readonly name: string; readonly at: string })
  | { readonly type: 'NoteUse' | 'ReserveName'; readonly name: string; readonly at: string }

/** Limits of what is not done by an operator: names of a business, those of revoked providers too, and keys of one in a day. */
const most = { providers: 100, keysADay: 24 }

/** Names under which this server itself records events. */
const ownNames: readonly string[] = [platformProvider, 'device-orders', 'cli']

const day = 86_400_000

const evolve: Reducer<Register, ProviderEvent> = (register, { type, data }) => {
  const { name, at } = data
  const known = register.providers.get(name)
  const put = (provider: Provider) => ({ ...register, providers: register.providers.set(name, provider) })
  if (type === 'ProviderNameReserved') return { ...register, reserved: register.reserved.add(name) }
  if (type === 'ProviderAdded') {
    const { business_id: businessId } = data
    return put({
      ...{ name, addedAt: at, key: keyIn(data), keysOfDay: keysOfDay(known, at) },
      ...(businessId === undefined ? {} : { businessId }),
    })
  }
  if (known === undefined) return register
  if (type === 'ProviderWebhookSet') {
    const { format, personal } = data
    return put({ ...known, webhook: personal && { format, secret: personal.secret } })
  }
  if (type === 'ProviderWebhookRemoved') return put({ ...known, webhook: undefined })
  if (type === 'ProviderKeyRotated') {
    const { expiresAt = data.overlap_until } = known.key
    const [end] = [expiresAt, data.overlap_until].sort()
    const previousKey = { ...known.key, expiresAt: end }
    return put({ ...known, key: keyIn(data), previousKey, keysOfDay: keysOfDay(known, at) })
  }
  return put(type === 'ProviderRevoked' ? { ...known, revokedAt: at } : { ...known, lastUsedAt: at })
}

function keysOfDay(known: Provider | undefined, at: string): Provider['keysOfDay'] {
  const today = at.slice(0, 10)
  return { day: today, count: known?.keysOfDay.day === today ? known.keysOfDay.count + 1 : 1 }
}

function keyIn({ key_hash: hash, at: madeAt, expires_at: expiresAt }: NewKey & { readonly expires_at?: string }) {
  return { hash, madeAt, expiresAt }
}

function decide(command: ProviderCommand, register: Register): readonly ProviderEvent[] {
  const { name, at } = command
  const known = register.providers.get(name)
  const valid = known !== undefined && known.revokedAt === undefined
  switch (command.type) {
    case 'AddProvider': {
      const { type: _, business, holder: __, ...data } = command
      if (business !== undefined) requireOwnName(name, business, register)
      if (valid) throw new EngineError('provider_exists', { name })
      if (business !== undefined) requireFewKeys(known, at)
      return [{ type: 'ProviderAdded', data }]
    }
    case 'RotateKey': {
      const { type: _, business, holder, ...data } = command
      if (!valid || !isReached(known, command)) throw new EngineError('provider_not_found', { name })
      if (holder !== undefined && holder !== known.key.hash) throw new EngineError('provider_key_replaced')
      if (business !== undefined || holder !== undefined) requireFewKeys(known, at)
      const expires_at = data.expires_at ?? sameLifetime(known.key, at)
      return [{ type: 'ProviderKeyRotated', data: { ...data, ...(expires_at === undefined ? {} : { expires_at }) } }]
    }
    case 'RevokeProvider':
      if (!valid || !isReached(known, command)) throw new EngineError('provider_not_found', { name })
      return [{ type: 'ProviderRevoked', data: { name, at } }]
    case 'SetWebhook': {
      const { type: _, business: __, holder: ___, ...data } = command
      if (!valid || !isReached(known, command)) throw new EngineError('provider_not_found', { name })
      return [{ type: 'ProviderWebhookSet', data }]
    }
    case 'RemoveWebhook':
      if (!valid || !isReached(known, command)) throw new EngineError('provider_not_found', { name })
      return known.webhook === undefined ? [] : [{ type: 'ProviderWebhookRemoved', data: { name, at } }]
    case 'NoteUse':
      if (!valid || Date.parse(at) - Date.parse(known.lastUsedAt ?? '1970-01-01T00:00:00Z') < day) return []
      return [{ type: 'ProviderKeyUsed', data: { name, at } }]
    case 'ReserveName':
      if (known !== undefined || register.reserved.has(name)) return []
      return [{ type: 'ProviderNameReserved', data: { name, at } }]
  }
}

/** Whether a command may concern a provider: a business learns nothing of those of others, nor of those for all. */
function isReached({ businessId }: Provider, { business }: OnBehalf): boolean {
  return business === undefined || businessId === business
}

/** Whether a business could ask for a provider of this name, so that it is worth reserving. */
export function isReservable(name: string): boolean {
  return v.is(providerName, name) && !ownNames.includes(name)
}

/**
 * Refuses a business a name that is, or was, that of a provider of others, or under which an operator has recorded events: the
 * one that gets the name of a provider goes on in its place, and can withdraw what it has reported.
 */
function requireOwnName(name: string, business: number, register: Register): void {
  const known = register.providers.get(name)
  const isOfOthers = known === undefined ? register.reserved.has(name) : !isReached(known, { business })
  if (ownNames.includes(name) || isOfOthers) throw new EngineError('provider_name_taken', { name })
  const own = [...register.providers.values()].filter(({ businessId }) => businessId === business)
  if (known === undefined && own.length >= most.providers)
    throw new EngineError('too_many_providers', { limit: most.providers })
}

function requireFewKeys(known: Provider | undefined, at: string): void {
  if (keysOfDay(known, at).count > most.keysADay)
    throw new EngineError('too_many_provider_keys', { limit: most.keysADay })
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
export const providers: Decider<Register, ProviderCommand, ProviderEvent> = {
  initial: () => ({ providers: new Map(), reserved: new Set() }),
  evolve,
  decide,
}

import type { Decider, Reducer } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { isoOf } from '../../../kernel/time.ts'
import type { ApiKeyEvent, KeyTerms } from './events.ts'

/** The stream of an API key. */
export function apiKeyStream(id: number): StreamName {
  return `api_key-${id}`
}

/** A secret of a key: its SHA-256, and from when until when it is accepted (ISO 8601, UTC). */
export interface KeySecret {
  readonly hash: string
  readonly madeAt: string
  readonly expiresAt: string
}

/** An API key as its events have left it. */
export interface ApiKey {
  readonly id: number
  readonly accountId: number
  readonly businessId: number
  readonly generation: number
  /** Missing after an erasure. */
  readonly name?: string | undefined
  readonly terms: KeyTerms
  readonly madeAt: string
  readonly current: KeySecret
  /** The secret before the last rotation. */
  readonly previous?: KeySecret
  /** The last use that was recorded; its source is missing after an erasure. */
  readonly lastUse?: { readonly at: string; readonly source?: string | undefined } | undefined
  readonly isRevoked?: true
  readonly isErased?: true
}

type MadeData = Extract<ApiKeyEvent, { type: 'ApiKeyMade' }>['data']

interface Stamp {
  readonly at: string
  readonly by: number | null
}

/** The commands of an API key. A rotated key without `expires_at` has the lifetime of the one before. */
export type ApiKeyCommand =
  | (Omit<MadeData, 'personal'> & { readonly type: 'MakeKey'; readonly name: string })
  | (Stamp & {
      readonly type: 'RotateKey'
      readonly generation: number
      readonly hash: string
      readonly overlap_until: string
      readonly expires_at?: string | undefined
    })
  | (Stamp & { readonly type: 'RevokeKey' | 'EraseKey' })
  | { readonly type: 'NoteUse'; readonly at: string; readonly source: string }

const evolve: Reducer<ApiKey | undefined, ApiKeyEvent> = (key, { type, data }) => {
  if (type === 'ApiKeyMade') return madeKey(data)
  if (key === undefined) return key
  switch (type) {
    case 'ApiKeyRotated': {
      const [expiresAt = data.overlap_until] = [key.current.expiresAt, data.overlap_until].sort()
      const current = { hash: data.hash, madeAt: data.at, expiresAt: data.expires_at }
      return { ...key, current, previous: { ...key.current, expiresAt } }
    }
    case 'ApiKeyRevoked':
      return { ...key, isRevoked: true }
    case 'ApiKeyUsed':
      return { ...key, lastUse: { at: data.at, source: data.personal?.source } }
    case 'ApiKeyErased':
      return { ...key, name: undefined, lastUse: undefined, isRevoked: true, isErased: true }
    default:
      return key
  }
}

function madeKey({ personal, ...data }: MadeData): ApiKey {
  const { key_id: id, account_id: accountId, business_id: businessId, generation, hash } = data
  const { at: madeAt, expires_at: expiresAt, scopes, operations, read_only } = data
  const terms = {
    scopes,
    ...(operations === undefined ? {} : { operations }),
    ...(read_only === undefined ? {} : { read_only }),
  }
  const current = { hash, madeAt, expiresAt }
  return { id, accountId, businessId, generation, name: personal?.name, terms, madeAt, current }
}

function decide(command: ApiKeyCommand, key: ApiKey | undefined): readonly ApiKeyEvent[] {
  if (command.type === 'MakeKey') {
    const { type: _, name, ...data } = command
    return key === undefined ? [{ type: 'ApiKeyMade', data: { ...data, personal: { name } } }] : []
  }
  if (key === undefined) throw new EngineError('api_key_not_found')
  if (command.type === 'NoteUse') return noteUse(command, key)
  const base = { at: command.at, by: command.by, key_id: key.id }
  switch (command.type) {
    case 'RotateKey': {
      const { generation, hash, overlap_until, expires_at = sameLifetime(key.current, command.at) } = command
      if (secretsOf(key, generation).length === 0) throw new EngineError('api_key_ended')
      return [{ type: 'ApiKeyRotated', data: { ...base, hash, expires_at, overlap_until } }]
    }
    case 'RevokeKey':
      return key.isRevoked ? [] : [{ type: 'ApiKeyRevoked', data: base }]
    case 'EraseKey':
      return key.isErased ? [] : [{ type: 'ApiKeyErased', data: base }]
    default:
      return command satisfies never
  }
}

function noteUse({ at, source }: { readonly at: string; readonly source: string }, key: ApiKey) {
  if (key.isRevoked || !isUseDue(key, at, source)) return []
  return [{ type: 'ApiKeyUsed' as const, data: { at, key_id: key.id, personal: { source } } }]
}

const hour = 3_600_000

/** Whether a use has to be recorded: the last one was a day ago, or an hour ago and from another source. */
export function isUseDue({ lastUse }: ApiKey, at: string, source: string): boolean {
  if (lastUse === undefined) return true
  const pause = lastUse.source === source ? 24 * hour : hour
  return Date.parse(at) - Date.parse(lastUse.at) >= pause
}

function sameLifetime({ madeAt, expiresAt }: KeySecret, now: string): string {
  return isoOf(Date.parse(now) + Date.parse(expiresAt) - Date.parse(madeAt))
}

/** The decider of one API key. */
export const apiKeys: Decider<ApiKey | undefined, ApiKeyCommand, ApiKeyEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

/** The secrets of a key: none after it was revoked, or when its account has reached another generation of keys. */
export function secretsOf({ generation, isRevoked, current, previous }: ApiKey, now: number): readonly KeySecret[] {
  if (isRevoked || generation !== now) return []
  return previous === undefined ? [current] : [current, previous]
}

/** Whether a secret is no longer accepted at an instant (ISO 8601, UTC). */
export function hasExpired({ expiresAt }: KeySecret, at: string): boolean {
  return expiresAt <= at
}

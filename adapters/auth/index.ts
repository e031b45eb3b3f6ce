import { timingSafeEqual } from 'node:crypto'
import {
  type Caller,
  type Context,
  EngineError,
  type EventStore,
  isEngineError,
  isExpired,
  isoOf,
  keysOf,
  type Provider,
  type ProviderEvent,
  type ProviderKey,
  partnerScopes,
  providers,
  type RecordedEvent,
  registerStream,
  sha256,
} from '../../engine/index.ts'
import type { Authenticate } from '../node/gateway.ts'
import type { OutsideIssuer } from '../node/issuer.ts'
import { once } from '../node/once.ts'
import type { NodeServer } from '../node/server-state.ts'
import { createGrants } from './grants/index.ts'
import { createKeys } from './keys/index.ts'
import { createAccounts, createTokens } from './tokens.ts'

const accountToken = /^Bearer +(ots_[0-9a-f]{64})$/i
const grantToken = /^Bearer +(ota_[0-9a-f_]{1,100})$/i
const apiKey = /^Bearer +(otk_[0-9a-f_]{1,100})$/i
/** A signed JWT in its compact form (RFC 7515, 7.1), in the size that a header can have. */
const outsideToken = /^Bearer +([\w-]{2,4000}\.[\w-]{2,8000}\.[\w-]{2,2000})$/i
const providerKey = /^Bearer +(otep_([a-z0-9-]{1,60})_[0-9a-f]{64})$/i

/** A key or token as it is found in the middle of a text. */
const credentials = /\bot(?:s_|[kacr]_\d{1,15}_|ep_[a-z0-9-]{1,60}_)[0-9a-f]{64}/i

/** Whether an address has a key or token in its path or query, where logs and histories of others keep it. */
export function holdsCredentials(address: string): boolean {
  return credentials.test(address)
}

/** A key that is used is reported once a day from so many milliseconds before it expires. */
const reportedFor = 14 * 86_400_000

/** Called with the provider and the end of its key (ISO 8601, UTC). */
type ReportExpiry = (provider: string, expiresAt: string) => void

/**
 * Authenticates accounts by their tokens and API keys, programs by the tokens of their grants or of an outside issuer, and
 * providers by their keys, of which it reports those that soon expire.
 */
export function createAuthenticate(
  parts: Pick<Context, 'clock' | 'randomId' | 'sessionDays' | 'credentials'> & {
    /** Milliseconds of a clock that never goes back. */
    readonly now: () => number
    readonly server: Pick<NodeServer, 'operators'>
  },
  onExpiring: ReportExpiry = () => {},
  outside?: OutsideIssuer,
): Authenticate {
  const accountOf = createAccounts()
  const callerOf = createTokens(parts, accountOf)
  const callerByKey = createKeys(parts, accountOf)
  const callerByGrant = createGrants(parts, accountOf)
  const callerFromOutside =
    outside && once(async () => (await import('./outside/index.ts')).createOutsideTokens(parts, outside, accountOf))
  const providerOf = createProviders(parts, onExpiring)
  return async (request, header, resource) => {
    const given = header.trim()
    const [, token] = accountToken.exec(given) ?? []
    const [, key] = apiKey.exec(given) ?? []
    const [, granted] = grantToken.exec(given) ?? []
    const [, foreign] = outsideToken.exec(given) ?? []
    if (callerFromOutside !== undefined && foreign !== undefined && resource !== undefined)
      return (await callerFromOutside())(request, foreign, resource)
    // Where somebody else gives out the tokens of programs, those of before count no more.
    if (callerFromOutside !== undefined && granted !== undefined) throw new EngineError('unauthenticated')
    const { store } = request
    if (granted !== undefined) return callerByGrant(store, granted, resource)
    if (key !== undefined) return callerByKey(request, key)
    return token === undefined ? providerOf(store, given) : callerOf(store, token)
  }
}

/** Authenticates providers with the register, whose folded state is kept up to date. */
function createProviders(
  { clock, randomId }: Pick<Context, 'clock' | 'randomId'>,
  onExpiring: ReportExpiry,
): (store: EventStore, header: string) => Promise<Caller> {
  let register = providers.initial()
  let revision = -1

  async function readOn(store: EventStore) {
    for (const event of (await store.read(registerStream, {
      from: revision + 1,
    })) as readonly RecordedEvent<ProviderEvent>[]) {
      if (event.revision <= revision) continue
      register = providers.evolve(register, event)
      revision = event.revision
    }
  }

  /** Records the use once a day; on a conflict, the next use records it. */
  async function noteUse(store: EventStore, name: string, { expiresAt }: ProviderKey) {
    const facts = providers.decide({ type: 'NoteUse', name, at: isoOf(clock()) }, register)
    const metadata = { actor: `provider:${name}`, schemaVersion: 1 }
    const events = facts.map((fact) => ({ ...fact, id: randomId(), metadata }))
    if (events.length === 0) return
    if (expiresAt !== undefined && Date.parse(expiresAt) < clock() + reportedFor) onExpiring(name, expiresAt)
    await store.append(registerStream, events, revision).catch((error: unknown) => {
      if (!isEngineError(error, 'wrong_expected_revision')) throw error
    })
  }

  return async (store, header) => {
    const [, key = '', name = ''] = providerKey.exec(header) ?? []
    await readOn(store)
    const provider = register.providers.get(name)
    const used = provider && keyWith(provider, sha256(key))
    if (provider === undefined || used === undefined) throw new EngineError('unauthenticated')
    const now = isoOf(clock())
    if (isExpired(used, now)) throw new EngineError('key_expired', { at: used.expiresAt ?? '' })
    await noteUse(store, name, used)
    const { businessId } = provider
    const scopes = scopesOfProvider(businessId)
    return { kind: 'provider', name, scopes, keyHash: used.hash, ...(businessId === undefined ? {} : { businessId }) }
  }
}

/** Every provider may ingest; one that is bound to a business also has the scopes of a partner. */
function scopesOfProvider(businessId: number | undefined): readonly string[] {
  return businessId === undefined ? ['otep:ingest'] : ['otep:ingest', ...partnerScopes]
}

/** The key of a provider with a hash, even if it is expired. All are compared, so that the time tells nothing. */
function keyWith(provider: Provider, hash: string): ProviderKey | undefined {
  return keysOf(provider).filter((key) => sameHash(hash, key.hash))[0]
}

function sameHash(one: string, two: string): boolean {
  return one.length === two.length && timingSafeEqual(Buffer.from(one), Buffer.from(two))
}

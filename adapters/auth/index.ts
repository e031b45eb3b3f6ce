import { timingSafeEqual } from 'node:crypto'
import {
  type Context,
  EngineError,
  isEngineError,
  isoOf,
  type ProviderEvent,
  partnerScopes,
  providers,
  type RecordedEvent,
  registerStream,
  sha256,
} from '../../engine/index.ts'
import type { Authenticate } from '../node/gateway.ts'
import { createTokens } from './tokens.ts'

const accountToken = /^Bearer +(ots_[0-9a-f]{64})$/i
const providerKey = /^Bearer +(otep_([a-z0-9-]{1,60})_[0-9a-f]{64})$/i

/** Authenticates accounts by their tokens and providers by their keys. */
export function createAuthenticate(parts: Pick<Context, 'store' | 'clock' | 'randomId'>): Authenticate {
  const callerOf = createTokens(parts)
  const providerOf = createProviders(parts)
  return async (header) => {
    const given = header.trim()
    const [, token] = accountToken.exec(given) ?? []
    return token === undefined ? providerOf(given) : callerOf(token)
  }
}

/** Authenticates providers with the register, whose folded state is kept up to date. */
function createProviders({ store, clock, randomId }: Pick<Context, 'store' | 'clock' | 'randomId'>): Authenticate {
  let register = providers.initial()
  let revision = -1

  async function readOn() {
    for (const event of (await store.read(registerStream, {
      from: revision + 1,
    })) as readonly RecordedEvent<ProviderEvent>[]) {
      if (event.revision <= revision) continue
      register = providers.evolve(register, event)
      revision = event.revision
    }
  }

  /** Records the use once a day; on a conflict, the next use records it. */
  async function noteUse(name: string) {
    const facts = providers.decide({ type: 'NoteUse', name, at: isoOf(clock()) }, register)
    const metadata = { actor: `provider:${name}`, schemaVersion: 1 }
    const events = facts.map((fact) => ({ ...fact, id: randomId(), metadata }))
    if (events.length === 0) return
    await store.append(registerStream, events, revision).catch((error: unknown) => {
      if (!isEngineError(error, 'wrong_expected_revision')) throw error
    })
  }

  return async (header) => {
    const [, key = '', name = ''] = providerKey.exec(header) ?? []
    await readOn()
    const provider = register.get(name)
    if (provider === undefined || provider.revokedAt !== undefined || !sameHash(sha256(key), provider.keyHash)) {
      throw new EngineError('unauthenticated')
    }
    await noteUse(name)
    const { businessId } = provider
    const scopes = scopesOfProvider(businessId)
    return { kind: 'provider', name, scopes, ...(businessId === undefined ? {} : { businessId }) }
  }
}

/** Every provider may ingest; one that is bound to a business also has the scopes of a partner. */
function scopesOfProvider(businessId: number | undefined): readonly string[] {
  return businessId === undefined ? ['otep:ingest'] : ['otep:ingest', ...partnerScopes]
}

function sameHash(one: string, two: string): boolean {
  return one.length === two.length && timingSafeEqual(Buffer.from(one), Buffer.from(two))
}

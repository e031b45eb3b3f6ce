import { timingSafeEqual } from 'node:crypto'
import {
  type Context,
  EngineError,
  execute,
  type ProviderEvent,
  providers,
  type RecordedEvent,
  type Register,
  registerStream,
  sha256,
} from '../../engine/index.ts'
import type { Authenticate } from '../door.ts'

const bearer = /^Bearer +(otep_([a-z0-9-]{1,60})_[0-9a-f]{64})$/i

/** Authenticates providers by their keys against the register, which it keeps folded and reads on from where it was. */
export function createAuthenticate(parts: Pick<Context, 'store' | 'clock' | 'randomId'>): Authenticate {
  const register = followRegister(parts.store)
  return async (header) => {
    const [, key = '', name = ''] = bearer.exec(header.trim()) ?? []
    const provider = (await register()).get(name)
    if (provider === undefined || provider.revokedAt !== undefined || !sameHash(sha256(key), provider.keyHash)) {
      throw new EngineError('unauthenticated')
    }
    await noteUse(parts, name)
    return { kind: 'provider', name, scopes: ['otep:ingest'] }
  }
}

function followRegister(store: Context['store']): () => Promise<Register> {
  let register = providers.initial()
  let next = 0
  return async () => {
    const fresh = (await store.read(registerStream, { from: next })) as readonly RecordedEvent<ProviderEvent>[]
    for (const event of fresh) {
      if (event.revision < next) continue
      register = providers.evolve(register, event)
      next = event.revision + 1
    }
    return register
  }
}

/** Notes that the key was used; the register keeps one note an hour. */
async function noteUse(
  { store, clock, randomId }: Pick<Context, 'store' | 'clock' | 'randomId'>,
  name: string,
): Promise<void> {
  const at = new Date(clock()).toISOString()
  const metadata = { actor: `provider:${name}`, schemaVersion: 1 }
  await execute(store, providers, registerStream, { type: 'NoteUse', name, at }, (event) => ({
    ...event,
    id: randomId(),
    metadata,
  }))
}

function sameHash(one: string, two: string): boolean {
  return one.length === two.length && timingSafeEqual(Buffer.from(one), Buffer.from(two))
}

import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { ProviderEvent } from './events.ts'

/** One stream for all providers, because there are few. */
export const registerStream: StreamName = 'provider-register'

/** A provider in the register; instants are ISO 8601 in UTC. */
export interface Provider {
  readonly name: string
  readonly keyHash: string
  readonly addedAt: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
  /** The only business that it reports for; any business if absent. */
  readonly businessId?: number
}

/** The register: providers by name. */
export type Register = Map<string, Provider>

/** The commands of the register; `at` is the instant of the command. */
export type ProviderCommand =
  | {
      readonly type: 'AddProvider'
      readonly name: string
      readonly key_hash: string
      readonly at: string
      readonly business_id?: number
    }
  | { readonly type: 'RevokeProvider'; readonly name: string; readonly at: string }
  | { readonly type: 'NoteUse'; readonly name: string; readonly at: string }

const day = 86_400_000

const evolve: Reducer<Register, ProviderEvent> = (register, { type, data }) => {
  const { name, at } = data
  const known = register.get(name)
  if (type === 'ProviderAdded') {
    const { key_hash: keyHash, business_id: businessId } = data
    return register.set(name, { name, keyHash, addedAt: at, ...(businessId === undefined ? {} : { businessId }) })
  }
  if (known === undefined) return register
  return register.set(name, type === 'ProviderRevoked' ? { ...known, revokedAt: at } : { ...known, lastUsedAt: at })
}

function decide(command: ProviderCommand, register: Register): readonly ProviderEvent[] {
  const { name, at } = command
  const known = register.get(name)
  const valid = known !== undefined && known.revokedAt === undefined
  switch (command.type) {
    case 'AddProvider':
      if (valid) throw new EngineError('provider_exists', { name })
      return [{ type: 'ProviderAdded', data: added(command) }]
    case 'RevokeProvider':
      if (!valid) throw new EngineError('provider_not_found', { name })
      return [{ type: 'ProviderRevoked', data: { name, at } }]
    case 'NoteUse':
      if (!valid || Date.parse(at) - Date.parse(known.lastUsedAt ?? '1970-01-01T00:00:00Z') < day) return []
      return [{ type: 'ProviderKeyUsed', data: { name, at } }]
  }
}

function added({ type: _, ...data }: Extract<ProviderCommand, { readonly type: 'AddProvider' }>) {
  return data
}

/** The decider of the register. A provider has one valid key; after a revocation it can get a new one. */
export const providers: Decider<Register, ProviderCommand, ProviderEvent> = { initial: () => new Map(), evolve, decide }

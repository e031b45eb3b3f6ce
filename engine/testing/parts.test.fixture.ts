import { randomUUID } from 'node:crypto'
import { profiles } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import { domains } from '../domains/index.ts'
import { createPorts, directory } from '../domains/ports.ts'
import type { Context } from '../kernel/context.ts'
import type { Storage } from '../kernel/event-store.ts'
import type { Upcasts } from '../kernel/upcast.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createMemoryModels } from '../store/memory-models.ts'
import { sealedStore } from '../store/sealed.ts'
import { outside } from './context.ts'
import { createMemoryVault } from './vault.test.fixture.ts'

const upcasts: Upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))
const erasures = domains.flatMap((domain) => domain.erasures ?? [])
const ports = createPorts(domains.flatMap((domain) => domain.operations))

/**
 * The parts of a context that do not depend on the call: all domains and their real ports, on a store in memory. `stored`
 * is the store under theirs, where personal data is sealed.
 */
export function createTestParts({
  clock = Date.now,
  randomId = randomUUID,
  stored = createMemoryStore(clock),
}: {
  readonly clock?: () => number
  readonly randomId?: () => string
  readonly stored?: Storage
}): Omit<Context, 'caller' | 'messages' | 'requestId'> {
  const store = sealedStore(stored, { vault: createMemoryVault(), upcasts, erasures })
  const kept = { store, models: createMemoryModels(store), clock, randomId }
  return { ...outside, ...kept, directory, ports, profiles, formats: projections, baseUrl: 'http://localhost:3000' }
}

import { randomUUID } from 'node:crypto'
import { profiles } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import { domains } from '../domains/of-all.ts'
import { createPorts, directory } from '../domains/ports.ts'
import type { Context } from '../kernel/context.ts'
import type { Storage } from '../kernel/event-store.ts'
import type { Upcasts } from '../kernel/upcast.ts'
import { createMemoryModels } from '../store/memory-models.ts'
import { sealedStore } from '../store/sealed.ts'
import { outside } from './context.ts'
import { createMemoryVault } from './vault.test.fixture.ts'

const upcasts: Upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))
const erasures = domains.flatMap((domain) => domain.erasures ?? [])
const ports = createPorts(domains.flatMap((domain) => domain.operations))

/** The parts of a context that do not depend on the call. */
type Parts = Omit<Context, 'caller' | 'messages' | 'requestId'>

/** Makes the parts of an engine on a store; the real clock and random ids if absent. */
type MakeParts = (given: {
  readonly store: Storage
  readonly clock?: () => number
  readonly randomId?: () => string
}) => Parts

/** The parts of an engine with all domains and their real ports. Personal data is sealed in `store`. */
export const createTestParts: MakeParts = ({ store, clock = Date.now, randomId = randomUUID }) => {
  const sealed = sealedStore(store, { vault: createMemoryVault(), upcasts, erasures })
  const kept = { store: sealed, models: createMemoryModels(sealed), clock, randomId }
  return { ...outside, ...kept, directory, ports, profiles, formats: projections, baseUrl: 'http://localhost:3000' }
}

import t from 'tap'
import { deriveId } from '../../kernel/id.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { createMemoryModels } from '../../store/memory-models.ts'
import { specificationOf } from '../../testing/spec.ts'
import { providers, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'
import { serves } from './serves.ts'

const { given } = specificationOf(t, providers)
const at = '2026-06-10T10:00:00.000Z'
const added: ProviderEvent = { type: 'ProviderAdded', data: { name: 'acme', key_hash: 'h', at } }
const revoked: ProviderEvent = { type: 'ProviderRevoked', data: { name: 'acme', at } }

t.test('given no provider, when one is added, then it has a key', async () => {
  given().when({ type: 'AddProvider', name: 'acme', key_hash: 'h', at }).then(added)
})

t.test('given a provider, when it is added again, then it is refused until its key is revoked', async () => {
  const again = { type: 'AddProvider', name: 'acme', key_hash: 'h', at } as const
  given(added).when(again).thenRefused('provider_exists')
  given(added, revoked).when(again).then(added)
})

t.test('given a provider, when its key is revoked, then it is invalid, and cannot be revoked again', async () => {
  const revoke = { type: 'RevokeProvider', name: 'acme', at } as const
  given(added).when(revoke).then(revoked)
  given(added, revoked).when(revoke).thenRefused('provider_not_found')
  given().when(revoke).thenRefused('provider_not_found')
})

t.test('given a valid key, when it is used, then that is recorded once a day', async () => {
  const use = (instant: string) => ({ type: 'NoteUse', name: 'acme', at: instant }) as const
  const used: ProviderEvent = { type: 'ProviderKeyUsed', data: { name: 'acme', at } }
  given(added).when(use(at)).then(used)
  given(added, used).when(use('2026-06-11T09:59:59.999Z')).thenNothing()
  given(added, used)
    .when(use('2026-06-11T10:00:00.000Z'))
    .then({ type: 'ProviderKeyUsed', data: { name: 'acme', at: '2026-06-11T10:00:00.000Z' } })
  given(added, revoked).when(use(at)).thenNothing()
})

t.test(
  'given facts about a provider that is not there, when they are folded, then nothing is known of it',
  async (t) => {
    t.equal(providers.evolve(providers.initial(), revoked).size, 0)
  },
)

t.test(
  'given providers, when a business asks for one, then it can work with its own and with those of none',
  async (t) => {
    const store = createMemoryStore(() => Date.parse(at))
    const facts = { store, models: createMemoryModels(store) }
    const own: ProviderEvent = { type: 'ProviderAdded', data: { name: 'own', key_hash: 'h', at, business_id: 1 } }
    const gone: ProviderEvent = { type: 'ProviderAdded', data: { name: 'gone', key_hash: 'h', at } }
    const left: ProviderEvent = { type: 'ProviderRevoked', data: { name: 'gone', at } }
    const events = [added, own, gone, left].map((event, place) => ({
      ...event,
      id: deriveId('providers', String(place)),
      metadata: { schemaVersion: 1 },
    }))
    await store.append(registerStream, events, 'no-stream')
    const isServed = (name: string, businessId: number) => serves(facts, name, businessId)
    t.same(await Promise.all([isServed('acme', 1), isServed('acme', 2)]), [true, true])
    t.same(await Promise.all([isServed('own', 1), isServed('own', 2)]), [true, false])
    t.same(await Promise.all([isServed('gone', 1), isServed('nobody', 1)]), [false, false])
  },
)

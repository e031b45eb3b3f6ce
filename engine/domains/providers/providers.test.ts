import t from 'tap'
import { specificationOf } from '../../testing/spec.ts'
import { providers } from './decider.ts'
import type { ProviderEvent } from './events.ts'

const { given } = specificationOf(t, providers)
const at = '2026-06-10T10:00:00.000Z'
const added: ProviderEvent = { type: 'ProviderAdded', data: { name: 'acme', key_hash: 'h', at } }
const revoked: ProviderEvent = { type: 'ProviderRevoked', data: { name: 'acme', at } }

t.test('given no provider, when one is added, then it has a key', async () => {
  given().when({ type: 'AddProvider', name: 'acme', key_hash: 'h', at }).then(added)
})

t.test('given a provider, when it is added again, then that is refused until its key is revoked', async () => {
  const again = { type: 'AddProvider', name: 'acme', key_hash: 'h', at } as const
  given(added).when(again).thenRefused('provider_exists')
  given(added, revoked).when(again).then(added)
})

t.test('given a provider, when its key is revoked, then it is void, and cannot be revoked again', async () => {
  const revoke = { type: 'RevokeProvider', name: 'acme', at } as const
  given(added).when(revoke).then(revoked)
  given(added, revoked).when(revoke).thenRefused('provider_not_found')
  given().when(revoke).thenRefused('provider_not_found')
})

t.test('given a valid key, when it is used, then that is noted once a day', async () => {
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

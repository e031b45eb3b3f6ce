import t from 'tap'
import { fold } from '../../kernel/decider.ts'
import { deriveId } from '../../kernel/id.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { createMemoryModels } from '../../store/memory-models.ts'
import { specificationOf } from '../../testing/spec.ts'
import { isExpired, keysOf, providers, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'
import { serves } from './read.ts'

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

t.test(
  'given a provider, when it is to send webhooks, then their secret is kept until they end or it is revoked',
  async () => {
    const personal = { secret: 'a secret of ours' }
    const set = { type: 'SetWebhook', name: 'acme', at, format: 'aftership', personal } as const
    const isSet: ProviderEvent = {
      type: 'ProviderWebhookSet',
      data: { name: 'acme', at, format: 'aftership', personal },
    }
    const removed: ProviderEvent = { type: 'ProviderWebhookRemoved', data: { name: 'acme', at } }
    given(added).when(set).then(isSet)
    given().when(set).thenRefused('provider_not_found')
    given(added, revoked).when(set).thenRefused('provider_not_found')
    given(added)
      .when({ ...set, business: 7 })
      .thenRefused('provider_not_found')
    given(added, isSet).when({ type: 'RemoveWebhook', name: 'acme', at }).then(removed)
    given(added, isSet, removed).when({ type: 'RemoveWebhook', name: 'acme', at }).thenNothing()
  },
)

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
  'given a key, when it is rotated, then the one before ends with the overlap, or earlier if it expires',
  async (t) => {
    const rotate = { type: 'RotateKey', name: 'acme', key_hash: 'i', at: '2026-06-20T10:00:00.000Z' } as const
    const week = { ...rotate, overlap_until: '2026-06-27T10:00:00.000Z' }
    const rotated = (overlap_until: string, more = {}): ProviderEvent => {
      const { type: _, ...data } = rotate
      return { type: 'ProviderKeyRotated', data: { ...data, overlap_until, ...more } }
    }
    given(added).when(week).then(rotated(week.overlap_until))
    given().when(week).thenRefused('provider_not_found')
    given(added, revoked).when(week).thenRefused('provider_not_found')

    const expires_at = '2026-06-24T10:00:00.000Z'
    const ending: ProviderEvent = { type: 'ProviderAdded', data: { name: 'acme', key_hash: 'h', at, expires_at } }
    const anew = { expires_at: '2026-07-04T10:00:00.000Z' }
    given(ending).when(week).then(rotated(week.overlap_until, anew))
    given(ending)
      .when({ ...week, expires_at: week.at })
      .then(rotated(week.overlap_until, { expires_at: week.at }))

    const keysAfter = (...events: readonly ProviderEvent[]) => {
      const provider = fold(providers, events).providers.get('acme')
      return provider === undefined ? [] : keysOf(provider).map(({ hash, expiresAt }) => [hash, expiresAt])
    }
    const long = rotated(week.overlap_until)
    t.same(keysAfter(added, long), [
      ['i', undefined],
      ['h', week.overlap_until],
    ])
    t.same(keysAfter(ending, long)[1], ['h', expires_at], 'an overlap makes no key live longer')
    t.same(keysAfter(added, long, rotated(week.overlap_until)).length, 2, 'the one before that has ended')
    t.same(keysAfter(added, long, revoked), [])
    t.ok(isExpired({ hash: 'h', madeAt: at, expiresAt: at }, at))
    t.notOk(isExpired({ hash: 'h', madeAt: at }, '9999-01-01T00:00:00.000Z'), 'a key of before has no end')
  },
)

t.test('given a provider of one business, when another business or an old key asks, then it is refused', async () => {
  const own: ProviderEvent = { type: 'ProviderAdded', data: { name: 'acme', key_hash: 'h', at, business_id: 1 } }
  const add = { type: 'AddProvider', name: 'acme', key_hash: 'i', at } as const
  const rotate = { type: 'RotateKey', name: 'acme', key_hash: 'i', at, overlap_until: at } as const
  const revoke = { type: 'RevokeProvider', name: 'acme', at } as const
  given(own)
    .when({ ...revoke, business: 1 })
    .then(revoked)
  given(own)
    .when({ ...revoke, business: 2 })
    .thenRefused('provider_not_found')
  given(added)
    .when({ ...revoke, business: 1 })
    .thenRefused('provider_not_found')
  given(own)
    .when({ ...rotate, business: 2 })
    .thenRefused('provider_not_found')
  given(own, revoked)
    .when({ ...add, business_id: 1, business: 1 })
    .then({ ...own, data: { ...own.data, key_hash: 'i' } })
  given(own, revoked)
    .when({ ...add, business_id: 2, business: 2 })
    .thenRefused('provider_name_taken')
  given(own, revoked)
    .when({ ...add, business_id: 2 })
    .then({ ...own, data: { ...own.data, key_hash: 'i', business_id: 2 } })
  given(own)
    .when({ ...rotate, holder: 'h' })
    .then({ type: 'ProviderKeyRotated', data: { name: 'acme', key_hash: 'i', at, overlap_until: at } })
  given(own)
    .when({ ...rotate, holder: 'g' })
    .thenRefused('provider_key_replaced')
})

t.test(
  'given a name under which an operator has recorded events, then only an operator gives it to a provider',
  async () => {
    const reserve = { type: 'ReserveName', name: 'acme', at } as const
    const reserved: ProviderEvent = { type: 'ProviderNameReserved', data: { name: 'acme', at } }
    const add = { type: 'AddProvider', name: 'acme', key_hash: 'i', at, business_id: 1 } as const
    const own: ProviderEvent = { type: 'ProviderAdded', data: { name: 'acme', key_hash: 'i', at, business_id: 1 } }
    given().when(reserve).then(reserved)
    given(reserved).when(reserve).thenNothing()
    given(added).when(reserve).thenNothing()
    given(reserved)
      .when({ ...add, business: 1 })
      .thenRefused('provider_name_taken')
    given(reserved).when(add).then(own)
    given(reserved, own, revoked)
      .when({ ...add, business: 1 })
      .then(own)
  },
)

t.test(
  'given facts about a provider that is not there, when they are folded, then nothing is known of it',
  async (t) => {
    t.equal(providers.evolve(providers.initial(), revoked).providers.size, 0)
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

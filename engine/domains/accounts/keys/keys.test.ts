import t from 'tap'
import { keyScopes, scopes } from '../../../kernel/account.ts'
import { fold } from '../../../kernel/decider.ts'
import { sha256 } from '../../../kernel/id.ts'
import { createMemoryStore } from '../../../store/memory.ts'
import { createMemoryModels } from '../../../store/memory-models.ts'
import { specificationOf } from '../../../testing/spec.ts'
import type { ApiKeyEvent } from './events.ts'
import { type ApiKey, apiKeyStream, apiKeys, hasExpired, isUseDue, secretsOf } from './key.ts'
import { apiKeyModel } from './model.ts'
import { apiKeyIdIn, newApiKey } from './secret.ts'

const at = '2026-06-10T10:00:00.000Z'
const expires_at = '2026-06-20T10:00:00.000Z'
const terms = { scopes: ['orders:read'], operations: ['get_orders'], read_only: true } as const
const whose = { at, by: 7, key_id: 3, account_id: 7, business_id: 1, generation: 2 }
const made: ApiKeyEvent = {
  type: 'ApiKeyMade',
  data: { ...whose, ...terms, hash: 'h', expires_at, personal: { name: 'Import' } },
}
const told = { at, by: 7 }
const base = { ...told, key_id: 3 }
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: base }
const erased: ApiKeyEvent = { type: 'ApiKeyErased', data: base }
const { given } = specificationOf(t, apiKeys)

/** The key after these events. */
function keyAfter(...events: readonly ApiKeyEvent[]): ApiKey {
  const key = fold(apiKeys, events)
  if (key === undefined) throw new Error('no key')
  return key
}

t.test('given no API key, when one is made, then it is known by its hash; nothing else can be done', async () => {
  const make = { type: 'MakeKey', ...whose, ...terms, hash: 'h', expires_at, name: 'Import' } as const
  given().when(make).then(made)
  given(made).when(make).thenNothing()
  for (const type of ['RevokeKey', 'EraseKey'] as const)
    given()
      .when({ type, ...told })
      .thenRefused('api_key_not_found')
  given().when({ type: 'NoteUse', at, source: '192.0.2.1' }).thenRefused('api_key_not_found')
})

t.test(
  'given an API key, when it is rotated, then both are accepted until the overlap or the first ends',
  async (t) => {
    const later = '2026-06-15T10:00:00.000Z'
    const rotate = { type: 'RotateKey', at: later, by: 7, generation: 2, hash: 'i' } as const
    const overlap_until = '2026-06-16T10:00:00.000Z'
    const renewed = '2026-06-25T10:00:00.000Z'
    const rotated: ApiKeyEvent = {
      type: 'ApiKeyRotated',
      data: { at: later, by: 7, key_id: 3, hash: 'i', expires_at: renewed, overlap_until },
    }
    given(made)
      .when({ ...rotate, overlap_until })
      .then(rotated)
    const [current, previous, ...more] = secretsOf(keyAfter(made, rotated), 2)
    t.strictSame(current, { hash: 'i', madeAt: later, expiresAt: renewed })
    t.strictSame(previous, { hash: 'h', madeAt: at, expiresAt: overlap_until })
    t.strictSame(more, [])
    const long = { ...rotated, data: { ...rotated.data, overlap_until: '2026-07-30T10:00:00.000Z' } }
    t.equal(secretsOf(keyAfter(made, long), 2)[1]?.expiresAt, expires_at, 'an overlap gives no key a longer life')
    const again = { ...rotated, data: { ...rotated.data, hash: 'j' } }
    t.strictSame(
      secretsOf(keyAfter(made, rotated, again), 2).map(({ hash }) => hash),
      ['j', 'i'],
      'the one before the one before is void',
    )
  },
)

t.test('given an API key that has ended, when it is rotated, then it is refused, and stays void', async (t) => {
  const rotate = { type: 'RotateKey', ...told, hash: 'i', overlap_until: at } as const
  for (const end of [revoked, erased])
    given(made, end)
      .when({ ...rotate, generation: 2 })
      .thenRefused('api_key_ended')
  given(made)
    .when({ ...rotate, generation: 3 })
    .thenRefused('api_key_ended')
  t.strictSame(secretsOf(keyAfter(made, revoked), 2), [])
  t.strictSame(secretsOf(keyAfter(made, erased), 2), [])
  t.strictSame(secretsOf(keyAfter(made), 3), [], 'its account was disabled since')
  t.equal(secretsOf(keyAfter(made), 2).length, 1)
})

t.test('given an API key, when it is revoked or erased again, then nothing happens', async (t) => {
  given(made)
    .when({ type: 'RevokeKey', ...told })
    .then(revoked)
  given(made, revoked)
    .when({ type: 'RevokeKey', ...told })
    .thenNothing()
  given(made, revoked)
    .when({ type: 'EraseKey', ...told })
    .then(erased)
  given(made, erased)
    .when({ type: 'EraseKey', ...told })
    .thenNothing()
  const used: ApiKeyEvent = { type: 'ApiKeyUsed', data: { at, key_id: 3, personal: { source: '192.0.2.1' } } }
  const { name, lastUse } = keyAfter(made, used, erased)
  t.strictSame({ name, lastUse }, { name: undefined, lastUse: undefined })
})

t.test('given uses, then they are recorded once a day, and from another source once an hour', async (t) => {
  const source = '192.0.2.1'
  const used: ApiKeyEvent = { type: 'ApiKeyUsed', data: { at, key_id: 3, personal: { source } } }
  given(made).when({ type: 'NoteUse', at, source }).then(used)
  given(made, revoked).when({ type: 'NoteUse', at, source }).thenNothing()
  const key = keyAfter(made, used)
  t.notOk(isUseDue(key, '2026-06-11T09:59:59.999Z', source))
  t.ok(isUseDue(key, '2026-06-11T10:00:00.000Z', source))
  t.notOk(isUseDue(key, '2026-06-10T10:59:59.999Z', '192.0.2.2'))
  t.ok(isUseDue(key, '2026-06-10T11:00:00.000Z', '192.0.2.2'))
})

t.test('given an expiry, then a key is accepted up to that instant', async (t) => {
  const { current } = keyAfter(made)
  t.notOk(hasExpired(current, '2026-06-20T09:59:59.999Z'))
  t.ok(hasExpired(current, expires_at))
})

t.test('given a new API key, then its form and its checksum tell it from any other text', async (t) => {
  const key = newApiKey({ token: () => sha256('random') }, 12)
  t.match(key, /^otk_12_[0-9a-f]{72}$/)
  t.equal(key, `otk_12_${sha256('random')}${sha256(`otk_12_${sha256('random')}`).slice(0, 8)}`)
  t.equal(apiKeyIdIn(key), 12)
  const other = key.at(-1) === '0' ? '1' : '0'
  for (const text of [`${key.slice(0, -1)}${other}`, key.replace('_12_', '_13_'), key.toUpperCase(), `${key}0`, ''])
    t.equal(apiKeyIdIn(text), undefined, text)
})

t.test('given the scopes, then keys have all but those of somebody who has signed in', async (t) => {
  const without = scopes.filter((scope) => !(keyScopes as readonly string[]).includes(scope))
  t.strictSame(without, ['account:self', 'approvals:write', 'accounts:write'])
})

t.test(
  'given events of keys, then the list has the open ones of an account, and since when others are not',
  async (t) => {
    const store = createMemoryStore(Date.now)
    const models = createMemoryModels(store)
    const facts = [made, { ...made, data: { ...made.data, key_id: 4 } }, { ...revoked, data: { ...base, key_id: 4 } }]
    for (const [index, event] of facts.entries()) {
      const id = `00000000-0000-4000-8000-00000000000${index}`
      const stream = apiKeyStream(event.data.key_id)
      const expected = (await store.last(stream))?.revision ?? 'no-stream'
      await store.append(stream, [{ ...event, id, metadata: { schemaVersion: 1 } }], expected)
    }
    const ofAccount = { business_id: 1, account_id: 7, generation: 2, expires_at }
    t.strictSame(await models.rows(apiKeyModel, { account_id: 7 }), [
      { ...ofAccount, key_id: 3, state: 'open' },
      { ...ofAccount, key_id: 4, state: 'revoked' },
    ])
  },
)

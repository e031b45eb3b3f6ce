import t from 'tap'
import { createAuthenticate } from '../adapters/auth/index.ts'
import { operator, type World, type WorldOptions, world } from '../adapters/auth/world.test.fixture.ts'
import {
  type Audit,
  addProvider,
  type Context,
  call,
  domains,
  en,
  executeOperation,
  isEngineError,
  isWriting,
  keyScopes,
  type Operation,
  otepIngest,
  partnerScopes,
  registerStream,
  roles,
  scopesOf,
} from '../engine/index.ts'

const path = '/api/v1/providers'
const rotation = '/api/v1/provider/key/rotate'
const operations = domains.flatMap((domain) => domain.operations)
const hour = 3_600_000

/** A server, and what people and the holders of keys do with the keys of providers. */
async function server(options: WorldOptions = {}) {
  const made = await world(options)
  const { send, tokens } = made
  const admin = (method: string, at = '', body?: object) =>
    send(method, `${path}${at}`, { token: tokens.client_admin, ...(body && { body }) })
  const add = async (name: string, more = {}): Promise<string> => (await admin('POST', '', { name, ...more })).body.key
  const push = async (token: string, tracking_number: string): Promise<string> => {
    const body = { subject: { tracking_number }, status_code: 'received', occurred_at: '2026-06-10T09:00:00Z' }
    const { status, body: answer } = await send('POST', '/api/v1/otep/ingest', { token, body })
    return status === 200 ? answer.data.events[0].outcome : answer.code
  }
  const renew = (token: string, body = {}) => send('POST', rotation, { token, body })
  return { ...made, admin, add, push, renew }
}

/** The names of the operations whose door lets a call with a key to the handler. */
async function openTo({ parts }: World, key: string): Promise<readonly string[]> {
  const context: Context = {
    ...parts,
    caller: await createAuthenticate(parts)(parts, `Bearer ${key}`),
    messages: en,
    requestId: 'test',
  }
  const open: string[] = []
  for (const { requireFields: _, ids: __, ...operation } of operations)
    await executeOperation({ ...operation, handle: async () => ({}) } as Operation, context, {}).then(
      () => open.push(operation.name),
      (error: unknown) => {
        if (!isEngineError(error)) throw error
      },
    )
  return open
}

t.test('given the key of a provider, then it opens what the table says, for one business and for all', async (t) => {
  const made = await server()
  const own = await made.add('courier')
  const { key: wide } = await call(addProvider, operator(made), { name: 'carrier', all_businesses: true })
  const within = (scopes: readonly string[]) =>
    operations
      .filter(
        ({ scopes: needed, by }) => needed.every((one) => scopes.includes(one)) && (by?.includes('provider') ?? true),
      )
      .map(({ name }) => name)
  t.strictSame(await openTo(made, own), within(['otep:ingest', ...partnerScopes]))
  t.strictSame(await openTo(made, String(wide)), within(['otep:ingest']))
})

t.test('given an administrator, then a provider is added, listed, replaced and revoked over HTTP alone', async (t) => {
  const { admin, add, push, clock } = await server()
  const first = await add('courier', { expires_in_hours: 48 })
  t.match(first, /^otep_courier_[0-9a-f]{64}$/)
  t.equal(await push(first, 'A1'), 'accepted')
  const listed = await admin('GET')
  const [at, expires_at] = ['2026-06-10T10:00:00.000Z', '2026-06-12T10:00:00.000Z']
  const record = { name: 'courier', business_id: 1, all_businesses: false, state: 'valid', added_at: at, expires_at }
  t.strictSame(listed.body.providers, [{ ...record, last_used_at: at }])
  t.notMatch(JSON.stringify(listed.body), first.slice(-64), 'the key is shown once')

  const renewed = await admin('POST', '/courier/rotate', { overlap_in_hours: 2 })
  const second = renewed.body.key
  t.match(renewed, { status: 200, body: { previous_key_until: '2026-06-10T12:00:00.000Z' } })
  t.same([await push(first, 'A2'), await push(second, 'A3')], ['accepted', 'accepted'])
  clock.now += 2 * hour
  t.same([await push(first, 'A4'), await push(second, 'A5')], ['key_expired', 'accepted'])

  t.match(await admin('DELETE', '/courier'), { status: 200, body: { result: true, name: 'courier' } })
  t.same([await push(first, 'A6'), await push(second, 'A7')], ['unauthenticated', 'unauthenticated'])
  t.match((await admin('GET')).body.providers, [{ state: 'revoked' }])
  t.match(await admin('DELETE', '/courier'), { status: 404, body: { code: 'provider_not_found' } })
  t.equal(await push(await add('courier'), 'A8'), 'accepted', 'the name can get another key')
})

t.test('given providers of others and of all, then an administrator neither sees, takes nor ends them', async (t) => {
  const made = await server()
  const { admin, other, send } = made
  await call(addProvider, operator(made), { name: 'carrier', all_businesses: true })
  const theirs = { token: other.tokens.client_admin, body: { name: 'rival' } }
  t.equal((await send('POST', path, theirs)).status, 200)
  t.equal((await send('DELETE', `${path}/rival`, { token: other.tokens.client_admin })).status, 200)
  t.same((await admin('GET')).body.providers, [])
  for (const name of ['carrier', 'rival', 'nobody']) {
    t.match(await admin('POST', `/${name}/rotate`, {}), { status: 404, body: { code: 'provider_not_found' } }, name)
    t.match(await admin('DELETE', `/${name}`), { status: 404, body: { code: 'provider_not_found' } }, name)
  }
  for (const name of ['carrier', 'rival', 'self-delivery', 'device-orders', 'cli'])
    t.match(await admin('POST', '', { name }), { status: 409, body: { code: 'provider_name_taken' } }, name)
  for (const more of [{ all_businesses: true }, { business_id: other.business }])
    t.equal((await admin('POST', '', { name: 'wide', ...more })).status, 422, 'never for another business, or for all')
})

t.test('given names in which an operator has recorded events, then no business takes one over HTTP', async (t) => {
  const made = await server()
  const { admin, parts, business } = made
  const caller = { kind: 'operator', name: 'scans', scopes: ['otep:ingest'] } as const
  const event = { subject: { tracking_number: 'F1' }, status_code: 'received', occurred_at: '2026-06-10T09:00:00Z' }
  const by = (provider: string) => ({ ...event, source: { type: 'carrier_tracking', provider } })
  const lines = [event, by('carrier'), by('No name')]
  const record = (some: readonly unknown[], more = {}) =>
    call(otepIngest, { ...operator(made), caller }, { document: { lines: some }, ...more })
  const refused = { ...by('unused'), status_code: 'nope' }
  await record([by('withheld'), refused], { atomic: true }).catch(() => undefined)
  await record([...lines, refused])
  const before = (await parts.store.read(registerStream)).length
  await record(lines)
  await record([{ ...event, status_code: 'delivered' }])
  t.equal((await parts.store.read(registerStream)).length, before, 'each name is reserved once')
  for (const name of ['scans', 'carrier'])
    t.match(await admin('POST', '', { name }), { status: 409, body: { code: 'provider_name_taken' } }, name)
  for (const name of ['unused', 'withheld'])
    t.equal((await admin('POST', '', { name })).status, 200, `${name}: nothing was recorded in it`)
  t.notMatch(JSON.stringify((await admin('GET')).body), '"scans"', 'a reserved name is no provider')
  await call(addProvider, operator(made), { name: 'scans', business_id: business })
  t.match(
    (await admin('GET')).body.providers,
    [{ name: 'scans' }, { name: 'unused' }, {}],
    'an operator gives the name',
  )
  t.equal((await admin('POST', '/scans/rotate', {})).status, 200)
})

t.test('given anybody but an administrator who has signed in, then no key of a provider is made or seen', async (t) => {
  const { send, tokens, add } = await server()
  const provider = await add('courier')
  const scopes = keyScopes.filter((one) => scopesOf.client_admin.includes(one))
  const made = await send('POST', '/api/v1/api-keys', { token: tokens.client_admin, body: { name: 'All', scopes } })
  const strangers = [...roles.filter((role) => role !== 'client_admin').map((role) => tokens[role]), provider]
  const calls = operations.filter(({ rest }) => rest?.path.startsWith(path))
  t.equal(calls.length, 6)
  for (const operation of calls) {
    const { method, path: at } = operation.rest ?? { method: 'GET', path }
    const ask = async (token?: string) =>
      (await send(method, at.replace('{name}', 'courier'), { token, ...(method !== 'GET' && { body: {} }) })).status
    t.equal(await ask(), 401, operation.name)
    for (const token of strangers) t.equal(await ask(token), 403, operation.name)
    t.equal(await ask(made.body.key), isWriting(operation) ? 403 : 200, `${operation.name} with a key of all scopes`)
  }
  t.equal((await send('POST', rotation, { token: tokens.client_admin, body: {} })).status, 403)
  t.equal((await send('POST', rotation, { body: {} })).status, 401)
})

t.test('given the holder of a key, when it replaces it, then the one before cannot take it back', async (t) => {
  const { add, push, renew, admin, clock } = await server()
  const stolen = await add('courier', { expires_in_hours: 24 })
  clock.now += 10 * hour
  const renewed = await renew(stolen, { overlap_in_hours: 5 })
  t.match(renewed, {
    status: 200,
    body: { expires_at: '2026-06-11T20:00:00.000Z', previous_key_until: '2026-06-11T01:00:00.000Z' },
  })
  const next = renewed.body.key
  t.same([await push(stolen, 'A1'), await push(next, 'A2')], ['accepted', 'accepted'], 'both, for a while')
  t.match(await renew(stolen, { overlap_in_hours: 0 }), { status: 409, body: { code: 'provider_key_replaced' } })
  t.equal(await push(next, 'A3'), 'accepted', 'the attempt has ended nothing')
  t.match(await renew(next, { expires_in_hours: 99 }), { status: 422 }, 'nor is a key made to live longer')
  const last = (await renew(next, { overlap_in_hours: 0 })).body.key
  t.same(
    [await push(stolen, 'A4'), await push(next, 'A5'), await push(last, 'A6')],
    ['unauthenticated', 'key_expired', 'accepted'],
  )
  await admin('DELETE', '/courier')
  t.equal((await renew(last)).status, 401, 'a revoked key gets no successor')
})

t.test('given a carrier of all businesses, then it replaces its own key, too, twice at once only once', async (t) => {
  const made = await server()
  const { key } = await call(addProvider, operator(made), { name: 'carrier', all_businesses: true })
  const both = await Promise.all([made.renew(String(key)), made.renew(String(key))])
  t.same(both.map(({ status }) => status).sort(), [200, 409])
})

t.test('given somebody who makes keys without end, then the register does not grow without end', async (t) => {
  const { add, renew, admin, clock } = await server({ start: Date.parse('2026-06-10T20:00:00Z') })
  let key = await add('courier')
  for (let count = 1; count < 24; count++) key = (await renew(key)).body.key
  t.match(await renew(key), { status: 409, body: { code: 'too_many_provider_keys' } })
  t.match(await admin('POST', '/courier/rotate', {}), { status: 409, body: { code: 'too_many_provider_keys' } })
  await admin('DELETE', '/courier')
  t.match(await admin('POST', '', { name: 'courier' }), { status: 409, body: { code: 'too_many_provider_keys' } })
  clock.now += 5 * hour
  t.match(await admin('POST', '', { name: 'courier' }), { status: 200 })
  for (let count = 1; count < 100; count++) await add(`courier-${count}`)
  t.match(await admin('POST', '', { name: 'one-more' }), { status: 409, body: { code: 'too_many_providers' } })
})

t.test('given keys of providers, then the security log tells who did what, and never a key', async (t) => {
  const entries: object[] = []
  const audit: Audit = ({ caller: { kind, name } }, { event, outcome, reason, concerned }) => {
    if (event.startsWith('key_')) entries.push({ by: `${kind}:${name}`, event, outcome, reason, ...concerned })
  }
  const { add, renew, admin, ids, store } = await server({ audit })
  const first = await add('courier')
  const second = (await renew(first)).body.key
  await renew(first)
  await admin('DELETE', '/courier')
  const [by, provider] = [`account:${ids.client_admin}`, 'courier']
  const self = { by: 'provider:courier', provider, event: 'key_rotated' }
  t.strictSame(entries, [
    { by, provider, event: 'key_made', outcome: 'ok', reason: undefined },
    { ...self, outcome: 'ok', reason: undefined },
    { ...self, outcome: 'refused', reason: 'provider_key_replaced' },
    { by, provider, event: 'key_revoked', outcome: 'ok', reason: undefined },
  ])
  const told = `${JSON.stringify(entries)}${JSON.stringify(await store.read('provider-register'))}`
  for (const key of [first, second]) t.notMatch(told, key.slice(-64))
})

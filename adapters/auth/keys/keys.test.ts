import t from 'tap'
import {
  type Audit,
  addProvider,
  call,
  createMemoryStore,
  EngineError,
  en,
  forgetAccount,
  type Role,
  type SecurityEntry,
  type Storage,
} from '../../../engine/index.ts'
import { createLimits } from '../../limits/index.ts'
import { createApp } from '../../main.ts'
import { limitsFrom } from '../../node/limits.ts'
import { operator, passwordOf, type World, world } from '../world.test.fixture.ts'

const keys = '/api/v1/api-keys'
const hour = 3_600_000

interface Made {
  readonly key: string
  readonly key_id: number
}

/** Makes an API key of an account of the first business. */
async function keyOf({ send, tokens }: World, role: Role, terms: object): Promise<Made> {
  const { status, body } = await send('POST', keys, { token: tokens[role], body: { name: 'Import', ...terms } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const reading = { scopes: ['orders:read'] }

t.test('given an API key, when it calls, then it does what its scopes say, and its account can list it', async (t) => {
  const made = await world()
  const { send, tokens, ids, clock } = made
  const { status, body, headers } = await send('POST', keys, {
    token: tokens.client_employee,
    body: { name: 'Import', scopes: ['orders:read', 'routes:read'], expires_in_hours: 48 },
  })
  t.equal(status, 200)
  t.equal(headers.get('cache-control'), 'no-store')
  t.strictSame(Object.keys(body), ['result', 'key_id', 'key', 'expires_at'])
  t.match(body, { key_id: 1, key: /^otk_1_[0-9a-f]{72}$/, expires_at: '2026-06-12T10:00:00.000Z' })
  t.equal((await send('GET', '/api/v1/orders', { token: body.key })).status, 200)
  const refused = await send('POST', '/api/v1/orders', { token: body.key, body: {} })
  t.match(refused, { status: 403, body: { code: 'forbidden' } })

  clock.now += hour
  const { body: listed } = await send('GET', keys, { token: tokens.client_employee })
  t.strictSame(listed.keys, [
    {
      ...{ key_id: 1, account_id: ids.client_employee, name: 'Import', scopes: ['orders:read', 'routes:read'] },
      ...{ state: 'valid', made_at: '2026-06-10T10:00:00.000Z', expires_at: body.expires_at },
      last_used: { at: '2026-06-10T10:00:00.000Z', source: 'local' },
    },
  ])
  t.notMatch(JSON.stringify(listed), body.key.slice(10))
})

t.test('given an account, when it makes a key of more than it has, then it is refused', async (t) => {
  const { send, tokens } = await world()
  const wrong = async (role: Role, terms: object) => {
    const { status, body } = await send('POST', keys, { token: tokens[role], body: { name: 'Import', ...terms } })
    t.equal(status, 422)
    return body.errors.map(({ path, code }: Record<string, string>) => `${path} ${code}`)
  }
  t.strictSame(await wrong('driver', { scopes: ['orders:read', 'webhooks:write'] }), ['scopes[1] scope_not_of_account'])
  for (const scope of ['account:self', 'accounts:write', 'approvals:write', 'platform:write', 'orders:erase'])
    t.strictSame(await wrong('client_admin', { scopes: [scope] }), ['scopes[0] unknown_value'], scope)
  t.strictSame(await wrong('driver', { ...reading, operations: ['get_orders', 'get_order'] }), [
    'operations[1] not_an_operation',
  ])
  t.strictSame(await wrong('driver', { scopes: [] }), ['scopes too_short'])
  t.strictSame(await wrong('driver', { ...reading, expires_in_hours: 10 * 365 * 24 + 1 }), [
    'expires_in_hours too_large',
  ])
})

t.test(
  'given an API key with all scopes, then it neither makes, lists nor revokes keys, nor acts for a person',
  async (t) => {
    const made = await world()
    const { send, tokens } = made
    const { body } = await send('GET', '/openapi.json')
    const all = body.components.schemas.KeyScope.enum
    const { body: user } = await send('GET', '/api/v1/user', { token: tokens.client_admin })
    const scopes = all.filter((scope: string) => user.scopes.includes(scope))
    const { key, key_id } = await keyOf(made, 'client_admin', { scopes })
    t.ok(scopes.length > 20)
    for (const [method, path, given] of [
      ['POST', keys, { name: 'More', ...reading }],
      ['GET', keys, undefined],
      ['POST', `${keys}/${key_id}/rotate`, {}],
      ['DELETE', `${keys}/${key_id}`, undefined],
      ['GET', '/api/v1/user', undefined],
      ['POST', '/api/v1/user/refresh', {}],
      ['POST', '/api/v1/user/logout', {}],
      [
        'PUT',
        '/api/v1/user/password',
        { current_password: passwordOf('client_admin'), new_password: 'another long one' },
      ],
      ['POST', '/api/v1/accounts', {}],
      ['POST', '/api/v1/approvals/1/approve', {}],
    ] as const)
      t.match(await send(method, path, { token: key, body: given }), { status: 403, body: { code: 'forbidden' } }, path)
  },
)

t.test(
  'given an API key that is no more, when it is sent, then the answer is 401, on every node at once',
  async (t) => {
    const store = createMemoryStore(() => Date.parse('2026-06-10T10:00:00Z'))
    const made = await world({ store })
    const { send, tokens, ids, clock } = made
    const other = createApp({ store, clock: () => clock.now })
    const both = async (key: string) => {
      const there = await other.request('/api/v1/orders', { headers: { Authorization: `Bearer ${key}` } })
      const here = await send('GET', '/api/v1/orders', { token: key })
      return [here.status, there.status, here.body.code]
    }
    const valid = [200, 200, undefined]
    const void_ = [401, 401, 'unauthenticated']

    const revoked = await keyOf(made, 'driver', reading)
    t.strictSame(await both(revoked.key), valid)
    t.equal((await send('DELETE', `${keys}/${revoked.key_id}`, { token: tokens.driver })).status, 200)
    t.strictSame(await both(revoked.key), void_)

    const expiring = await keyOf(made, 'driver', { ...reading, expires_in_hours: 1 })
    clock.now += hour - 1
    t.strictSame(await both(expiring.key), valid)
    clock.now += 1
    t.strictSame(await both(expiring.key), [401, 401, 'api_key_expired'])

    const disabled = await keyOf(made, 'driver', reading)
    const set = (is_active: boolean) =>
      send('PUT', `/api/v1/accounts/${ids.driver}/status`, { token: tokens.client_admin, body: { is_active } })
    t.strictSame(await both(disabled.key), valid)
    await set(false)
    t.strictSame(await both(disabled.key), void_)
    await set(true)
    t.strictSame(await both(disabled.key), void_, 'an account that is enabled again has to make other keys')
    const { body } = await send('GET', keys, { token: tokens.client_admin })
    t.strictSame(
      body.keys.map(({ state }: { state: string }) => state),
      ['ended', 'ended', 'revoked'],
    )
  },
)

t.test('given a live stream, when its key is revoked, then it ends in place of the next event', async (t) => {
  const made = await world()
  const { app, send, tokens } = made
  const { key, key_id } = await keyOf(made, 'driver', reading)
  const { key: token } = await call(addProvider, operator(made), { name: 'acme', all_businesses: true })
  const push = async (event_id: string) => {
    const event = { event_id, status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' }
    const body = { subject: { tracking_number: 'SR1' }, ...event }
    t.equal((await send('POST', '/api/v1/otep/ingest', { token: String(token), body })).status, 200)
  }
  await push('a')
  const headers = { Authorization: `Bearer ${key}` }
  const stream = (await app.request('/api/v1/otep/trackings/SR1/stream', { headers })).body?.getReader()
  const next = async () => new TextDecoder().decode((await stream?.read())?.value)
  t.equal(await next(), 'retry: 2000\nid: 0\n\n', 'a reader that is cut off now can go on from here')
  await push('b')
  t.match(await next(), 'event: tracking')
  await send('DELETE', `${keys}/${key_id}`, { token: tokens.driver })
  await push('c')
  t.strictSame(await stream?.read(), { done: true, value: undefined })
})

t.test('given a new password, then keys go on: no program has signed in with it', async (t) => {
  const made = await world()
  const { send, tokens } = made
  const { key } = await keyOf(made, 'driver', reading)
  const body = { current_password: passwordOf('driver'), new_password: 'lorry beacon thirteen' }
  t.equal((await send('PUT', '/api/v1/user/password', { token: tokens.driver, body })).status, 200)
  t.equal((await send('GET', keys, { token: tokens.driver })).status, 401)
  t.equal((await send('GET', '/api/v1/orders', { token: key })).status, 200)
})

t.test('given wrong keys, when they are sent, then all answers are alike', async (t) => {
  const made = await world()
  const { key } = await keyOf(made, 'driver', reading)
  const { key: another } = await keyOf(made, 'driver', reading)
  const mixed = `otk_1_${another.slice(6)}`
  for (const wrong of [`${key}0`, key.slice(0, -1), key.toUpperCase(), mixed, `otk_9_${key.slice(6)}`, 'otk_1_'])
    t.match(await made.send('GET', '/api/v1/orders', { token: wrong }), {
      status: 401,
      body: { code: 'unauthenticated' },
    })
})

t.test(
  'given an API key, when it is rotated, then both are accepted in the overlap, and then the new one',
  async (t) => {
    const made = await world()
    const { send, tokens, clock } = made
    const { key, key_id } = await keyOf(made, 'driver', reading)
    const rotate = (body: object, token = tokens.driver) => send('POST', `${keys}/${key_id}/rotate`, { token, body })
    const { status, body } = await rotate({ overlap_in_hours: 2 })
    t.equal(status, 200)
    t.match(body, { key_id, previous_key_until: '2026-06-10T12:00:00.000Z', expires_at: '2027-06-10T10:00:00.000Z' })
    const works = async (one: string) => (await send('GET', '/api/v1/orders', { token: one })).status
    t.strictSame([await works(key), await works(body.key)], [200, 200])
    clock.now += 2 * hour
    t.strictSame([await works(key), await works(body.key)], [401, 200])
    t.match(await rotate({}, tokens.client_admin), { status: 403, body: { code: 'not_own_api_key' } })
    const atOnce = await rotate({ overlap_in_hours: 0 })
    t.notOk('previous_key_until' in atOnce.body)
    t.strictSame([await works(body.key), await works(atOnce.body.key)], [401, 200])
    await send('DELETE', `${keys}/${key_id}`, { token: tokens.client_admin })
    t.equal(await works(atOnce.body.key), 401, 'an administrator can revoke it')
    t.match(await rotate({}), { status: 409, body: { code: 'api_key_ended' } })
  },
)

t.test('given keys of others, then they are not found, but by the administrator of their business', async (t) => {
  const made = await world()
  const { send, tokens, other, ids } = made
  const { key_id } = await keyOf(made, 'customer', reading)
  for (const token of [tokens.driver, tokens.client_employee, other.tokens.client_admin]) {
    t.match(await send('GET', keys, { token }), { body: { total: 0, keys: [] } })
    for (const method of ['GET', 'DELETE'])
      t.match(await send(method, `${keys}/${key_id}`, { token }), { status: 404, body: { code: 'api_key_not_found' } })
    t.match(await send('GET', `${keys}?account_id=${ids.customer}`, { token }), { body: { total: 0, keys: [] } })
  }
  const admin = tokens.client_admin
  await keyOf(made, 'driver', reading)
  t.match(await send('GET', keys, { token: admin }), {
    body: { total: 2, keys: [{ account_id: ids.driver }, { key_id }] },
  })
  t.match(await send('GET', `${keys}?account_id=${ids.customer}`, { token: admin }), { body: { keys: [{ key_id }] } })
  for (const token of [admin, tokens.customer])
    t.match(await send('GET', `${keys}/${key_id}`, { token }), {
      status: 200,
      body: { key: { key_id, state: 'valid' } },
    })
})

t.test('given many keys, when an account makes another, then it has to revoke one first', async (t) => {
  const made = await world()
  const { send, tokens } = made
  for (let count = 0; count < 50; count++) await keyOf(made, 'driver', { ...reading, expires_in_hours: 24 })
  const another = () => send('POST', keys, { token: tokens.driver, body: { name: 'One more', ...reading } })
  t.match(await another(), { status: 409, body: { code: 'too_many_api_keys' } })
  await send('DELETE', `${keys}/1`, { token: tokens.driver })
  t.equal((await another()).status, 200)
  t.equal((await another()).status, 409)
  t.equal((await keyOf(made, 'customer', reading)).key_id, 52, 'others are not concerned')
})

t.test(
  'given a key of some operations, or to read, then it calls nothing else, over REST, GraphQL, MCP and EPCIS',
  async (t) => {
    const made = await world()
    const { send, tokens } = made
    const body = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }
    const { body: order } = await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })
    const all = { scopes: ['orders:read', 'orders:write', 'approvals:read'] }
    const { key: listing } = await keyOf(made, 'client_admin', { ...all, operations: ['get_orders'] })
    const { key: reader } = await keyOf(made, 'client_admin', { ...all, read_only: true })
    const { key: wide } = await keyOf(made, 'client_admin', all)
    const tool = async (token: string, name: string, given: object) => {
      const params = { name, arguments: given }
      const headers = { Accept: 'application/json, text/event-stream' }
      const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { status, body: told } = await send('POST', '/mcp', { token, headers, body: sent })
      return status === 200 ? String(typeof told === 'string' ? told : JSON.stringify(told)) : String(status)
    }
    const graphql = async (token: string, query: string) => {
      const { body: told } = await send('POST', '/graphql', { token, body: { query } })
      return JSON.stringify(told)
    }
    const statuses = async (token: string) => [
      (await send('GET', '/api/v1/orders', { token })).status,
      (await send('GET', `/api/v1/orders/${order.order_id}`, { token })).status,
      (await send('POST', '/api/v1/orders', { token, body })).status,
      (await send('POST', '/api/v1/approvals', { token, body: { tool: 'create_order', arguments: body } })).status,
      (await send('GET', '/epcis/queries', { token })).status,
      (await send('GET', '/api/v1/otep/trackings/SR1', { token })).status,
      (await send('GET', '/api/v1/otep/trackings/SR1/stream', { token })).status,
    ]
    t.strictSame(await statuses(wide), [200, 200, 200, 200, 200, 404, 404])
    t.strictSame(await statuses(listing), [200, 403, 403, 403, 403, 403, 403])
    t.strictSame(await statuses(reader), [200, 200, 403, 403, 200, 404, 404])
    t.notMatch(await tool(wide, 'get_orders', {}), 'outside_key')
    t.notMatch(await tool(listing, 'get_orders', {}), 'outside_key')
    t.match(await tool(listing, 'get_order_detail', { order_id: order.order_id }), 'outside_key')
    t.match(await tool(reader, 'create_order', { ...body, confirm: true }), 'outside_key')
    t.match(await tool(reader, 'propose_write', { tool: 'create_order', arguments: body }), 'outside_key')
    t.notMatch(await graphql(wide, '{ orders { total } }'), 'outside_key')
    t.match(await send('POST', '/epcis/queries', { token: reader, body: {} }), { status: 403 })
  },
)

t.test(
  'given calls by a key, then the events that they cause and the security log tell which key it was',
  async (t) => {
    const entries: { readonly by: unknown; readonly entry: SecurityEntry }[] = []
    const audit: Audit = ({ caller }, entry) => void entries.push({ by: caller.key?.id, entry })
    const made = await world({ audit })
    const { send, ids, store } = made
    const { key, key_id } = await keyOf(made, 'client_admin', { scopes: ['orders:write'] })
    const body = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }
    const { body: order } = await send('POST', '/api/v1/orders', {
      token: key,
      body,
      headers: { 'Idempotency-Key': 'a' },
    })
    const actor = `account:${ids.client_admin}:key:${key_id}`
    for (const event of await store.read(`order-${order.order_id}`)) t.equal(event.metadata.actor, actor)
    t.equal((await send('GET', '/api/v1/routes', { token: key })).status, 403)
    const told = entries.filter(({ entry }) => entry.event === 'key_made' || entry.event === 'access')
    t.match(told, [
      { by: undefined, entry: { event: 'key_made', concerned: { account: ids.client_admin, key: key_id } } },
      { by: key_id, entry: { event: 'access', outcome: 'refused', reason: 'forbidden' } },
    ])
  },
)

/** Everything that a store has, as text. */
async function textOf(store: Storage): Promise<string> {
  let text = ''
  for await (const event of store.readAll()) text += JSON.stringify(event)
  return text
}

t.test('given a key, then no event has it, and its name and sources are erased with the person', async (t) => {
  const made = await world()
  const { store, parts, ids, send, tokens } = made
  const { key, key_id } = await keyOf(made, 'driver', { ...reading, name: 'Van of Dee' })
  t.equal((await send('GET', '/api/v1/orders', { token: key })).status, 200)
  const text = await textOf(store)
  t.notMatch(text, key.slice(6, -8))
  t.notMatch(text, 'Van of Dee')
  const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
  await call(forgetAccount, { ...parts, caller, messages: en, requestId: 'test' }, { account_id: ids.driver })
  t.equal((await send('GET', '/api/v1/orders', { token: key })).status, 401)
  const { body } = await send('GET', keys, { token: tokens.client_admin })
  t.match(body.keys, [{ key_id, state: 'revoked' }])
  t.notOk('name' in body.keys[0] || 'last_used' in body.keys[0])
})

t.test('given a store that takes no writes, when a key is used, then the call is answered', async (t) => {
  const memory = createMemoryStore(Date.now)
  let isFull = false
  let refused = 0
  const within = <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (isFull && ++refused > 0) throw new EngineError('store_unavailable')
    return write()
  }
  const store: Storage = {
    ...memory,
    append: async (...asked) => within(() => memory.append(...asked)),
    appendMany: async (appends) => within(() => memory.appendMany(appends)),
  }
  const made = await world({ store })
  const { key } = await keyOf(made, 'driver', reading)
  isFull = true
  t.equal((await made.send('GET', '/api/v1/orders', { token: key })).status, 200)
  t.equal(refused, 1)
})

t.test('given a key that calls too often, then only this key has to wait', async (t) => {
  const limits = createLimits({ settings: limitsFrom({ OTEP_LIMITS: 'calls=1/h:3' }), proxies: [], now: () => 0 })
  const made = await world({ limits })
  const { send } = made
  const { key } = await keyOf(made, 'driver', reading)
  const { key: other } = await keyOf(made, 'driver', reading)
  const statusWith = async (token: string) => (await send('GET', '/api/v1/orders', { token })).status
  for (const expected of [200, 200, 200, 429, 429]) t.equal(await statusWith(key), expected)
  t.equal(await statusWith(other), 200)
  t.equal(await statusWith(made.tokens.driver), 200)
})

t.test('given a key or token in an address, then the request is refused, whatever it asks', async (t) => {
  const made = await world()
  const { send, tokens } = made
  const { key } = await keyOf(made, 'driver', reading)
  const provider = `otep_acme_${'0'.repeat(64)}`
  const ofGrant = ['ota', 'otr', 'otc'].map((kind) => `${kind}_1_${'0'.repeat(64)}`)
  for (const secret of [key, tokens.driver, provider, ...ofGrant])
    for (const path of [
      `/api/v1/orders?access_token=${secret}`,
      `/api/v1/otep/trackings/${secret}`,
      `/mcp?key=${secret}`,
      `/graphql?key=${secret}`,
      `/epcis/events?key=${secret}`,
      `/track/${secret}`,
      `/healthz?${secret}`,
    ]) {
      const answer = await send('GET', path, { token: tokens.driver })
      t.match(answer, { status: 400, body: { code: 'credentials_in_address' } }, path.replace(secret, '...'))
      t.notMatch(JSON.stringify(answer.body), secret)
    }
  t.equal((await send('GET', '/api/v1/orders?x=otk_1', { token: tokens.driver })).status, 422)
})

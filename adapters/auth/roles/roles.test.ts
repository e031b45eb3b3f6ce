import t from 'tap'
import { call, createMemoryStore, forgetAccount, type SecurityEntry } from '../../../engine/index.ts'
import { createApp } from '../../main.ts'
import { operator, passwordOf, type World, world } from '../world.test.fixture.ts'

const path = '/api/v1/staff-roles'

/** Makes a staff role of the first business; returns its id. */
async function roleOf({ send, tokens }: World, body: object): Promise<number> {
  const made = await send('POST', path, { token: tokens.client_admin, body: { name: 'Night shift', ...body } })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body.staff_role_id
}

/** Gives an account of the first business a staff role, or null. */
function give({ send, tokens, ids }: World, staff_role_id: number | null, to: keyof World['ids'] = 'client_employee') {
  return send('PATCH', `/api/v1/accounts/${ids[to]}`, { token: tokens.client_admin, body: { staff_role_id } })
}

const order = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }

t.test('given an employee with a role, when the role changes, then its sessions and keys change at once', async (t) => {
  const made = await world()
  const { send, tokens, ids, clock } = made
  const employee = tokens.client_employee
  const body = { name: 'Import', scopes: ['orders:read', 'orders:write'] }
  const { key } = (await send('POST', '/api/v1/api-keys', { token: employee, body })).body
  const create = (token: string) => send('POST', '/api/v1/orders', { token, body: order })
  t.equal((await create(key)).status, 200)

  const id = await roleOf(made, { scopes: ['orders:read'] })
  t.match(await give(made, id), { status: 200, body: { staff_role_id: id, role: 'client_employee' } })
  for (const token of [employee, key]) {
    t.match(await create(token), { status: 403, body: { code: 'forbidden' } })
    t.equal((await send('GET', '/api/v1/orders', { token })).status, 200)
  }
  t.match((await send('GET', '/api/v1/user', { token: employee })).body, {
    staff_role: { id, name: 'Night shift' },
    scopes: ['account:self', 'orders:read'],
  })

  const replace = (terms: object) =>
    send('PUT', `${path}/${id}`, { token: tokens.client_admin, body: { name: 'Day shift', ...terms } })
  t.equal((await replace({ preset: 'dispatcher', read_only: true })).status, 200)
  t.match(await create(key), { status: 403, body: { code: 'outside_role', message: /Day shift/ } })
  t.equal((await replace({ preset: 'dispatcher' })).status, 200)
  t.equal((await create(key)).status, 200)

  // Another node on the same store.
  const app = createApp({ store: made.store, clock: () => clock.now })
  await replace({ scopes: ['routes:read'] })
  const headers = { Authorization: `Bearer ${employee}` }
  t.equal((await app.request('/api/v1/orders', { headers })).status, 403)
  t.equal((await give(made, null)).status, 200)
  t.equal((await app.request('/api/v1/orders', { headers })).status, 200)
  const { accounts } = (await send('GET', '/api/v1/accounts', { token: tokens.client_admin })).body
  t.notOk(accounts.some((one: object) => 'staff_role_id' in one))
  t.equal(accounts.length, Object.keys(ids).length)
})

t.test('given a role, when an employee has it, then it is not deleted; when nobody has it, it is', async (t) => {
  const made = await world()
  const { send, tokens, ids } = made
  const token = tokens.client_admin
  const id = await roleOf(made, { preset: 'warehouse' })
  await give(made, id)
  t.match((await send('GET', path, { token })).body, { roles: [{ id, preset: 'warehouse', accounts: 1 }] })
  t.match((await send('GET', `/api/v1/accounts?staff_role_id=${id}`, { token })).body, {
    total: 1,
    accounts: [{ id: ids.client_employee, staff_role_id: id }],
  })
  const refused = await send('DELETE', `${path}/${id}`, { token })
  t.match(refused, { status: 409, body: { code: 'staff_role_in_use', message: /\(1\)/ } })
  await call(
    forgetAccount,
    { ...operator(made), caller: { kind: 'operator', name: 'test', scopes: ['otep:erase'] } },
    { account_id: ids.client_employee },
  )
  t.equal((await send('DELETE', `${path}/${id}`, { token })).status, 200, 'an erased account does not hold it')
  t.match(await send('DELETE', `${path}/${id}`, { token }), { status: 404, body: { code: 'staff_role_not_found' } })
  t.equal(await roleOf(made, { preset: 'warehouse' }), id + 1, 'an id is not given again')
})

t.test('given an employee with a role, when it tries to widen itself, then it is refused', async (t) => {
  const made = await world()
  const { send, tokens, ids } = made
  const id = await roleOf(made, { scopes: ['accounts:read', 'orders:read', 'approvals:read'] })
  await give(made, id)
  const token = tokens.client_employee
  const tries: readonly (readonly [string, string, object?])[] = [
    ['POST', path, { name: 'All', preset: 'dispatcher' }],
    ['PUT', `${path}/${id}`, { name: 'All', preset: 'dispatcher' }],
    ['DELETE', `${path}/${id}`],
    ['PATCH', `/api/v1/accounts/${ids.client_employee}`, { staff_role_id: null }],
    ['PATCH', `/api/v1/accounts/${ids.client_employee}`, { role: 'client_admin' }],
  ]
  for (const [method, at, body] of tries)
    t.match(await send(method, at, { token, ...(body && { body }) }), { status: 403 }, `${method} ${at}`)
  const key = await send('POST', '/api/v1/api-keys', { token, body: { name: 'All', scopes: ['routes:read'] } })
  t.match(key.body.errors, [{ code: 'scope_not_of_account' }])
  t.equal((await send('GET', path, { token })).status, 200, 'it may see the roles')
})

t.test(
  'given other kinds of account, when they get a role, then it is refused: the administrator stays whole',
  async (t) => {
    const made = await world()
    const { send, tokens, ids } = made
    const id = await roleOf(made, { preset: 'read-only' })
    for (const kind of ['client_admin', 'contractor', 'customer', 'driver'] as const)
      t.match(await give(made, id, kind), { status: 422, body: { code: 'staff_role_not_for' } }, kind)
    t.match(await give(made, 99), { status: 404, body: { code: 'staff_role_not_found' } })
    await give(made, id)
    const at = `/api/v1/accounts/${ids.client_employee}`
    const patch = (body: object) => send('PATCH', at, { token: tokens.client_admin, body })
    t.strictSame((await patch({ role: 'client_admin' })).body, {
      ...{ result: true, account_id: ids.client_employee, role: 'client_admin' },
    })
    t.match((await patch({ role: 'client_employee', staff_role_id: id })).body, { staff_role_id: id })
    t.match(await patch({ role: 'client_admin', staff_role_id: id }), { status: 422 })
    const other = await made.send('PUT', `${path}/${id}`, {
      token: made.other.tokens.client_admin,
      body: { name: 'Mine', preset: 'dispatcher' },
    })
    t.match(other, { status: 404 }, 'another business has no such role')
  },
)

t.test('given a new employee, when it is opened with a role, then it never was without', async (t) => {
  const made = await world()
  const { send, tokens } = made
  const staff_role_id = await roleOf(made, { preset: 'read-only' })
  const person = { email: 'new@one.example', name: 'New', password: passwordOf('driver'), staff_role_id }
  const open = (role: string) =>
    send('POST', '/api/v1/accounts', { token: tokens.client_admin, body: { role, ...person } })
  t.match(await open('driver'), { status: 422, body: { code: 'staff_role_not_for' } })
  t.equal((await open('client_employee')).status, 200)
  const { email, password } = person
  const { access_token: token } = (await send('POST', '/api/v1/user/login', { body: { email, password } })).body
  t.match(await send('POST', '/api/v1/orders', { token, body: order }), { status: 403 })
})

t.test('given wrong terms of a role, when it is made, then each is refused with its place', async (t) => {
  const { send, tokens } = await world()
  const wrong = async (body: object) => {
    const made = await send('POST', path, { token: tokens.client_admin, body: { name: 'Night', ...body } })
    t.equal(made.status, 422)
    return made.body.errors.map(({ path: at, code }: Record<string, string>) => `${at} ${code}`)
  }
  t.strictSame(await wrong({}), ['preset preset_or_scopes'])
  t.strictSame(await wrong({ preset: 'warehouse', scopes: ['orders:read'] }), ['preset preset_or_scopes'])
  t.strictSame(await wrong({ scopes: ['accounts:write'] }), ['scopes[0] unknown_value'])
  t.strictSame(await wrong({ scopes: ['account:self'] }), ['scopes[0] unknown_value'])
  t.strictSame(await wrong({ preset: 'warehouse', operations: ['get_oders'] }), ['operations[0] not_an_operation'])
  const body = { name: 'Night', preset: 'warehouse' }
  t.equal((await send('POST', path, { token: tokens.client_admin, body })).status, 200)
  t.match(await send('POST', path, { token: tokens.client_admin, body }), {
    status: 409,
    body: { code: 'staff_role_name_taken' },
  })
})

t.test('given proposals, when roles narrow proposer or reviewer, then neither gets more by an approval', async (t) => {
  const made = await world()
  const { send, tokens } = made
  const propose = () =>
    send('POST', '/api/v1/approvals', {
      token: tokens.client_employee,
      body: { tool: 'create_order', arguments: order },
    })
  const { body: proposed } = await propose()
  const approve = (token: string, id: number) => send('POST', `/api/v1/approvals/${id}/approve`, { token, body: {} })
  const reading = await roleOf(made, { scopes: ['approvals:read', 'orders:read'] })
  await give(made, reading)
  t.match(await approve(tokens.client_admin, proposed.proposal_id), { status: 403 }, 'the proposer may not any more')
  t.match(await propose(), { status: 403 })

  await give(made, null)
  const { body: mine } = await send('POST', '/api/v1/approvals', {
    token: tokens.client_admin,
    body: { tool: 'create_order', arguments: order },
  })
  const reviewing = { scopes: ['approvals:read', 'approvals:write', 'orders:read', 'orders:write'] }
  const reviewer = await roleOf(made, {
    ...{ name: 'Reviewer', ...reviewing },
    operations: ['approve_pending_write', 'get_orders'],
  })
  await give(made, reviewer)
  t.match(await approve(tokens.client_employee, mine.proposal_id), { status: 403, body: { code: 'outside_role' } })
  await send('PUT', `${path}/${reviewer}`, { token: tokens.client_admin, body: { name: 'Reviewer', ...reviewing } })
  t.equal((await approve(tokens.client_employee, mine.proposal_id)).status, 200)
})

t.test(
  'given a role, when agents list tools, then they see what it leaves, and the log names each change',
  async (t) => {
    const entries: SecurityEntry[] = []
    const store = createMemoryStore(() => Date.parse('2026-06-10T10:00:00Z'))
    const made = await world({ store, audit: (_, entry) => entries.push(entry) })
    const { send, tokens, ids } = made
    const id = await roleOf(made, { scopes: ['routes:read'] })
    await give(made, id)
    const headers = { Accept: 'application/json, text/event-stream' }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const listed = await send('POST', '/mcp', { token: tokens.client_employee, headers, body })
    const names = listed.body.result.tools.map(({ name }: { name: string }) => name)
    t.ok(names.includes('get_routes'))
    t.notOk(names.includes('get_orders'))
    await give(made, null)
    await send('DELETE', `${path}/${id}`, { token: tokens.client_admin })
    t.strictSame(
      entries
        .filter(({ event }) => event === 'staff_role_change' || event === 'account_change')
        .map(({ event, outcome, concerned }) => ({ event, outcome, concerned })),
      [
        { event: 'staff_role_change', outcome: 'ok', concerned: { staff_role: id } },
        { event: 'account_change', outcome: 'ok', concerned: { account: ids.client_employee, staff_role: id } },
        { event: 'account_change', outcome: 'ok', concerned: { account: ids.client_employee, staff_role: 'none' } },
        { event: 'staff_role_change', outcome: 'ok', concerned: { staff_role: id } },
      ],
    )
  },
)

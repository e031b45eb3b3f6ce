import t from 'tap'
import {
  type Audit,
  call,
  clearFactors,
  createServiceAccountKey,
  forgetAccount,
  giveStaffRole,
  isEngineError,
  issueApiKey,
  linkIdentity,
  listAllAccounts,
  registerServiceAccount,
  resetPassword,
  switchAccount,
} from '../../../engine/index.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { operator, type WorldOptions, world } from '../world.test.fixture.ts'

const path = '/api/v1/service-accounts'
const order = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }

/** A server with a service account of the first business, and what its administrator does. */
async function server(options: WorldOptions = {}) {
  const made = await world(options)
  const { send, tokens } = made
  const admin = (method: string, at: string, body?: object) =>
    send(method, at, { token: tokens.client_admin, ...(body && { body }) })
  const { body } = await admin('POST', path, { role: 'client_employee', name: 'Warehouse system' })
  const id: number = body.account_id
  const keyOf = (terms: object, at = id) => admin('POST', `${path}/${at}/api-keys`, { name: 'Import', ...terms })
  const status = async (token: string) => (await send('GET', '/api/v1/orders', { token })).status
  return { ...made, admin, id, keyOf, status }
}

/** The code with which something was refused. */
async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => {
      if (isEngineError(error)) return error.code
      throw error
    },
  )
}

t.test(
  'given a service account, when an administrator makes it a key, then it acts, and what it does says so',
  async (t) => {
    const { id, keyOf, send, store, status, admin } = await server()
    const made = await keyOf({ scopes: ['orders:read', 'orders:write'] })
    t.match(made, { status: 200, body: { key: /^otk_/ } })
    const token = made.body.key
    const { body } = await send('POST', '/api/v1/orders', { token, body: order })
    for (const event of await store.read(`order-${body.order_id}`))
      t.equal(event.metadata.actor, `account:${id}:key:${made.body.key_id}`)
    t.match(await keyOf({ scopes: ['accounts:write'] }), { status: 422 }, 'it gets no rights of people')
    t.match(await keyOf({ scopes: ['webhooks:write'] }), {
      status: 422,
      body: { errors: [{ code: 'scope_not_of_account' }] },
    })

    const rotated = await admin('POST', `/api/v1/api-keys/${made.body.key_id}/rotate`, { overlap_in_hours: 0 })
    t.same([await status(token), await status(rotated.body.key)], [401, 200], 'administrators replace its keys')
    t.equal((await admin('DELETE', `/api/v1/api-keys/${made.body.key_id}`)).status, 200)
    t.equal(await status(rotated.body.key), 401)
  },
)

t.test(
  'given service accounts and people, then they are told apart in lists, and counted by staff roles',
  async (t) => {
    const { admin, id, send, tokens } = await server()
    const listed = async (query: string): Promise<readonly number[]> =>
      (await admin('GET', `/api/v1/accounts?${query}`)).body.accounts.map((one: { id: number }) => one.id)
    t.same(await listed('is_service=true'), [id])
    t.notOk((await listed('is_service=false')).includes(id))
    t.equal((await listed('')).length, (await listed('is_service=false')).length + 1)
    const { body } = await admin('GET', '/api/v1/accounts?is_service=true')
    t.strictSame(body.accounts, [
      {
        id,
        role: 'client_employee',
        name: 'Warehouse system',
        is_service: true,
        is_active: true,
        modules: {},
        hidden_prices: [],
      },
    ])
    const role = (await admin('POST', '/api/v1/staff-roles', { name: 'Read', scopes: ['orders:read'] })).body
      .staff_role_id
    const narrow = await admin('POST', path, { role: 'client_employee', name: 'Reader', staff_role_id: role })
    t.match((await admin('GET', '/api/v1/staff-roles')).body.roles, [{ accounts: 1 }])
    const asked = { name: 'All', scopes: ['orders:read', 'orders:write'] }
    const keys = `${path}/${narrow.body.account_id}/api-keys`
    t.match(
      await admin('POST', keys, asked),
      { status: 422, body: { errors: [{ path: 'scopes[1]' }] } },
      'within its role',
    )
    const { key } = (await admin('POST', keys, { name: 'Read', scopes: ['orders:read'] })).body
    t.equal((await send('POST', '/api/v1/orders', { token: key, body: order })).status, 403)
    t.match(await admin('POST', path, { role: 'client_admin', name: 'x', staff_role_id: role }), { status: 422 })
    for (const kind of ['customer', 'contractor', 'driver'])
      t.equal((await admin('POST', path, { role: kind, name: 'x' })).status, 422, `${kind} is a person`)
    for (const kind of ['client_employee', 'contractor', 'customer', 'driver'] as const) {
      t.equal(
        (await send('POST', path, { token: tokens[kind], body: { role: 'client_admin', name: 'x' } })).status,
        403,
      )
      t.equal((await send('POST', keys, { token: tokens[kind], body: asked })).status, 403)
    }
  },
)

t.test('given a person, or an account of another business, then no administrator makes it a key', async (t) => {
  const { keyOf, ids, other, id, send, admin, tokens } = await server()
  const terms = { scopes: ['orders:read'] }
  for (const account of Object.values(ids))
    t.match(await keyOf(terms, account), { status: 409, body: { code: 'not_service_account' } })
  for (const account of [...Object.values(other.ids), 999_999])
    t.match(await keyOf(terms, account), { status: 404, body: { code: 'account_not_found' } })
  const foreign = { token: other.tokens.client_admin, body: { name: 'Import', ...terms } }
  t.equal((await send('POST', `${path}/${id}/api-keys`, foreign)).status, 404)
  const { key_id, key } = (await keyOf(terms)).body
  for (const method of ['GET', 'DELETE'])
    t.equal((await send(method, `/api/v1/api-keys/${key_id}`, { token: other.tokens.client_admin })).status, 404)
  t.equal(
    (await send('POST', `/api/v1/api-keys/${key_id}/rotate`, { token: tokens.client_employee, body: {} })).status,
    404,
  )
  t.equal((await send('POST', `${path}/${id}/api-keys`, { token: key, body: { name: 'x', ...terms } })).status, 403)
  const own = await send('POST', '/api/v1/api-keys', { token: tokens.driver, body: { name: 'Van', ...terms } })
  t.match(await admin('POST', `/api/v1/api-keys/${own.body.key_id}/rotate`, {}), { body: { code: 'not_own_api_key' } })
})

t.test(
  'given a service account, then it gets no session, link, reset, identity or second factor, from anybody',
  async (t) => {
    const box = mailbox()
    const made = await server({ mail: box.mail })
    const { admin, id, keyOf, send } = made
    const context = operator(made)
    const token = (await keyOf({ scopes: ['orders:read'] })).body.key
    const refusals = [
      call(resetPassword, context, { account_id: id, password: 'a good and long password' }),
      call(linkIdentity, context, { account_id: id, issuer: 'https://idp.example', subject: 'robot' }),
      call(clearFactors, context, { account_id: id }),
    ]
    for (const code of await Promise.all(refusals.map(codeOf))) t.equal(code, 'service_account')
    t.match(await admin('POST', `/api/v1/accounts/${id}/invitation`), { body: { code: 'account_not_invited' } })
    t.match(await admin('DELETE', `/api/v1/accounts/${id}/second-factors`), { body: { code: 'service_account' } })
    const own: readonly [string, string, object][] = [
      ['POST', '/api/v1/user/refresh', {}],
      ['PUT', '/api/v1/user/password', { current_password: '', new_password: 'a good and long password' }],
      ['POST', '/api/v1/user/email', { new_email: 'robot@one.example', password: 'x' }],
      ['POST', '/api/v1/user/second-factors/authenticator', {}],
      ['POST', '/api/v1/api-keys', { name: 'x', scopes: ['orders:read'] }],
    ]
    for (const [method, at, body] of own) t.equal((await send(method, at, { token, body })).status, 403, at)
    for (const name of ['Warehouse system', '', String(id)])
      t.not((await send('POST', '/api/v1/user/login', { body: { email: name, password: '' } })).status, 200)
    const events = await made.store.read(`account-${id}`)
    t.same(
      events.map(({ type }) => type),
      ['ServiceAccountOpened'],
      'nothing of this has changed it',
    )
  },
)

t.test('given a service account, when it is disabled or erased, then its keys have ended, for good', async (t) => {
  const made = await server()
  const { admin, id, keyOf, status, parts } = made
  const at = `/api/v1/accounts/${id}/status`
  const key = (await keyOf({ scopes: ['orders:read'] })).body.key
  t.equal((await admin('PUT', at, { is_active: false })).status, 200)
  t.equal(await status(key), 401)
  t.equal((await admin('PUT', at, { is_active: true })).status, 200)
  t.equal(await status(key), 401, 'also when the account is enabled again')
  const next = (await keyOf({ scopes: ['orders:read'] })).body.key
  t.equal(await status(next), 200)
  t.equal((await admin('PATCH', `/api/v1/accounts/${id}`, { name: 'Depot system' })).status, 200)
  const eraser = { ...operator(made), caller: { ...operator(made).caller, scopes: ['otep:erase'] } }
  t.match(await call(forgetAccount, eraser, { account_id: id }), { state: 'forgotten' })
  t.match(await call(forgetAccount, eraser, { account_id: id }), { state: 'already_forgotten' })
  t.equal(await status(next), 401)
  t.match(await keyOf({ scopes: ['orders:read'] }), { status: 409, body: { code: 'account_erased' } })
  t.notMatch(JSON.stringify(await parts.store.read(`account-${id}`)), /Warehouse|Depot system/)
})

t.test('given an operator, then it opens, lists and disables service accounts of any business', async (t) => {
  const made = await server()
  const context = operator(made)
  const { account_id } = await call(registerServiceAccount, context, {
    ...{ business_id: made.other.business, role: 'client_admin', name: 'Robot' },
  })
  const key = await call(issueApiKey, context, { account_id, name: 'x', scopes: ['webhooks:write', 'orders:read'] })
  t.equal(await made.status(String(key.key)), 200)
  const { accounts } = await call(listAllAccounts, context, { business_id: made.other.business })
  t.match((accounts as readonly object[]).at(-1), { id: account_id, is_service: true })
  t.equal(await codeOf(call(giveStaffRole, context, { account_id, staff_role_id: 9 })), 'staff_role_not_found')
  await call(switchAccount, context, { account_id, is_active: false })
  t.equal(await made.status(String(key.key)), 401)
  const nobody = { business_id: 99, role: 'client_admin', name: 'x' }
  t.equal(await codeOf(call(registerServiceAccount, context, nobody)), 'business_not_found')
  t.equal(
    await codeOf(call(createServiceAccountKey, context, { account_id, name: 'x', scopes: ['orders:read'] })),
    'forbidden',
  )
})

t.test('given service accounts, then the security log tells who made them and their keys', async (t) => {
  const entries: object[] = []
  const audit: Audit = ({ caller: { name } }, { event, outcome, concerned }) => {
    if (/^(account|key)_/.test(event)) entries.push({ by: name, event, outcome, ...concerned })
  }
  const { id, keyOf, admin, ids } = await server({ audit })
  const { key_id } = (await keyOf({ scopes: ['orders:read'] })).body
  await admin('POST', `/api/v1/api-keys/${key_id}/rotate`, {})
  const by = { by: String(ids.client_admin), outcome: 'ok' }
  t.strictSame(entries, [
    { ...by, event: 'account_open', role: 'client_employee', service: true, account: id },
    { ...by, event: 'key_made', account: id, key: key_id },
    { ...by, event: 'key_rotated', key: key_id },
  ])
})

import { createHmac, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import {
  addProvider,
  assignApp,
  call,
  configureApp,
  createMemoryStore,
  type EngineError,
  listProviders,
  type Role,
  registerStream,
  roles,
  rotateProviderKey,
  setAppAvailability,
  setModule,
  sha256,
} from '../../engine/index.ts'
import { createApp } from '../main.ts'
import { createAttempts } from './attempts.ts'
import { createIdentify } from './identity.ts'
import { createAuthenticate } from './index.ts'
import { type Issuer, startIssuer } from './issuer.test.fixture.ts'
import { createPasswords } from './passwords.ts'
import { enableAssignment, operator, passwordOf, type World, world } from './world.test.fixture.ts'

const at = Date.parse('2026-06-10T10:00:00Z')
const cheap = { N: 2, r: 1, p: 1 }

/** The code of a refusal. */
async function codeOf(answer: Promise<unknown>): Promise<string | undefined> {
  return answer.then(
    () => undefined,
    (error: EngineError) => error.code,
  )
}

function loginOf({ send }: World) {
  return (email: string, password: string) => send('POST', '/api/v1/user/login', { body: { email, password } })
}

t.test('given an account, when it signs in, then its token tells who it is', async (t) => {
  const made = await world()
  const { send, tokens, ids, business } = made
  const { status, body } = await send('GET', '/api/v1/user', { token: tokens.driver })
  t.equal(status, 200)
  t.match(body, {
    ...{ result: true, id: ids.driver, role: 'driver', name: 'driver of one', email: 'driver@one.example' },
    business: { id: business, time_zone: 'America/Toronto', currency: 'CAD' },
  })
  const { body: session, headers } = await loginOf(made)('DRIVER@one.example', passwordOf('driver'))
  t.strictSame(Object.keys(session), ['result', 'access_token', 'token_type', 'expires_at', 'expires_timestamp'])
  t.match(session, { result: true, access_token: /^ots_[0-9a-f]{64}$/, token_type: 'Bearer' })
  t.equal(session.expires_at, '2026-06-10 22:00:00')
  t.equal(session.expires_timestamp, Date.parse('2026-06-10T22:00:00Z') / 1000)
  t.equal(headers.get('cache-control'), 'no-store')
})

t.test(
  'given a wrong password, no account or a disabled one, when it signs in, then all answers are alike',
  async (t) => {
    const made = await world()
    const { send, tokens, ids } = made
    const login = loginOf(made)
    await send('PUT', `/api/v1/accounts/${ids.customer}/status`, {
      token: tokens.client_admin,
      body: { is_active: false },
    })
    const answers = [
      await login('driver@one.example', 'not the password'),
      await login('nobody@one.example', 'not the password'),
      await login('customer@one.example', passwordOf('customer')),
    ]
    for (const { status, body, headers } of answers) {
      t.equal(status, 401)
      t.strictSame(body, answers[0]?.body)
      t.equal(body.code, 'invalid_credentials')
      t.equal(headers.get('www-authenticate'), 'Bearer realm="otep"')
    }
  },
)

t.test('given any email, when it signs in, then one slow hash is made, with or without an account', async (t) => {
  let made = 0
  const password = { normalize: () => String(++made) } as unknown as string
  const { hash, matches } = createPasswords(cheap)
  const known = await hash('right')
  made = 0
  t.equal(await matches(password, known), false)
  t.equal(made, 1)
  t.equal(await matches(password, undefined), false)
  t.equal(made, 2)
})

t.test('a hash of a password', async (t) => {
  const { hash, matches } = createPasswords(cheap)
  t.test('is another each time, tells its cost, and is matched by its password alone', async (t) => {
    const one = await hash('right')
    t.match(one, /^\$scrypt\$ln=1,r=1,p=1\$/)
    t.not(one, await hash('right'))
    t.ok(await matches('right', one))
    t.notOk(await matches('Right', one))
  })
  t.test('that was made at an earlier cost is still good', async (t) => {
    const later = createPasswords({ N: 16, r: 2, p: 2 })
    t.ok(await later.matches('right', await hash('right')))
    t.match(await later.hash('right'), /^\$scrypt\$ln=4,r=2,p=2\$/)
  })
  t.test('is of the text, however it is typed', async (t) => {
    t.ok(await matches('caf\u0065\u0301 secret', await hash('caf\u00e9 secret')))
  })
  t.test('of another form is an error of the program', async (t) => {
    t.equal(await codeOf(matches('right', 'md5:1')), 'internal')
  })
  t.test('at the cost of today is made within its memory', async (t) => {
    const today = createPasswords()
    t.ok(await today.matches('right', await today.hash('right')))
  })
})

t.test(
  'given five failures, when an email signs in again, then it has to wait, longer each time, existing or not',
  async (t) => {
    const made = await world()
    const login = loginOf(made)
    for (const name of ['driver', 'nobody']) {
      const email = `${name}@one.example`
      for (let count = 0; count < 5; count++) t.equal((await login(email, 'wrong')).status, 401)
      const { status, body, headers } = await login(email, passwordOf('driver'))
      t.equal(status, 429)
      t.equal(body.code, 'too_many_attempts')
      t.equal(headers.get('retry-after'), '30')
      made.clock.now += 30_000
      t.equal((await login(email.toUpperCase(), 'wrong')).status, 401)
      t.equal((await login(email, 'wrong')).headers.get('retry-after'), '60')
      made.clock.now += 60_000
    }
    t.equal((await login('driver@one.example', passwordOf('driver'))).status, 200)
    t.equal((await login('driver@one.example', 'wrong')).status, 401, 'success forgets the failures')
    t.equal((await login('driver@one.example', 'wrong')).status, 401)
  },
)

t.test('attempts', async (t) => {
  const fails = async () => undefined
  t.test('under one key wait for each other, so that none slips by', async (t) => {
    const { attempt } = createAttempts(() => at)
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(attempt('one', 'here', fails))))
    t.equal(codes.filter((code) => code === 'too_many_attempts').length, 15)
    const many = await Promise.all(Array.from({ length: 21 }, () => codeOf(attempt('two', 'here', fails))))
    t.equal(many.at(-1), 'too_busy')
  })
  t.test('wait five minutes at most, and are forgotten after a day', async (t) => {
    let now = at
    const { attempt } = createAttempts(() => now)
    const wait = async () => {
      const error = await attempt('one', 'here', async () => 'right').catch((error: EngineError) => error)
      return error === 'right' ? 0 : Number((error as EngineError).params.seconds)
    }
    for (let count = 0; count < 20; count++) {
      await attempt('one', 'here', fails)
      now += 1000 * (count < 4 ? 0 : Math.min(300, 30 * 2 ** (count - 4)))
    }
    await attempt('one', 'here', fails)
    t.equal(await wait(), 300)
    now += 25 * 3_600_000
    for (let count = 0; count < 4; count++) await attempt('one', 'here', fails)
    t.equal(await wait(), 0)
  })
  t.test('that break off count as nothing', async (t) => {
    const { attempt } = createAttempts(() => at)
    for (let count = 0; count < 9; count++)
      await t.rejects(attempt('one', 'here', () => Promise.reject(new Error('broken'))))
    t.equal(await attempt('one', 'here', async () => 1), 1)
  })
})

t.test('a token', async (t) => {
  const who = ({ send }: World, token: string) => send('GET', '/api/v1/user', { token })
  t.test('is good for twelve hours', async (t) => {
    const made = await world()
    made.clock.now += 12 * 3_600_000 - 1
    t.equal((await who(made, made.tokens.driver)).status, 200)
    made.clock.now += 1
    t.equal((await who(made, made.tokens.driver)).status, 401)
  })
  t.test('is refreshed for thirty days from the sign-in, and then no more', async (t) => {
    const { send, tokens, clock } = await world()
    let token = tokens.driver
    const start = clock.now
    const end = start + 30 * 86_400_000
    for (clock.now += 40_000_000; clock.now < end; clock.now += 40_000_000) {
      const { status, body } = await send('POST', '/api/v1/user/refresh', { token, body: {} })
      t.equal(status, 200)
      t.equal(body.expires_timestamp, Math.floor(Math.min(clock.now + 43_200_000, end) / 1000))
      token = body.access_token
    }
    clock.now = end - 1
    t.equal((await send('GET', '/api/v1/user', { token })).status, 200)
    clock.now = end
    t.equal((await send('GET', '/api/v1/user', { token })).status, 401)
  })
  t.test('ends at once when it is refreshed, and only once', async (t) => {
    const made = await world()
    const refresh = () => made.send('POST', '/api/v1/user/refresh', { token: made.tokens.driver, body: {} })
    const answers = await Promise.all([refresh(), refresh()])
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 401])
    const token = answers.find(({ status }) => status === 200)?.body.access_token
    t.equal((await who(made, made.tokens.driver)).status, 401)
    t.equal((await who(made, token)).status, 200)
  })
  t.test('ends with a logout', async (t) => {
    const made = await world()
    t.equal((await who(made, made.tokens.driver)).status, 200)
    t.equal((await made.send('POST', '/api/v1/user/logout', { token: made.tokens.driver })).status, 200)
    t.equal((await who(made, made.tokens.driver)).status, 401)
    t.equal((await who(made, made.tokens.customer)).status, 200)
  })
  t.test('ends with another password, as all of the account do', async (t) => {
    const made = await world()
    const token = made.tokens.driver
    const change = (current_password: string) =>
      made.send('PUT', '/api/v1/user/password', { token, body: { current_password, new_password: 'another good one' } })
    t.match(await change('wrong'), { status: 422, body: { code: 'wrong_password' } })
    t.equal((await change(passwordOf('driver'))).status, 200)
    t.equal((await who(made, token)).status, 401)
    t.equal((await loginOf(made)('driver@one.example', passwordOf('driver'))).status, 401)
    t.equal((await loginOf(made)('driver@one.example', 'another good one')).status, 200)
  })
  t.test('ends with its account, and stays so when that is enabled again', async (t) => {
    const made = await world()
    const { tokens, ids } = made
    const set = (is_active: boolean) =>
      made.send('PUT', `/api/v1/accounts/${ids.driver}/status`, { token: tokens.client_admin, body: { is_active } })
    t.equal((await set(false)).status, 200)
    t.equal((await who(made, tokens.driver)).status, 401)
    t.equal((await set(true)).status, 200)
    t.equal((await who(made, tokens.driver)).status, 401)
    t.equal((await loginOf(made)('driver@one.example', passwordOf('driver'))).status, 200)
  })
  t.test('of another form is none', async (t) => {
    const made = await world()
    const { driver } = made.tokens
    for (const token of [
      driver.slice(0, -1),
      `${driver}0`,
      `ots_${'0'.repeat(64)}`,
      'x',
      driver.replace('ots_', 'otep_a_'),
    ])
      t.equal((await who(made, token)).status, 401, token.slice(0, 8))
  })
})

t.test(
  'given everything that was done, when the store is read as it is kept, then it tells no secret and nobody',
  async (t) => {
    const made = await world()
    const { send, tokens } = made
    const key = { 'Idempotency-Key': 'once' }
    const person = { role: 'driver', email: 'eve@one.example', name: 'Eve Ravensbourne', password: 'secret of eve' }
    await send('POST', '/api/v1/accounts', { token: tokens.client_admin, body: person, headers: key })
    const { body } = await send('POST', '/api/v1/user/refresh', { token: tokens.driver, body: {}, headers: key })
    await send('PUT', '/api/v1/user/password', {
      token: tokens.customer,
      body: { current_password: passwordOf('customer'), new_password: 'new secret 1' },
      headers: key,
    })
    const events = []
    for await (const event of made.store.readAll()) events.push(event)
    const text = JSON.stringify(events)
    const secrets = [...Object.values(tokens), body.access_token, person.password, 'new secret 1', passwordOf('driver')]
    for (const secret of [...secrets, '@one.example', 'Ravensbourne', 'scrypt', 'driver of one'])
      t.notMatch(text, secret)
    t.notOk(
      events.some(({ stream }) => stream.startsWith('idempotency-')),
      'nothing is kept under a key',
    )
  },
)

t.test('given an error that nobody expected, when it is logged, then neither password nor token is told', async (t) => {
  const password = 'never to be told'
  const token = `ots_${'a'.repeat(64)}`
  const store = createMemoryStore(() => at)
  const last = () => Promise.reject(new Error(`broken by ${token} and ${password}`))
  const app = createApp({ store: { ...store, last, read: last }, passwordCost: cheap })
  const logged = t.capture(console, 'error')
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const body = JSON.stringify({ email: 'ada@one.example', password })
  const answers = [
    await app.request('/api/v1/user/login', { method: 'POST', headers, body }),
    await app.request('/api/v1/user', { headers }),
  ]
  const told = JSON.stringify(logged().map(({ args }) => args))
  const answered = await Promise.all(answers.map((answer) => answer.text()))
  t.equal(told.split('unexpected error').length, 3)
  for (const answer of answers) t.equal(answer.status, 500)
  for (const secret of [password, token, 'ada@']) t.notMatch(told + answered.join(), secret)
})

const access: readonly (readonly [method: string, path: string, body: object | undefined, who: readonly Role[]])[] = [
  ['GET', '/api/v1/user', undefined, roles],
  ['GET', '/api/v1/accounts', undefined, ['client_admin', 'client_employee']],
  [
    'POST',
    '/api/v1/accounts',
    { role: 'driver', email: 'new@one.example', name: 'New', password: 'good enough' },
    ['client_admin'],
  ],
  ['PATCH', '/api/v1/accounts/4', { name: 'Four' }, ['client_admin']],
  ['PATCH', '/api/v1/business', { name: 'One' }, ['client_admin']],
  ['PUT', '/api/v1/accounts/4/status', { is_active: true }, ['client_admin']],
  ['PUT', '/api/v1/accounts/3/modules', { modules: { broker_assignment: 'on' } }, ['client_admin']],
  ['PUT', '/api/v1/accounts/4/hidden-prices', { families: ['device_orders'] }, ['client_admin']],
  ['PUT', '/api/v1/business/modules', { modules: { device_orders: 'on' } }, ['client_admin']],
  ['POST', '/api/v1/accounts/4/top-ups', { amount: '5.00' }, ['client_admin']],
  ['GET', '/api/v1/customer/credits', undefined, ['customer']],
  ['POST', '/api/v1/user/refresh', {}, roles],
]

t.test('who may do what', async (t) => {
  const made = await world()
  const { send, tokens } = made
  await enableAssignment(made)
  for (const [method, path, body, who] of access) {
    t.match(await send(method, path, { body }), { status: 401, body: { code: 'unauthenticated' } }, `${method} ${path}`)
    for (const role of roles) {
      const { status, body: answer } = await send(method, path, { token: tokens[role], body })
      t.equal(status, who.includes(role) ? 200 : 403, `${role}: ${method} ${path}`)
      if (status === 403) t.match(answer, { result: false, code: /^(forbidden|wrong_account)$/ })
    }
  }
})

t.test(
  'given an account of another business, when an admin changes it, then there is none, and nothing changes',
  async (t) => {
    const { send, tokens, other } = await world()
    const token = tokens.client_admin
    for (const [path, method, body] of [
      [`${other.ids.customer}/status`, 'PUT', { is_active: false }],
      [`${other.ids.contractor}/modules`, 'PUT', { modules: { broker_assignment: 'on' } }],
      [`${other.ids.customer}/hidden-prices`, 'PUT', { families: [] }],
      [`${other.ids.customer}/top-ups`, 'POST', { amount: '5.00' }],
      [`${other.ids.customer}`, 'PATCH', { name: 'Stolen' }],
      ['999/top-ups', 'POST', { amount: '5.00' }],
      ['999/status', 'PUT', { is_active: false }],
    ] as const)
      t.match(
        await send(method, `/api/v1/accounts/${path}`, { token, body }),
        { status: 404, body: { code: 'account_not_found' } },
        path,
      )
    const { body } = await send('GET', '/api/v1/accounts?per_page=200', { token: other.tokens.client_admin })
    t.equal(body.total, roles.length)
    t.ok(body.accounts.every(({ is_active }: { is_active: boolean }) => is_active))
    t.match((await send('GET', '/api/v1/customer/credits', { token: other.tokens.customer })).body, { balance: '0.00' })
  },
)

t.test('given two admins, when they disable each other at once, then one of them stays', async (t) => {
  const { send, tokens, ids } = await world()
  const both = ['client_admin', 'client_employee'] as const
  const promoted = { token: tokens.client_admin, body: { role: 'client_admin' } }
  t.equal((await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, promoted)).status, 200)
  const disable = (by: (typeof both)[number], id: number) =>
    send('PUT', `/api/v1/accounts/${id}/status`, { token: tokens[by], body: { is_active: false } })
  const answers = await Promise.all([disable(both[0], ids[both[1]]), disable(both[1], ids[both[0]])])
  t.same(answers.map(({ status }) => status).toSorted(), [200, 401])
  const users = await Promise.all(both.map((one) => send('GET', '/api/v1/user', { token: tokens[one] })))
  t.same(users.map(({ status }) => status).toSorted(), [200, 401])
})

t.test(
  'given an admin, when it corrects accounts and its business, then all see it at their next call, and roles stay apart',
  async (t) => {
    const { send, tokens, ids } = await world()
    const token = tokens.client_admin
    const correct = (id: number, body: object, by = token) =>
      send('PATCH', `/api/v1/accounts/${id}`, { token: by, body })
    t.match(await correct(ids.driver, { name: 'Dee Right' }), { status: 200, body: { role: 'driver' } })
    t.match((await send('GET', '/api/v1/user', { token: tokens.driver })).body, { name: 'Dee Right' })
    t.match(await correct(ids.client_employee, { role: 'client_admin' }), {
      status: 200,
      body: { role: 'client_admin' },
    })
    const promoted = tokens.client_employee
    t.match((await send('GET', '/api/v1/user', { token: promoted })).body, { role: 'client_admin' })
    t.match((await send('GET', '/api/v1/accounts?role=client_admin', { token })).body, { total: 2 })
    t.match(await correct(ids.client_admin, { role: 'client_employee' }), { body: { code: 'own_role_kept' } })
    t.equal((await correct(ids.client_admin, { role: 'client_employee' }, promoted)).status, 200)
    t.equal((await correct(ids.driver, { name: 'X' })).status, 403, 'it takes effect with the next call')
    for (const [id, role] of [
      [ids.driver, 'client_admin'],
      [ids.client_admin, 'customer'],
    ] as const)
      t.match(await correct(id, { role }, promoted), { status: 409, body: { code: 'role_kept' } })
    const opening_hours = {
      monday: [
        { start: '09:00', end: '12:00' },
        { start: '13:00', end: '17:30' },
      ],
      sunday: [],
    }
    const business = { name: 'Renamed', time_zone: 'Europe/Paris', opening_hours }
    const change = (body: object) => send('PATCH', '/api/v1/business', { token: promoted, body })
    t.match(await change(business), { status: 200, body: business })
    t.match((await send('GET', '/api/v1/user', { token: tokens.customer })).body, { business })
    t.match(await change({ opening_hours: { monday: [{ start: '12:00', end: '09:00' }] } }), { status: 422 })
    t.match(await change({ time_zone: 'Mars/Olympus' }), { body: { code: 'unknown_time_zone' } })
    t.match(await change({ currency: 'EUR' }), { status: 422 })
    t.match((await send('GET', '/api/v1/user', { token: tokens.driver })).body, { business })
  },
)

t.test('given members that are nobody else’s to set, when they are sent, then the whole is refused', async (t) => {
  const { send, tokens, ids } = await world()
  const token = tokens.client_admin
  const person = { role: 'driver', email: 'new@one.example', name: 'New', password: 'good enough' }
  const more = [{ business_id: 2 }, { business: 2 }, { scopes: ['*'] }, { id: 1 }, { by: null }, { is_active: true }]
  for (const extra of more)
    t.match(
      await send('POST', '/api/v1/accounts', { token, body: { ...person, ...extra } }),
      { status: 422, body: { errors: [{ code: 'unknown_field' }] } },
      JSON.stringify(extra),
    )
  for (const text of ['"__proto__":{"role":"client_admin"}', '"constructor":{"prototype":{}}', '"prototype":1'])
    t.match(
      await send('POST', '/api/v1/accounts', { token, body: `${JSON.stringify(person).slice(0, -1)},${text}}` }),
      {
        status: 422,
      },
    )
  for (const [path, body] of [
    [`${ids.driver}/modules`, { modules: { broker_assignment: 'revoked' } }],
    [`${ids.driver}/modules`, { modules: { order_chat: 'on' } }],
    [`${ids.driver}/status`, { is_active: 'no' }],
    [`${ids.driver}/status`, { account_id: ids.customer, is_active: 'no' }],
    [`${ids.customer}/hidden-prices`, { families: ['gifts'] }],
    ['x/status', { is_active: true }],
    ['0/status', { is_active: true }],
  ] as const)
    t.equal((await send('PUT', `/api/v1/accounts/${path}`, { token, body })).status, 422, path)
  const wrong = { role: 'owner', email: 'no email', name: '', password: 'short' }
  t.match(await send('POST', '/api/v1/accounts', { token, body: wrong }), {
    status: 422,
    body: {
      errors: [{ path: 'role' }, { path: 'email', code: 'not_an_email' }, { path: 'name' }, { path: 'password' }],
    },
  })
})

t.test('given passwords that would be guessed, when they are to be new ones, then each is refused', async (t) => {
  const { send, tokens } = await world()
  const token = tokens.client_admin
  const person = { role: 'driver', email: 'dee.raven@one.example', name: 'Dee Ravensbourne' }
  const added = (password: string) => send('POST', '/api/v1/accounts', { token, body: { ...person, password } })
  const changed = (new_password: string) =>
    send('PUT', '/api/v1/user/password', {
      token,
      body: { current_password: passwordOf('client_admin'), new_password },
    })
  const refused = {
    'nine-char': 'password_too_short',
    '🔑🔑🔑🔑🔑': 'password_too_short',
    password123: 'password_too_common',
    'P@ssw0rd2024': 'password_too_common',
    '          ': 'password_too_common',
    aaaaaaaaaaaaaaaa: 'password_too_common',
    'dee.raven@one.example': 'password_names_owner',
    Ravensbourne1: 'password_names_owner',
    deeravensbourne: 'password_names_owner',
  }
  for (const [password, code] of Object.entries(refused))
    t.match(await added(password), { status: 422, body: { errors: [{ path: 'password', code }] } }, password)
  for (const [password, code] of [
    ['qwertyuiop', 'password_too_common'],
    ['client_admin@one.example', 'password_names_owner'],
    ['Business one', 'password_names_owner'],
  ] as const)
    t.match(await changed(password), { status: 422, body: { errors: [{ path: 'new_password', code }] } }, password)
  t.equal((await added('🔑 in the drawer')).status, 200)
  t.equal((await changed('one more good password')).status, 200, 'the refused ones have changed nothing')
})

t.test('given a short password of before, when it is used to sign in, then it is right', async (t) => {
  const { send, parts, ids } = await world()
  const hash = await parts.credentials.hash('12345678')
  const stream = `credential-${parts.credentials.blind('email\0driver@one.example')}` as const
  const data = { at: '2026-06-10T10:00:00.000Z', account_id: ids.driver, personal: { password_hash: hash } }
  const renewed = { type: 'CredentialRenewed', data, id: randomUUID(), metadata: { schemaVersion: 1 } }
  await parts.store.append(stream, [renewed], 'stream-exists')
  const body = { email: 'driver@one.example', password: '12345678' }
  t.equal((await send('POST', '/api/v1/user/login', { body })).status, 200)
})

t.test('given an email that has an account anywhere, when another is added, then that is refused', async (t) => {
  const { send, tokens } = await world()
  const body = { role: 'driver', email: 'Driver@two.example', name: 'New', password: 'good enough' }
  const add = (email = body.email) =>
    send('POST', '/api/v1/accounts', { token: tokens.client_admin, body: { ...body, email } })
  t.match(await add(), { status: 409, body: { code: 'email_taken' } })
  const answers = await Promise.all([add('new@x.example'), add('new@x.example'), add('other@x.example')])
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 200, 409])
})

t.test('given an account that was added, when it is listed, then with its person, in pages', async (t) => {
  const { send, tokens, ids } = await world()
  const token = tokens.client_employee
  const { body } = await send('GET', '/api/v1/accounts?role=driver', { token })
  t.match(body, {
    result: true,
    total: 1,
    page: 1,
    per_page: 50,
    accounts: [{ id: ids.driver, name: 'driver of one' }],
  })
  const second = await send('GET', '/api/v1/accounts?page=2&per_page=2', { token })
  t.match(second.body, { total: 5, page: 2, per_page: 2, accounts: [{ id: ids.contractor }, { id: ids.customer }] })
  t.equal((await send('GET', '/api/v1/accounts?per_page=201', { token })).status, 422)
})

t.test('given modules, when they are switched, then callers have them so at once', async (t) => {
  const made = await world()
  const { send, tokens, ids, business } = made
  const put = (modules: object) =>
    send('PUT', '/api/v1/business/modules', { token: tokens.client_admin, body: { modules } })
  t.match((await put({ device_orders: 'on' })).body, {
    modules: { broker_assignment: 'off', device_orders: 'on', sms_marketing: 'off' },
  })
  t.match((await send('GET', '/api/v1/user', { token: tokens.driver })).body, { modules: { device_orders: 'on' } })
  for (const state of ['revoked', 'not_migrated']) {
    await call(setModule, operator(made), { business_id: business, module: 'device_orders', state })
    t.match(await put({ device_orders: 'on' }), { status: 409, body: { code: 'module_not_switchable' } })
    t.equal((await put({ device_orders: state })).status, 422)
  }
  t.match(await put({ sms_marketing: 'on' }), { status: 409, body: { code: 'module_not_built' } })
  const contractor = `/api/v1/accounts/${ids.contractor}/modules`
  const body = { modules: { broker_assignment: 'on' } }
  t.match(await put(body.modules), { status: 409, body: { code: 'module_not_switchable' } })
  t.match(await send('PUT', contractor, { token: tokens.client_admin, body }), {
    status: 403,
    body: { code: 'module_disabled' },
  })
  await enableAssignment(made)
  for (const state of ['off', 'on'] as const)
    t.match((await put({ broker_assignment: state })).body, { modules: { broker_assignment: state } })
  t.match((await send('PUT', contractor, { token: tokens.client_admin, body })).body, {
    account_id: ids.contractor,
    ...body,
  })
  t.match(await made.parts.directory.person(made.parts, ids.contractor), { modules: { broker_assignment: 'on' } })
  t.match(await send('PUT', `/api/v1/accounts/${ids.driver}/modules`, { token: tokens.client_admin, body }), {
    status: 422,
    body: { code: 'module_not_of_account' },
  })
})

t.test('given hidden prices, when they are set, then the customer has them so at once', async (t) => {
  const made = await world()
  const { send, tokens, ids } = made
  const put = (id: number, families: readonly string[]) =>
    send('PUT', `/api/v1/accounts/${id}/hidden-prices`, { token: tokens.client_admin, body: { families } })
  t.equal((await put(ids.customer, ['device_orders', 'local_delivery'])).status, 200)
  const who = () => send('GET', '/api/v1/user', { token: tokens.customer })
  t.strictSame((await who()).body.hidden_prices, ['device_orders', 'local_delivery'])
  const authenticate = createAuthenticate(made.parts)
  t.strictSame((await authenticate(made.parts, `Bearer ${tokens.customer}`)).account?.hiddenPrices, [
    'device_orders',
    'local_delivery',
  ])
  t.equal((await put(ids.customer, [])).status, 200)
  t.strictSame((await who()).body.hidden_prices, [])
  t.match(await put(ids.driver, ['device_orders']), {
    status: 422,
    body: { code: 'not_a_customer', message: `The business has no customer ${ids.driver}.` },
  })
})

t.test('given an admin, when it disables itself, then that is refused', async (t) => {
  const { send, tokens, ids } = await world()
  const path = `/api/v1/accounts/${ids.client_admin}/status`
  t.match(await send('PUT', path, { token: tokens.client_admin, body: { is_active: false } }), {
    status: 422,
    body: { code: 'own_account_kept' },
  })
})

t.test('the directory knows accounts by id and by role, and businesses', async (t) => {
  const { parts, ids, other, business } = await world()
  const { directory } = parts
  t.match(await directory.people(parts, business, 'driver'), [
    { id: ids.driver, name: 'driver of one', isActive: true },
  ])
  t.match(await directory.person(parts, other.ids.customer), { business: { id: other.business, currency: 'EUR' } })
  t.match(await directory.business(parts, business), { name: 'Business one', timeZone: 'America/Toronto' })
  t.equal(await directory.person(parts, 999), undefined)
  t.equal(await directory.business(parts, 999), undefined)
  t.strictSame(await directory.people(parts, 999, 'driver'), [])
})

t.test(
  'given a wallet, when it is topped up, then its customer sees it, and under a key it is done once',
  async (t) => {
    const { send, tokens, ids } = await world()
    const topUp = (id: number, amount: string, headers = {}) =>
      send('POST', `/api/v1/accounts/${id}/top-ups`, { token: tokens.client_admin, body: { amount }, headers })
    const once = { 'Idempotency-Key': 'top-up-1' }
    t.match((await topUp(ids.customer, '25.50', once)).body, { result: true, balance: '25.50', currency: 'CAD' })
    t.match((await topUp(ids.customer, '25.50', once)).body, { balance: '25.50' })
    t.match((await topUp(ids.customer, '0.60')).body, { balance: '26.10' })
    t.match((await send('GET', '/api/v1/customer/credits', { token: tokens.customer })).body, {
      ...{ result: true, balance: '26.10', currency: 'CAD' },
      recent_top_ups: [{ amount: '0.60' }, { amount: '25.50', at: '2026-06-10T06:00:00-04:00' }],
    })
    for (const amount of ['0.00', '-5.00', '1.005', '1000000000.00'])
      t.equal((await topUp(ids.customer, amount)).status, 422)
    t.match(await topUp(ids.driver, '1.00'), {
      status: 422,
      body: { code: 'not_a_customer', message: `The business has no customer ${ids.driver}.` },
    })
    const asked = await send('GET', '/api/v1/customer/credits', { token: tokens.client_admin })
    t.match(asked, { status: 403, body: { code: 'wrong_account' } })
  },
)

t.test('given a provider of one business, when its key is used, then the caller says which', async (t) => {
  const made = await world()
  const { key } = await call(addProvider, operator(made), { name: 'acme', business_id: made.business })
  const { key: plain } = await call(addProvider, operator(made), { name: 'plain', all_businesses: true })
  const authenticate = createAuthenticate(made.parts)
  t.match(await authenticate(made.parts, `Bearer ${key}`), {
    kind: 'provider',
    name: 'acme',
    businessId: made.business,
  })
  t.notOk('businessId' in (await authenticate(made.parts, `Bearer ${plain}`)))
  t.same(
    (await authenticate(made.parts, `Bearer ${plain}`)).scopes,
    ['otep:ingest'],
    'a partner is who is bound to a business',
  )
  const lockers = async (token: unknown) =>
    (await made.send('GET', '/api/v1/partner-lockers/deliveries', { token: String(token) })).status
  t.same([await lockers(key), await lockers(plain), await lockers(made.tokens.customer)], [200, 403, 403])
  t.equal(await codeOf(call(addProvider, operator(made), { name: 'x', business_id: 99 })), 'business_not_found')
})

t.test('given a provider of one business, when it reports on orders, then on its own and on nobody’s', async (t) => {
  const made = await world()
  const { send, tokens, other } = made
  const { key } = await call(addProvider, operator(made), { name: 'acme', business_id: made.business })
  const { key: plain } = await call(addProvider, operator(made), { name: 'plain', all_businesses: true })
  const address = { street: '1 Main Street', locality: 'Toronto', postal_code: 'M5V 1A1', country: 'CA' }
  const body = { type: 'D', delivery: { name: 'Jo Example', phone: '+1 416 555 0100', address } }
  const order = async (token: string) => (await send('POST', '/api/v1/orders', { token, body })).body
  const [own, strange] = [await order(tokens.client_admin), await order(other.tokens.client_admin)]
  const outcome = async (token: unknown, subject: object) => {
    const event = { subject, status_code: 'received', occurred_at: '2026-06-10T09:00:00Z' }
    const { body } = await send('POST', '/api/v1/otep/ingest', { token: String(token), body: event })
    return body.data.events[0].errors?.[0].code ?? body.data.events[0].outcome
  }
  const { tracking_number, order_id } = strange
  t.equal(await outcome(key, { tracking_number: own.tracking_number }), 'accepted')
  t.equal(await outcome(key, { tracking_number: own.tracking_number, order_id: own.order_id }), 'enriched')
  t.equal(await outcome(key, { tracking_number: ` ${String(tracking_number).toLowerCase()}` }), 'other_business')
  t.equal(await outcome(key, { order_id }), 'other_business')
  t.equal(await outcome(key, { tracking_number: 'NOBODYS', order_id }), 'other_business')
  t.equal(await outcome(key, { tracking_number: 'NOBODYS' }), 'accepted')
  t.equal(await outcome(plain, { tracking_number, order_id }), 'accepted')
})

t.test('given keys that end, when they are used over HTTP, then until then, and during an overlap', async (t) => {
  const { app, send, clock, parts } = await world()
  const context = operator({ parts })
  const first = String(
    (await call(addProvider, context, { name: 'acme', all_businesses: true, expires_in_hours: 24 * 30 })).key,
  )
  const push = async (token: string, id: string) => {
    const event = { event_id: id, status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' }
    return (
      await send('POST', '/api/v1/otep/ingest', { token, body: { subject: { tracking_number: id }, events: [event] } })
    ).body.code
  }
  const days = (count: number) => {
    clock.now += count * 86_400_000
  }
  t.equal(await push(first, 'A1'), undefined)
  days(20)
  const rotated = await call(rotateProviderKey, context, { name: 'acme', overlap_in_hours: 48 })
  const second = String(rotated.key)
  t.match(rotated, { expires_at: '2026-07-30T10:00:00.000Z', previous_key_until: '2026-07-02T10:00:00.000Z' })
  t.same(await Promise.all([push(first, 'A2'), push(second, 'A3')]), [undefined, undefined])
  days(2)
  t.same([await push(first, 'A4'), await push(second, 'A5')], ['key_expired', undefined])
  const ends = ['x', '00', '11'].filter((end) => !first.endsWith(end))
  for (const end of ends) {
    const other = `${first.slice(0, -end.length)}${end}`
    t.equal(await push(other, 'A6'), 'unauthenticated', 'only its holder is told of the end')
  }
  days(28)
  t.equal(await push(second, 'A7'), 'key_expired')
  const headers = { Authorization: `Bearer ${second}`, 'Accept-Language': 'de' }
  const told = await app.request('/api/v1/otep/ingest', { method: 'POST', headers })
  t.match([told.status, await told.text()], [401, /2026-07-30T10:00:00.000Z abgelaufen/])
  t.match(await call(listProviders, context, {}), { providers: [{ state: 'expired', all_businesses: true }] })
  t.equal(await codeOf(call(addProvider, context, { name: 'x' })), 'provider_reach_required')
  const both = { name: 'x', all_businesses: true, business_id: 1 }
  t.equal(await codeOf(call(addProvider, context, both)), 'provider_reach_required')
})

t.test('given a register of before keys had ends, when it is listed, then its keys are wide and go on', async (t) => {
  const { parts, send } = await world()
  const key = `otep_old_${'0'.repeat(64)}`
  const data = { name: 'old', key_hash: sha256(key), at: '2025-01-01T00:00:00.000Z' }
  const added = { type: 'ProviderAdded', data, id: randomUUID(), metadata: { schemaVersion: 1 } }
  await parts.store.append(registerStream, [added], 'any')
  const event = { event_id: 'e', status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' }
  const body = { subject: { tracking_number: 'OLD1' }, events: [event] }
  t.match(await send('POST', '/api/v1/otep/ingest', { token: key, body }), { body: { data: { accepted: 1 } } })
  t.match(await call(listProviders, operator({ parts }), {}), {
    providers: [{ name: 'old', all_businesses: true, business_id: undefined, state: 'valid', expires_at: undefined }],
  })
})

t.test('given a key that is in use, when it ends within two weeks, then that is reported once a day', async (t) => {
  const { parts, clock } = await world()
  const asked = { name: 'acme', all_businesses: true, expires_in_hours: 24 * 16 }
  const { key } = await call(addProvider, operator({ parts }), asked)
  const reported: (readonly string[])[] = []
  const authenticate = createAuthenticate(parts, (...report) => reported.push(report))
  const use = () => authenticate(parts, `Bearer ${key}`)
  await use()
  t.same(reported, [])
  clock.now += 3 * 86_400_000
  await use()
  await use()
  t.same(reported, [['acme', '2026-06-26T10:00:00.000Z']])
})

t.test('an ID token', async (t) => {
  const idp = await startIssuer()
  t.teardown(idp.close)
  const provider = { issuer: idp.issuer, audience: 'our-app' }
  const now = Math.floor(at / 1000)
  const claims = {
    iss: idp.issuer,
    aud: 'our-app',
    sub: '42',
    iat: now,
    exp: now + 300,
    email: 'a@b.example',
    email_verified: true,
  }
  const identify = createIdentify({ clock: () => at, keyCooldown: 0 })
  const refused = async (t: Test, token: string, words: string) =>
    t.equal(await codeOf(identify(token, provider)), 'invalid_id_token', words)

  t.test('that is right names its subject, signed in either way that is taken', async (t) => {
    const named = { issuer: idp.issuer, subject: '42', email: 'a@b.example', isEmailVerified: true }
    t.strictSame(await identify(await idp.sign(claims), provider), named)
    t.strictSame(await identify(await idp.signElliptic(claims), provider), named)
    t.strictSame(await identify(await idp.sign({ ...claims, aud: ['our-app'] }), provider), named)
    t.equal(idp.asked.discovery, 1, 'its document is asked for once')
    t.equal(idp.asked.keys, 1)
  })
  t.test('with an email that nobody has verified says so', async (t) => {
    for (const email_verified of [false, undefined, 'no', 1])
      t.match(await identify(await idp.sign({ ...claims, email_verified }), provider), { isEmailVerified: false })
  })
  t.test('that is for others, by others, over, or without what is needed, is refused', async (t) => {
    const wrong: Readonly<Record<string, object>> = {
      audience: { aud: 'other-app' },
      'two audiences': { aud: ['our-app', 'other-app'] },
      issuer: { iss: 'https://other.example' },
      'issuer with a slash': { iss: `${idp.issuer}/` },
      expired: { exp: now - 31 },
      'not yet': { nbf: now + 31 },
      'issued in the future': { iat: now + 31 },
      'no end': { exp: undefined },
      'no subject': { sub: undefined },
      'empty subject': { sub: '' },
      'long subject': { sub: 'x'.repeat(256) },
    }
    for (const [words, change] of Object.entries(wrong))
      await refused(t, await idp.sign({ ...claims, ...change }), words)
    t.match(await identify(await idp.sign({ ...claims, exp: now - 29 }), provider), { subject: '42' })
  })
  t.test('of another sign-in is refused: it has another nonce than the app has chosen', async (t) => {
    const nonce = 'chosen-by-the-app'
    const [plain, hashed, none] = [
      await idp.sign({ ...claims, nonce }),
      await idp.sign({ ...claims, nonce: sha256(nonce) }),
      await idp.sign(claims),
    ]
    for (const token of [plain, hashed]) t.match(await identify(token, provider, { nonce }), { subject: '42' })
    t.match(await identify(none, provider), { subject: '42' })
    const numeric = await idp.sign({ ...claims, nonce: 1 })
    const wrong = [
      () => identify(plain, provider),
      () => identify(plain, provider, { nonce: 'another' }),
      () => identify(hashed, provider, { nonce: sha256(nonce).slice(1) }),
      () => identify(none, provider, { nonce }),
      () => identify(none, provider, { isRequired: true }),
      () => identify(numeric, provider, { nonce: '1' }),
    ]
    for (const [place, ask] of wrong.entries()) t.equal(await codeOf(ask()), 'invalid_id_token', String(place))
  })
  t.test('that is not signed, or by what is public, is refused', async (t) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    await refused(t, `${part({ alg: 'none' })}.${part(claims)}.`, 'none')
    const head = `${part({ alg: 'HS256', kid: 'rsa-1' })}.${part(claims)}`
    const mac = createHmac('sha256', await idp.publicKey())
      .update(head)
      .digest('base64url')
    await refused(t, `${head}.${mac}`, 'HS256 with the public key')
    const good = await idp.sign(claims)
    await refused(t, `${good.slice(0, -6)}AAAAAA`, 'another signature')
    const [header, , signature] = good.split('.')
    await refused(t, `${header}.${part({ ...claims, sub: '1' })}.${signature}`, 'other claims')
    for (const text of ['', 'x', 'a.b.c', '..']) await refused(t, text, text)
  })
  t.test('of a key that nobody knows is refused', async (t) => {
    await refused(t, await idp.sign(claims, { kid: 'unknown' }), 'unknown key')
  })
  t.test('of a key that has taken the place of another is taken, and of the other no more', async (t) => {
    const old = await idp.sign(claims)
    await idp.rotate()
    t.match(await identify(await idp.sign(claims), provider), { subject: '42' })
    await refused(t, old, 'rotated')
  })
  t.test('of an issuer that cannot be asked is neither right nor wrong', async (t) => {
    const token = await idp.sign(claims)
    for (const fault of ['down', 'redirect', 'flood', 'other-issuer'] as const) {
      idp.misbehave(fault)
      const fresh = createIdentify({ clock: () => at })
      t.equal(await codeOf(fresh(token, provider)), 'identity_provider_unavailable', fault)
    }
    idp.misbehave(undefined)
    const plain = createIdentify({ clock: () => at })
    const elsewhere = { ...provider, issuer: 'http://idp.example' }
    t.equal(await codeOf(plain(token, elsewhere)), 'identity_provider_unavailable', 'not over https')
  })
})

/** A test harness with an app; customers of the first business may sign in to it by email and by this issuer. */
async function appWorld(idp: Pick<Issuer, 'issuer'> = { issuer: 'https://idp.example' }) {
  const made = await world()
  const settings = {
    ...{
      name: 'Shop',
      type: 'consumer',
      schema_version: 3,
      roles: ['customer'],
      capabilities: ['wallet_balance', 'locker_pickup'],
    },
    providers: [{ name: 'google', issuer: idp.issuer, audience: 'our-app' }],
    versions: [{ platform: 'ios', minimum_version: '1.2.0', latest_version: '1.4.0' }],
  }
  const client = (business_id: number) => ({
    ...{ display_name: 'Acme', business_id, methods: ['email', 'google'], capabilities: ['wallet_balance'] },
    ...{ quick_actions: ['wallet', 'send'], default_phone_region: 'CA' },
  })
  const context = operator(made)
  const app_code = 'shop'
  await call(configureApp, context, { app_code, settings })
  await call(assignApp, context, { app_code, client_code: 'one', settings: client(made.business) })
  await call(assignApp, context, { app_code, client_code: 'two', settings: client(made.other.business) })
  const bare = { ...client(made.business), methods: [] }
  await call(assignApp, context, { app_code, client_code: 'closed', settings: bare })
  const device = { device_id: 'device-1', device_platform: 'ios' }
  const base = '/api/v1/apps/shop/clients'
  return {
    ...made,
    context,
    bootstrap: (path: string) => made.send('GET', `/api/v1/apps/${path}`),
    byEmail: (role: Role, client_code = 'one', more: object = {}) =>
      made.send('POST', `${base}/${client_code}/auth/email`, {
        body: { email: `${role}@one.example`, password: passwordOf(role), ...device, ...more },
      }),
    byToken: (id_token: string, client_code = 'one', name = 'google', more: object = {}) =>
      made.send('POST', `${base}/${client_code}/auth/${name}`, {
        body: { id_token, ...device, app_version: null, ...more },
      }),
  }
}

t.test('given an app and a client, when it is started, then it is told how it is set up', async (t) => {
  const { bootstrap, context } = await appWorld()
  const { status, body } = await bootstrap('shop/clients/one/bootstrap?platform=ios&app_version=1.3.0')
  t.equal(status, 200)
  t.strictSame(body, {
    result: true,
    data: {
      app: { code: 'shop', name: 'Shop', type: 'consumer', schema_version: 3 },
      client: { code: 'one', display_name: 'Acme' },
      configuration_version: 4,
      capabilities: { sign_in_email: true, sign_in_google: true, wallet_balance: true, locker_pickup: false },
      authentication: {
        methods: { email: true, google: true, registration: false },
        google: { server_client_id: 'our-app' },
        registration: {
          ...{ enabled: false, phone_verification_required: false, sms_configured: false, default_phone_region: 'CA' },
          ...{ requires_approval: false, code_length: 6, resend_after: 60 },
        },
      },
      services: {
        identity: { source_of_truth: 'accounts', shared_with_web: true },
        wallet: { source_of_truth: 'wallets', ledger_mode: 'event_sourced' },
      },
      settings: { home: { quick_actions: ['wallet', 'send'] } },
      version_policy: {
        ...{ platform: 'ios', minimum_version: '1.2.0', latest_version: '1.4.0' },
        ...{ update_required: false, update_recommended: true },
      },
    },
  })
  t.match((await bootstrap('shop/clients/one/bootstrap')).body.data.version_policy, {
    platform: null,
    update_required: false,
  })
  t.notOk('google' in (await bootstrap('shop/clients/closed/bootstrap')).body.data.authentication)
  for (const path of ['none/clients/one', 'shop/clients/none', 'shop/clients/__proto__', 'a%20b/clients/one'])
    t.match(await bootstrap(`${path}/bootstrap`), { status: 404, body: { code: 'app_context_not_found' } }, path)
  for (const query of ['platform=web', 'app_version=1.2', 'app_version=latest'])
    t.equal((await bootstrap(`shop/clients/one/bootstrap?${query}`)).status, 422, query)
  await call(setAppAvailability, context, { app_code: 'shop', client_code: 'one', is_available: false })
  t.match(await bootstrap('shop/clients/one/bootstrap'), { status: 403, body: { code: 'app_unavailable' } })
  t.equal((await bootstrap('shop/clients/two/bootstrap')).status, 200)
  await call(setAppAvailability, context, { app_code: 'shop', is_available: false })
  t.equal((await bootstrap('shop/clients/two/bootstrap')).status, 403)
})

t.test('given an app, when a customer signs in by email, then there is a session of thirty days', async (t) => {
  const { byEmail, send, ids, clock, context } = await appWorld()
  const { status, body } = await byEmail('customer')
  t.equal(status, 200)
  t.match(body, {
    ...{ result: true, access_token: /^ots_/, token_type: 'Bearer', expires_at: '2026-07-10 10:00:00' },
    user: { id: ids.customer, name: 'customer of one', email: 'customer@one.example' },
    app_context: { app_code: 'shop', client_code: 'one', client_name: 'Acme', configuration_version: 4 },
  })
  t.equal(body.expires_timestamp, Date.parse('2026-07-10T10:00:00Z') / 1000)
  const who = () => send('GET', '/api/v1/user', { token: body.access_token })
  clock.now += 29 * 86_400_000
  t.equal((await who()).status, 200)
  await call(setAppAvailability, context, { app_code: 'shop', client_code: 'one', is_available: false })
  t.equal((await who()).status, 401, 'it ends with the app of its client')
})

t.test('given an app, when somebody signs in whom it is not for, then that is refused', async (t) => {
  const { byEmail, byToken, context } = await appWorld()
  t.match(await byEmail('driver'), { status: 403, body: { code: 'app_role_not_allowed' } })
  t.match(await byEmail('customer', 'two'), { status: 403, body: { code: 'client_access_not_allowed' } })
  t.match(await byEmail('customer', 'closed'), { status: 403, body: { code: 'sign_in_method_not_allowed' } })
  t.match(await byToken('x', 'closed'), { status: 403, body: { code: 'sign_in_method_not_allowed' } })
  t.match(await byToken('x', 'one', 'apple'), { status: 403, body: { code: 'sign_in_method_not_allowed' } })
  t.match(await byEmail('customer', 'none'), { status: 403, body: { code: 'app_unavailable' } })
  t.match(await byEmail('customer', 'one', { password: 'wrong' }), {
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  t.match(await byToken('x'), { status: 401, body: { code: 'invalid_id_token' } })
  const wrong = [
    { device_id: 'x'.repeat(192) },
    { device_id: undefined },
    { device_platform: 'web' },
    { app_version: '1' },
    { role: 'x' },
  ]
  for (const more of wrong) {
    t.equal((await byEmail('customer', 'one', more)).status, 422, JSON.stringify(more))
    t.equal((await byToken('x', 'one', 'google', more)).status, 422, JSON.stringify(more))
  }
  await call(setAppAvailability, context, { app_code: 'shop', is_available: false })
  t.match(await byEmail('customer'), { status: 403, body: { code: 'app_unavailable' } })
})

t.test('given an identity, when it signs in, then it is bound once, and by its subject from then on', async (t) => {
  const idp = await startIssuer()
  t.teardown(idp.close)
  const made = await appWorld(idp)
  const { byToken, ids, send, tokens } = made
  const now = Math.floor(at / 1000)
  const sign = (sub: string, email: string | undefined, more: object = {}) =>
    idp.sign({ iss: idp.issuer, aud: 'our-app', sub, iat: now, exp: now + 300, email, email_verified: true, ...more })
  const mine = 'customer@one.example'

  t.match(await byToken(await sign('1', 'nobody@one.example')), {
    status: 409,
    body: { code: 'registration_required' },
  })
  t.match(await byToken(await sign('1', mine, { email_verified: false })), {
    status: 409,
    body: { code: 'registration_required' },
  })
  t.match(await byToken(await sign('1', undefined)), { status: 409, body: { code: 'registration_required' } })
  t.match(await byToken(await sign('1', mine), 'two'), { status: 403, body: { code: 'client_access_not_allowed' } })
  t.match(await byToken(await sign('9', 'driver@one.example')), { status: 403, body: { code: 'app_role_not_allowed' } })
  t.match(
    await byToken(await sign('2', mine)),
    { status: 200, body: { user: { id: ids.customer } } },
    'nothing was bound yet',
  )
  t.match(await byToken(await sign('1', mine)), { status: 409, body: { code: 'binding_conflict' } })
  t.match(await byToken(await sign('2', 'moved@x.example', { email_verified: false })), {
    status: 200,
    body: { user: { id: ids.customer } },
  })
  t.match(await byToken(await sign('2', mine, { aud: 'other' })), { status: 401, body: { code: 'invalid_id_token' } })
  await send('PUT', `/api/v1/accounts/${ids.customer}/status`, {
    token: tokens.client_admin,
    body: { is_active: false },
  })
  t.match(await byToken(await sign('2', mine)), { status: 401, body: { code: 'invalid_id_token' } })
  idp.misbehave('down')
  const events = []
  for await (const event of made.store.readAll()) events.push(event)
  for (const secret of [mine, 'device-1', 'moved@x.example']) t.notMatch(JSON.stringify(events), secret)
})

t.test('given a store without accounts, when somebody signs in, then it is refused as everywhere', async (t) => {
  const app = createApp({ store: createMemoryStore(() => at), passwordCost: cheap })
  const body = JSON.stringify({ email: 'a@b.example', password: 'x' })
  const answer = await app.request('/api/v1/user/login', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  t.equal(answer.status, 401)
})

t.test(
  'given a business in Toronto, when its things are read, then times have its offset, and ids are id',
  async (t) => {
    const { send, tokens, ids } = await world()
    const token = tokens.client_admin
    await send('PUT', '/api/v1/business/modules', { token, body: { modules: { device_orders: 'on' } } })
    const stay = {
      kind: 'delivery',
      device_type: 'locker',
      device_id: 4,
      device_name: 'Locker',
      customer_id: ids.customer,
    }
    const { body: made } = await send('POST', '/api/v1/device-orders', { token, body: stay })
    t.strictSame(made, { result: true, id: 1, device_order_id: 1, status: 'pending' })
    t.match((await send('POST', '/api/v1/device-orders/1/store', { token })).body, { id: 1, device_order_id: 1 })
    const times = { id: 1, stored_at: '2026-06-10T06:00:00-04:00', due_at: '2026-06-13T06:00:00-04:00', ended_at: null }
    t.match((await send('GET', '/api/v1/device-orders/1', { token })).body, { device_order: times })
    t.match((await send('GET', '/api/v1/device-orders', { token: tokens.customer })).body, { device_orders: [times] })
    await send('POST', `/api/v1/accounts/${ids.customer}/top-ups`, { token, body: { amount: '5.00' } })
    t.match((await send('GET', '/api/v1/customer/credits', { token: tokens.customer })).body, {
      recent_top_ups: [{ amount: '5.00', at: '2026-06-10T06:00:00-04:00' }],
    })
    const order = await send('POST', '/api/v1/orders', {
      token,
      body: { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main St' } } },
    })
    t.equal(order.body.id, order.body.order_id)
  },
)

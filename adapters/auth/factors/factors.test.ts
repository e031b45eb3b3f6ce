import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import t, { type Test } from 'tap'
import {
  assignApp,
  call,
  clearFactors,
  configureApp,
  forgetAccount,
  type RecordedEvent,
  type Role,
  type SecurityEntry,
} from '../../../engine/index.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { createApp } from '../../main.ts'
import { secretOf } from '../../node/secret.ts'
import { startIssuer } from '../issuer.test.fixture.ts'
import { operator, passwordOf, type World, type WorldOptions, world } from '../world.test.fixture.ts'
import { createdPasskey } from './passkey.test.fixture.ts'

const eve = 'client_employee@one.example'
const minute = 60_000
const base = '/api/v1/user/second-factors'

const secret = secretOf('7'.repeat(64))

type Sends = Pick<World, 'send'>

function login({ send }: Sends, email = eve, password = passwordOf('client_employee')) {
  return send('POST', '/api/v1/user/login', { body: { email, password } })
}

function second({ send }: Sends, ticket: string, code: string) {
  return send('POST', '/api/v1/user/login/second-factor', { body: { ticket, code } })
}

/** The code that an app with this secret shows. */
function codeOf(secret: string, { now }: World['clock']): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now })
}

/** Sets up an authenticator app for the employee, or another account, of the first business, half a minute before the clock's new time. */
async function withApp(options: WorldOptions = {}, role: Role = 'client_employee') {
  const made = await world(options)
  const { send, clock } = made
  const token = made.tokens[role]
  const { body: offer } = await send('POST', `${base}/authenticator`, { token, body: {} })
  const body = { enrolment: offer.enrolment, code: codeOf(offer.secret, clock), name: 'Phone' }
  const { body: added } = await send('POST', `${base}/authenticator/confirm`, { token, body })
  clock.now += 30_000
  return { ...made, offer, added, code: () => codeOf(offer.secret, clock) }
}

/** Another process on the same store, with the same secret. */
function elsewhere({ store, clock }: Pick<World, 'store' | 'clock'>): Sends {
  const app = createApp({ store, clock: () => clock.now, secret, passwordCost: { N: 2, r: 1, p: 1 } })
  const send: World['send'] = async (method, path, { body } = {}) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await app.request(path, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  return { send }
}

async function ticketOf(made: Sends): Promise<string> {
  return (await login(made)).body.ticket
}

async function kept({ store }: Pick<World, 'store'>): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = []
  for await (const event of store.readAll(undefined, {})) found.push(event)
  return found
}

t.test(
  'given an account, when a code confirms an authenticator app, then a password alone no longer signs in',
  async (t) => {
    const made = await withApp()
    const { send, tokens, added, offer, code } = made
    t.match(offer.uri, /^otpauth:\/\/totp\/Business%20one:client_employee%40one\.example\?/)
    t.equal(added.recovery_codes.length, 10)
    t.equal(
      (await send('GET', '/api/v1/user', { token: tokens.client_employee })).status,
      401,
      'all sessions have ended',
    )
    t.equal(
      (await send('GET', '/api/v1/user', { token: added.session.access_token })).status,
      200,
      'but the one of the call',
    )
    const refused = await login(made)
    t.match(refused, {
      status: 401,
      body: { code: 'second_factor_required', methods: ['authenticator', 'recovery_code'] },
    })
    t.notOk(refused.body.access_token)
    t.match(await second(made, refused.body.ticket, '000000'), { status: 422, body: { code: 'wrong_code' } })
    const right = await second(made, refused.body.ticket, code())
    t.equal(right.status, 200)
    const listed = await send('GET', base, { token: right.body.access_token })
    t.match(listed.body, {
      factors: [{ factor_id: 1, kind: 'authenticator', name: 'Phone', last_used_at: '2026-06-10T10:00:30.000Z' }],
      recovery_codes_left: 10,
      is_required: false,
    })
    t.notMatch(JSON.stringify(listed.body), offer.secret)
  },
)

t.test(
  'given an enrolment, when its first code is wrong, or it is another account’s, then nothing is set up',
  async (t) => {
    const { send, clock, tokens } = await world()
    const { body: offer } = await send('POST', `${base}/authenticator`, { token: tokens.driver, body: {} })
    const confirm = (token: string, code: string) =>
      send('POST', `${base}/authenticator/confirm`, { token, body: { enrolment: offer.enrolment, code, name: 'x' } })
    t.match(await confirm(tokens.driver, '000000'), { status: 422, body: { code: 'wrong_code' } })
    t.match(await confirm(tokens.customer, codeOf(offer.secret, clock)), {
      status: 410,
      body: { code: 'ticket_not_valid' },
    })
    t.equal((await login({ send }, 'driver@one.example', passwordOf('driver'))).status, 200)
    clock.now += 15 * minute
    t.match(await confirm(tokens.driver, codeOf(offer.secret, clock)), { status: 410 })
  },
)

t.test(
  'given a code, when it is used again, then it is refused, also by another process and at the same time',
  async (t) => {
    const made = await withApp({ secret })
    const other = elsewhere(made)
    const there = async (ticket: string, code: string) => (await second(other, ticket, code)).status
    const [one, another, code] = [await ticketOf(made), await ticketOf(made), made.code()]
    const statuses = await Promise.all([second(made, one, code).then(({ status }) => status), there(another, code)])
    t.same(statuses.sort(), [200, 422], 'one of the two')
    t.equal(await there(await ticketOf(made), code), 422)
    t.equal((await second(made, await ticketOf(made), code)).status, 422)
    made.clock.now += 30_000
    t.equal(await there(await ticketOf(made), made.code()), 200, 'the next code is good')
  },
)

t.test('given a ticket, when it has signed in, then it never does again, whatever is proved', async (t) => {
  const made = await withApp()
  const [ticket, another] = [await ticketOf(made), await ticketOf(made)]
  t.equal((await second(made, ticket, made.code())).status, 200)
  made.clock.now += 30_000
  const [recovery, further] = made.added.recovery_codes as readonly [string, string]
  for (const code of [made.code(), recovery])
    t.match(await second(made, ticket, code), { status: 410, body: { code: 'ticket_not_valid' } })
  t.equal((await second(made, another, recovery)).status, 200, 'which a code that was refused so is not used up')
  t.equal((await second(made, another, further)).status, 410)
})

t.test('given an enrolment, when it has set up an app, then it sets up no other', async (t) => {
  const { send, clock, offer, added } = await withApp()
  const token = added.session.access_token
  const { body } = await send('POST', `${base}/authenticator`, { token, body: {} })
  const confirm = (secret: string, enrolment: string) =>
    send('POST', `${base}/authenticator/confirm`, {
      token,
      body: { enrolment, code: codeOf(secret, clock), name: 'x' },
    })
  t.equal((await confirm(body.secret, body.enrolment)).status, 200)
  clock.now += 30_000
  t.match(await confirm(body.secret, body.enrolment), { status: 410, body: { code: 'ticket_not_valid' } })
  t.match(await confirm(offer.secret, offer.enrolment), { status: 410 })
})

t.test('given a clock that is wrong, then the codes of one step around are right, and no others', async (t) => {
  const made = await withApp()
  const code = async (seconds: number) => {
    const at = { now: made.clock.now + seconds * 1000 }
    return (await second(made, await ticketOf(made), codeOf(made.offer.secret, at))).status
  }
  made.clock.now += 10 * minute
  t.equal(await code(-60), 422)
  t.equal(await code(60), 422)
  t.equal(await code(-30), 200)
  t.equal(await code(30), 200)
})

t.test(
  'given wrong codes, when there are too many, then no process looks at another, and the owner is told',
  async (t) => {
    const box = mailbox()
    const made = await withApp({ mail: box.mail, secret })
    t.match(await box.next(), { to: [eve], subject: 'Your account has another second factor', text: 'Phone' })
    const ticket = await ticketOf(made)
    for (let tried = 0; tried < 5; tried++) t.equal((await second(made, ticket, '000000')).status, 422)
    t.match(await box.next(), { to: [eve], subject: 'Somebody may know your password' })
    const other = elsewhere(made)
    const there = await ticketOf(other)
    t.match(await second(other, there, made.code()), { status: 429, body: { code: 'too_many_attempts' } })
    t.equal((await second(other, there, made.added.recovery_codes[0])).status, 200, 'a recovery code cannot be guessed')
  },
)

t.test('given recovery codes, when one signs in, then it is used up, and new ones replace the others', async (t) => {
  const made = await withApp()
  const { send, added } = made
  const [one, two] = added.recovery_codes as readonly [string, string]
  const right = await second(made, await ticketOf(made), one.toUpperCase().replaceAll('-', ' '))
  t.equal(right.status, 200, 'however it is typed')
  t.equal((await second(made, await ticketOf(made), one)).status, 422)
  const token = right.body.access_token
  t.match((await send('GET', base, { token })).body, { recovery_codes_left: 9 })
  const { body } = await send('POST', `${base}/recovery-codes`, { token, body: {} })
  t.equal(body.recovery_codes.length, 10)
  t.equal((await second(made, await ticketOf(made), two)).status, 422)
  t.equal((await second(made, await ticketOf(made), body.recovery_codes[0])).status, 200)
})

t.test('given a session that is not new, or an API key, then neither changes a second factor', async (t) => {
  const { send, clock, tokens } = await world()
  const token = tokens.client_employee
  const { body } = await send('POST', '/api/v1/api-keys', { token, body: { name: 'k', scopes: ['orders:read'] } })
  t.match(await send('POST', `${base}/authenticator`, { token: body.key, body: {} }), { status: 403 })
  clock.now += 16 * minute
  t.match(await send('POST', `${base}/authenticator`, { token, body: {} }), {
    status: 403,
    body: { code: 'sign_in_again' },
  })
  const refreshed = await send('POST', '/api/v1/user/refresh', { token })
  t.match(
    await send('POST', `${base}/authenticator`, { token: refreshed.body.access_token, body: {} }),
    { status: 403, body: { code: 'sign_in_again' } },
    'a new token is no new sign-in',
  )
})

t.test(
  'given a second factor, when the password is set by a link or by the operator, then it is still asked for',
  async (t) => {
    const box = mailbox()
    const made = await withApp({ mail: box.mail })
    await box.next()
    await made.send('POST', '/api/v1/user/password-reset', { body: { email: eve } })
    const link = (await box.nextLink()).searchParams.get('link')
    const body = { link, new_password: 'several unrelated words' }
    t.equal((await made.send('POST', '/api/v1/user/password-reset/confirm', { body })).status, 200)
    t.match(await login(made, eve, 'several unrelated words'), {
      status: 401,
      body: { code: 'second_factor_required' },
    })
  },
)

t.test('given a ticket, when the password changes, time passes, or it is changed, then it leads nowhere', async (t) => {
  const made = await withApp()
  const { send, clock, added, code } = made
  const ticket = await ticketOf(made)
  t.match(await second(made, `${ticket}x`, code()), { status: 410, body: { code: 'ticket_not_valid' } })
  t.match(await second(made, made.offer.enrolment, code()), { status: 410 })
  clock.now += 5 * minute
  t.match(await second(made, ticket, code()), { status: 410 })
  const later = await ticketOf(made)
  const body = { current_password: passwordOf('client_employee'), new_password: 'several unrelated words' }
  t.equal((await send('PUT', '/api/v1/user/password', { token: added.session.access_token, body })).status, 200)
  t.match(await second(made, later, code()), { status: 410 })
})

t.test('given a second factor, when its owner removes it, then the password is enough again', async (t) => {
  const made = await withApp()
  const { send, added } = made
  const token = added.session.access_token
  t.match(await send('DELETE', `${base}/7`, { token }), { status: 404, body: { code: 'factor_not_found' } })
  const { status, body } = await send('DELETE', `${base}/1`, { token })
  t.equal(status, 200)
  t.equal((await send('GET', '/api/v1/user', { token })).status, 401, 'all sessions have ended')
  t.equal((await send('GET', '/api/v1/user', { token: body.session.access_token })).status, 200)
  t.equal((await login(made)).status, 200)
})

t.test('given a business that asks for one, when its staff sign in, then they are led to set it up', async (t) => {
  const entries: SecurityEntry[] = []
  const made = await world({ audit: (_, entry) => entries.push(entry) })
  const { send, tokens, clock } = made
  const rule = '/api/v1/business/second-factor'
  t.equal((await send('PUT', rule, { token: tokens.client_employee, body: { required_of: 'staff' } })).status, 403)
  t.match(await send('PUT', rule, { token: tokens.client_admin, body: { required_of: 'staff' } }), { status: 200 })
  t.match((await send('GET', rule, { token: tokens.client_employee })).body, { required_of: 'staff' })
  t.equal((await login(made, 'driver@one.example', passwordOf('driver'))).status, 200, 'others are not asked')
  t.equal((await login(made, 'client_employee@two.example')).status, 200, 'nor another business')
  const refused = await login(made)
  t.match(refused, { status: 403, body: { code: 'second_factor_setup_required' } })
  const { ticket } = refused.body
  t.match(await second(made, ticket, '000000'), { status: 410 }, 'it is no ticket for a second step')
  const { body: offer } = await send('POST', '/api/v1/user/login/setup', { body: { ticket } })
  const confirm = (code: string) =>
    send('POST', '/api/v1/user/login/setup/confirm', {
      body: { ticket, enrolment: offer.enrolment, code, name: 'Phone' },
    })
  t.equal((await confirm('000000')).status, 422)
  const { body } = await confirm(codeOf(offer.secret, clock))
  t.equal(body.recovery_codes.length, 10)
  const token = body.session.access_token
  t.equal((await send('GET', '/api/v1/user', { token })).status, 200)
  t.match(await send('DELETE', `${base}/1`, { token }), { status: 409, body: { code: 'second_factor_needed' } })
  t.equal((await confirm(codeOf(offer.secret, clock))).status, 410, 'a ticket sets up once')
  t.match(
    entries
      .filter(({ event }) => /^second_factor_(rule|added)$/.test(event))
      .map(({ event, outcome }) => [event, outcome]),
    [
      ['second_factor_rule', 'ok'],
      ['second_factor_added', 'refused'],
      ['second_factor_added', 'ok'],
    ],
  )
})

t.test('given a rule that begins later, then sign-ins need no factor until then, and people know', async (t) => {
  const made = await world()
  const { send, tokens, clock } = made
  const put = (body: object) => send('PUT', '/api/v1/business/second-factor', { token: tokens.client_admin, body })
  const read = async (token: string) => (await send('GET', base, { token })).body
  const later = { required_of: 'staff', required_from: '2026-06-10T13:00:00.000Z' }
  t.match(await put({ required_of: 'staff', required_from: '2026-06-10T15:00:00+02:00' }), { status: 200, body: later })
  t.match((await send('GET', '/api/v1/business/second-factor', { token: tokens.client_employee })).body, later)
  t.match(await read(tokens.client_employee), { is_required: false, required_from: later.required_from })
  t.notOk('required_from' in (await read(tokens.driver)), 'others are not asked')
  t.equal((await login(made)).status, 200)
  clock.now = Date.parse(later.required_from)
  t.match(await login(made), { status: 403, body: { code: 'second_factor_setup_required' } })
  t.strictSame((await read(tokens.client_employee)).is_required, true)
  t.match(await put({ required_of: 'staff', required_from: 'soon' }), { status: 422 })
  t.strictSame((await put({ required_of: 'nobody', required_from: later.required_from })).body, {
    result: true,
    required_of: 'nobody',
  })
  t.equal((await login(made)).status, 200)
})

t.test(
  'given API keys, when a second factor is set up, then they stay valid, and all are revoked at once',
  async (t) => {
    const made = await withApp()
    const { send, tokens, added, other } = made
    const token = added.session.access_token
    const keyOf = async (owner: string) => {
      const body = { name: 'Import', scopes: ['orders:read'] }
      return (await send('POST', '/api/v1/api-keys', { token: owner, body })).body.key
    }
    const mine = [await keyOf(token), await keyOf(token)]
    const theirs = [await keyOf(tokens.driver), await keyOf(other.tokens.client_employee)]
    const works = (keys: readonly string[]) =>
      Promise.all(keys.map(async (key) => (await send('GET', '/api/v1/orders', { token: key })).status))
    t.match((await send('GET', base, { token })).body, { valid_api_keys: 2 })
    t.same(await works(mine), [200, 200])
    t.strictSame((await send('DELETE', '/api/v1/api-keys', { token })).body, { result: true, revoked: 2 })
    t.same(
      [await works(mine), await works(theirs)],
      [
        [401, 401],
        [200, 200],
      ],
    )
    t.strictSame((await send('DELETE', '/api/v1/api-keys', { token })).body, { result: true, revoked: 0 })
    t.match((await send('GET', base, { token })).body, { valid_api_keys: 0 })
    t.equal((await send('DELETE', '/api/v1/api-keys', { token: theirs[0] ?? '' })).status, 403, 'a key ends none')
  },
)

t.test(
  'given a person who has lost the device, when an administrator or the operator removes it, then the password is enough',
  async (t) => {
    const box = mailbox()
    const made = await withApp({ mail: box.mail })
    const { send, tokens, ids, other, added } = made
    await box.next()
    const path = `/api/v1/accounts/${ids.client_employee}/second-factors`
    t.equal((await send('DELETE', path, { token: other.tokens.client_admin })).status, 404)
    t.equal((await send('DELETE', path, { token: tokens.driver })).status, 403)
    const own = `/api/v1/accounts/${ids.client_admin}/second-factors`
    t.match(await send('DELETE', own, { token: tokens.client_admin }), {
      status: 409,
      body: { code: 'own_factors_kept' },
    })
    const { body } = await send('GET', '/api/v1/accounts', { token: tokens.client_admin })
    const has = body.accounts.filter(({ has_second_factor }: { has_second_factor?: true }) => has_second_factor)
    t.match(has, [{ id: ids.client_employee }])
    t.match(await send('DELETE', path, { token: tokens.client_admin }), { status: 200, body: { removed: 1 } })
    t.equal((await send('GET', '/api/v1/user', { token: added.session.access_token })).status, 401)
    t.match(await box.next(), { to: [eve], subject: 'A second factor of your account was removed' })
    t.equal((await login(made)).status, 200)
    t.match(await call(clearFactors, operator(made), { account_id: ids.client_employee }), { removed: 0 })
  },
)

t.test(
  'given a second factor, then no event holds its secret in clear, and it is erased with its person',
  async (t) => {
    const made = await withApp({ secret })
    const { parts, ids, offer, added, store } = made
    const text = JSON.stringify(await kept({ store }))
    for (const secret of [offer.secret, 'Phone', added.recovery_codes[0], added.session.access_token])
      t.notMatch(text, secret)
    const opened = JSON.stringify(await parts.store.read(`factors-${ids.client_employee}`))
    t.match(opened, offer.secret, 'the engine reads it')
    t.notMatch(opened, added.recovery_codes[0])
    const eraser = { ...operator(made), caller: { ...operator(made).caller, scopes: ['otep:erase'] } }
    await call(forgetAccount, { ...eraser, requestId: randomUUID() }, { account_id: ids.client_employee })
    t.notMatch(JSON.stringify(await parts.store.read(`factors-${ids.client_employee}`)), offer.secret)
  },
)

/** An app for one kind of account, in which the account of this kind signs in by a password or an identity provider. */
async function shop(t: Test, made: World, role: Role) {
  const idp = await startIssuer()
  t.teardown(idp.close)
  const { send, business, clock, ids, parts } = made
  const settings = {
    ...{ name: 'Shop', type: 'consumer', schema_version: 1, roles: [role], capabilities: [], versions: [] },
    providers: [{ name: 'google', issuer: idp.issuer, audience: 'our-app' }],
  }
  const client = {
    ...{ display_name: 'Acme', business_id: business, methods: ['email', 'google'], capabilities: [] },
    ...{ quick_actions: [], default_phone_region: 'CA' },
  }
  await call(configureApp, operator(made), { app_code: 'shop', settings })
  await call(assignApp, operator(made), { app_code: 'shop', client_code: 'one', settings: client })
  const email = `${role}@one.example`
  const enter = (way: string, given: object) =>
    send('POST', `/api/v1/apps/shop/clients/one/auth/${way}`, {
      body: { ...given, device_id: 'device-1', device_platform: 'ios' },
    })
  const idToken = () => {
    const now = Math.floor(clock.now / 1000)
    const identity = { sub: '42', email, email_verified: true }
    return idp.sign({ iss: idp.issuer, aud: 'our-app', iat: now, exp: now + 300, ...identity })
  }
  const isBound = async () =>
    (await parts.store.read(`account-${ids[role]}`)).some(({ type }) => type === 'IdentityBound')
  return { email, enter, idToken, isBound }
}

t.test('given an app, when a customer with a second factor signs in, then either way leads through it', async (t) => {
  const made = await withApp({}, 'customer')
  const { clock, code, ids } = made
  const { email, enter, idToken, isBound } = await shop(t, made, 'customer')
  const byPassword = await enter('email', { email, password: passwordOf('customer') })
  t.match(byPassword, { status: 401, body: { code: 'second_factor_required' } })
  const first = await second(made, byPassword.body.ticket, code())
  t.match(first.body, { user: { id: ids.customer, email }, app_context: { app_code: 'shop', client_code: 'one' } })
  t.equal(first.body.expires_timestamp * 1000, clock.now + 30 * 24 * 60 * minute, 'as long as in an app')
  clock.now += 30_000
  const byToken = await enter('google', { id_token: await idToken() })
  t.match(byToken, { status: 401, body: { code: 'second_factor_required' } })
  t.equal(await isBound(), false, 'the identity is not bound by half a sign-in')
  t.match((await second(made, byToken.body.ticket, code())).body, { user: { id: ids.customer } })
  t.equal(await isBound(), true)
})

t.test(
  'given a business that asks for one, when its staff first sign in with an identity, then setting it up signs in and binds it',
  async (t) => {
    const made = await world()
    const { send, tokens, clock, ids } = made
    const { enter, idToken, isBound } = await shop(t, made, 'client_employee')
    const rule = { token: tokens.client_admin, body: { required_of: 'staff' } }
    t.equal((await send('PUT', '/api/v1/business/second-factor', rule)).status, 200)
    const { ticket } = (await enter('google', { id_token: await idToken() })).body
    const { body: offer } = await send('POST', '/api/v1/user/login/setup', { body: { ticket } })
    const given = { ticket, enrolment: offer.enrolment, code: codeOf(offer.secret, clock), name: 'Phone' }
    const { status, body } = await send('POST', '/api/v1/user/login/setup/confirm', { body: given })
    t.equal(status, 200)
    t.match(body.session, { user: { id: ids.client_employee }, app_context: { app_code: 'shop' } })
    t.equal((await send('GET', '/api/v1/user', { token: body.session.access_token })).status, 200)
    t.equal(await isBound(), true)
  },
)

t.test('given a passkey that nobody has made, then it signs nobody in', async (t) => {
  const made = await world({ baseUrl: 'https://otep.example' })
  const { send, tokens } = made
  const begun = await send('POST', '/api/v1/user/login/passkey', { body: {} })
  t.match(begun.body.options, { rpId: 'otep.example', userVerification: 'required' })
  const forge = (userHandle: string) =>
    send('POST', '/api/v1/user/login/second-factor', {
      body: {
        ticket: begun.body.ticket,
        passkey: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { userHandle } },
      },
    })
  for (const handle of ['MQ', 'MA', '', '!', 'x'.repeat(500)]) t.match(await forge(handle), { status: 422 })
  const token = tokens.driver
  const { body } = await send('POST', `${base}/passkeys`, { token, body: {} })
  t.match(body.options, { rp: { id: 'otep.example' }, authenticatorSelection: { userVerification: 'required' } })
  const passkey = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: 'e30', attestationObject: 'oA' },
  }
  const confirm = { enrolment: body.enrolment, passkey, name: 'x' }
  t.match(await send('POST', `${base}/passkeys/confirm`, { token, body: confirm }), {
    status: 422,
    body: { code: 'passkey_not_valid' },
  })
})

t.test(
  'given the passkey of an account, when another registers its id, then it is refused like a broken one',
  async (t) => {
    const made = await world({ baseUrl: 'https://otep.example', secret })
    const { send, tokens } = made
    const id = Buffer.from('the same device')
    const begin = async (token: string) => (await send('POST', `${base}/passkeys`, { token, body: {} })).body
    const confirm = (token: string, { enrolment, options }: { enrolment: string; options: { challenge: string } }) => {
      const passkey = createdPasskey(options, id, 'https://otep.example')
      return send('POST', `${base}/passkeys/confirm`, { token, body: { enrolment, passkey, name: 'Laptop' } })
    }
    const [first, at, late] = [await begin(tokens.driver), await begin(tokens.customer), await begin(tokens.contractor)]
    const both = await Promise.all([confirm(tokens.driver, first), confirm(tokens.customer, at)])
    t.same(both.map(({ status }) => status).sort(), [200, 422], 'one of two at once')
    const refused = both.find(({ status }) => status === 422)?.body
    t.match(refused, { code: 'passkey_not_valid' })
    const { body } = await confirm(tokens.contractor, late)
    t.strictSame({ ...body, request_id: '' }, { ...refused, request_id: '' }, 'and later')
    t.equal((await send('GET', base, { token: tokens.contractor })).body.factors.length, 0)
    const token = both.find(({ status }) => status === 200)?.body.session.access_token
    t.match(await confirm(token, await begin(token)), { status: 409, body: { code: 'passkey_exists' } })
    t.notMatch(JSON.stringify(await kept(made)), id.toString('base64url'), 'the id is stored sealed or hashed')
  },
)

t.test(
  'given passkeys that are forged, then the answers do not tell which accounts have a second factor',
  async (t) => {
    const made = await withApp({ baseUrl: 'https://otep.example' })
    const { ticket } = (await made.send('POST', '/api/v1/user/login/passkey', { body: {} })).body
    const statuses = async (account: number) => {
      const userHandle = Buffer.from(String(account)).toString('base64url')
      const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { userHandle } }
      const found: number[] = []
      for (let tried = 0; tried < 6; tried++)
        found.push((await made.send('POST', '/api/v1/user/login/second-factor', { body: { ticket, passkey } })).status)
      return found
    }
    const told = [422, 422, 422, 422, 422, 429]
    t.strictSame(await statuses(made.ids.client_employee), told)
    t.strictSame(await statuses(made.ids.driver), told, 'one without')
    t.strictSame(await statuses(999_999), told, 'nobody')
  },
)

t.test('given a server that browsers know by a number, then it offers no passkeys', async (t) => {
  const { send, tokens } = await world({ baseUrl: 'http://127.0.0.1:8080' })
  t.match((await send('GET', base, { token: tokens.driver })).body, { passkeys_available: false })
  t.match(await send('POST', '/api/v1/user/login/passkey', { body: {} }), {
    status: 409,
    body: { code: 'passkeys_unavailable' },
  })
})

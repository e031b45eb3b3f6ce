import { SignJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import t, { type Test } from 'tap'
import {
  call,
  confirmDomain,
  createMemoryStore,
  type Role,
  replaceEmail,
  resetPassword,
  type SecurityEntry,
  type Storage,
  takeDomain,
} from '../../../engine/index.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { createApp } from '../../main.ts'
import { secretOf } from '../../node/secret.ts'
import { knownClient, secondClient } from '../issuer.test.fixture.ts'
import { operator, type Party, passwordOf } from '../world.test.fixture.ts'
import { linkIn, signingOn } from './sign-on.test.fixture.ts'

const path = '/api/v1/business/sign-on'
const eve = 'client_employee@one.example'
const admin = 'client_admin@one.example'

/** A server whose security log is kept. */
async function watched(t: Test) {
  const entries: SecurityEntry[] = []
  const made = await signingOn(t, { audit: (_, entry) => entries.push(entry) })
  const login = (email: string, password: string) =>
    made.send('POST', '/api/v1/user/login', { body: { email, password } })
  return { ...made, entries, login }
}

t.test(
  'given a proved domain, when somebody of it signs in with the provider, then it is a session like any other',
  async (t) => {
    const { person, signOn, tokenIn, send, ids, entries, idp, leave, clock } = await watched(t)
    person({ email: eve, name: 'Eve' })
    const left = await leave(eve)
    t.match(left.html, 'You are sent to Acme')
    const asked = new URL(left.next).searchParams
    t.match(Object.fromEntries(asked), {
      ...{ kept: '1', response_type: 'code', scope: 'openid email profile', code_challenge_method: 'S256' },
      ...{ login_hint: eve, redirect_uri: 'http://localhost:3000/account/sign-on/1' },
    })
    const arrived = await signOn(eve)
    t.match(arrived, { status: 200, next: '/account' })
    const token = tokenIn(arrived)
    t.match((await send('GET', '/api/v1/user', { token })).body, { id: ids.client_employee, role: 'client_employee' })
    const concerned = { way: 'sign_on', business: 1, account: ids.client_employee }
    t.match(entries.at(-1), { event: 'sign_in', outcome: 'ok', concerned })
    const { sessions } = (await send('GET', '/api/v1/user/sessions', { token })).body
    const mine = sessions.find((one: { readonly is_current: boolean }) => one.is_current)
    t.match(mine, { program: 'Mozilla/5.0 Firefox/140.0' })
    t.notMatch(JSON.stringify([...entries, sessions]), idp.redeemed[0]?.get('code'), 'the code is nowhere')
    t.equal((await send('POST', '/api/v1/user/logout', { token })).status, 200)
    t.equal((await send('GET', '/api/v1/user', { token })).status, 401)
    const again = tokenIn(await signOn(eve))
    clock.now += 12 * 3_600_000
    t.equal((await send('GET', '/api/v1/user', { token: again })).status, 401, 'it ends when any session would')
  },
)

t.test(
  'given an address that changes at the provider, then the person stays the same, within the domain',
  async (t) => {
    const { person, signOn, tokenIn, send, ids } = await signingOn(t)
    person({ email: eve })
    await signOn(eve)
    person({ email: 'eve.married@one.example' })
    const token = tokenIn(await signOn(eve))
    t.equal((await send('GET', '/api/v1/user', { token })).body.id, ids.client_employee)
    person({ email: 'eve@elsewhere.example' })
    t.match(await signOn(eve), { status: 403, html: /has not confirmed an email address of your business/ })
  },
)

t.test('given what a sign-in must not be, when somebody comes back with it, then nobody is signed in', async (t) => {
  const { person, signOn, tokenIn, entries, other, set, publish, prove, clock } = await watched(t)
  const now = Math.floor(clock.now / 1000)
  const wrong: Readonly<Record<string, readonly [claims: object, status: number, lead: RegExp]>> = {
    'another nonce': [{ nonce: 'of somebody else' }, 403, /has not let you in/],
    'no nonce': [{ nonce: undefined }, 403, /has not let you in/],
    'a token of another client': [{ aud: 'another client' }, 403, /has not let you in/],
    'a token of two clients': [{ aud: ['otep at idp', 'another client'] }, 403, /has not let you in/],
    'a token that another client asked for': [{ azp: 'another client' }, 403, /has not let you in/],
    'another issuer': [{ iss: 'https://other.example' }, 403, /has not let you in/],
    expired: [{ exp: now - 31 }, 403, /has not let you in/],
    'no subject': [{ sub: undefined }, 403, /has not let you in/],
    'an address that is not verified': [{ email_verified: false }, 403, /has not confirmed/],
    'an address of which nothing is said': [{ email_verified: undefined }, 403, /has not confirmed/],
    'no address': [{ email: undefined }, 403, /has not confirmed/],
    'another domain': [{ email: 'client_employee@two.example' }, 403, /has not confirmed/],
    'a domain below it': [{ email: 'client_employee@sub.one.example' }, 403, /has not confirmed/],
    'a domain that ends the same': [{ email: 'client_employee@not-one.example' }, 403, /has not confirmed/],
    'an address without an account': [{ email: 'nobody@one.example' }, 403, /no account here for you/],
  }
  for (const [words, [claims, status, lead]] of Object.entries(wrong)) {
    person({ email: eve, ...claims })
    const arrived = await signOn(eve)
    t.match(arrived, { status, html: lead }, words)
    t.equal(tokenIn(arrived), undefined, words)
    t.match(entries.at(-1), { event: 'sign_in', outcome: 'refused', concerned: { way: 'sign_on' } }, words)
  }
  await set({}, other)
  await publish('two.example', other)
  await prove('two.example', other)
  person({ email: eve })
  t.match(await signOn('client_admin@two.example'), { status: 403 }, 'an address of another business’s domain')
  person({ email: eve, email_verified: undefined, xms_edov: true })
  t.ok(tokenIn(await signOn(eve)), 'Entra ID says otherwise that the owner of the domain gave the address')
})

t.test(
  'given a sign-in of another browser, or of another time, when somebody comes back with it, then it is refused',
  async (t) => {
    const { person, leave, pass, comeBack, tokenIn, clock, set, other, publish, prove, signOn } = await signingOn(t)
    person({ email: eve })
    const [mine, theirs] = [await leave(eve), await leave(eve)]
    const back = await pass(mine)
    for (const [words, cookies] of Object.entries({ another: theirs.cookies, none: [], broken: ['otep_sign_on=x'] })) {
      const arrived = await comeBack(back, { cookies })
      t.match(arrived, { status: 410, html: /begun in another browser/ }, `the cookie of ${words}`)
      t.equal(tokenIn(arrived), undefined)
    }
    t.ok(tokenIn(await comeBack(back, mine)), 'the browser that left')
    t.match(await comeBack(back, mine), { status: 403 }, 'a code is good once')
    await set({}, other)
    await publish('two.example', other)
    await prove('two.example', other)
    const toOther = await leave(eve)
    const elsewhere = (await pass(toOther)).replace('/sign-on/1', '/sign-on/2')
    t.match(await comeBack(elsewhere, toOther), { status: 410 }, 'the address of another business')
    const late = await leave(eve)
    const lateBack = await pass(late)
    clock.now += 600_000
    t.match(await comeBack(lateBack, late), { status: 410 }, 'after ten minutes')
    const changed = await leave(eve)
    const changedBack = await pass(changed)
    await set({ client_id: 'another client' })
    t.match(await comeBack(changedBack, changed), { status: 410 }, 'the business has another client now')
    await set()
    const denied = await leave(eve)
    const state = new URL(denied.next).searchParams.get('state')
    const answer = await comeBack(`/account/sign-on/1?error=access_denied&state=${state}`, denied)
    t.match(answer, { status: 403, html: /has not let you in/ })
    t.ok(tokenIn(await signOn(eve)))
  },
)

t.test(
  'given a provider that takes a code twice, when a browser comes back again, then one is signed in',
  async (t) => {
    const { person, leave, pass, comeBack, tokenIn, idp } = await signingOn(t)
    person({ email: eve })
    idp.misbehave('codes-again')
    const left = await leave(eve)
    const back = await pass(left)
    const answers = await Promise.all([comeBack(back, left), comeBack(back, left)])
    t.equal(answers.filter((one) => tokenIn(one) !== undefined).length, 1, 'both at once')
    t.match(await comeBack(back, left), { status: 410, html: /has run out/ })
    const code = new URLSearchParams((await pass(left)).split('?')[1]).get('code')
    const other = back.replace(/code=\w+/, `code=${code}`)
    t.match(await comeBack(other, left), { status: 410 }, 'nor with another code')
  },
)

t.test('given a disabled account, then it is not signed in, and nobody learns that it is there', async (t) => {
  const { person, signOn, send, tokens, ids } = await signingOn(t)
  const turn = (is_active: boolean) =>
    send('PUT', `/api/v1/accounts/${ids.client_employee}/status`, { token: tokens.client_admin, body: { is_active } })
  await turn(false)
  person({ email: eve })
  const disabled = await signOn(eve)
  person({ email: 'nobody@one.example' })
  const unknown = await signOn(eve)
  t.same([disabled.status, disabled.html], [unknown.status, unknown.html])
})

t.test(
  'given a provider that is down or lies about itself, then people learn it, and passwords still work',
  async (t) => {
    const { person, leave, pass, comeBack, idp, login, clock } = await watched(t)
    person({ email: eve })
    const left = await leave(eve)
    const back = await pass(left)
    idp.misbehave('down')
    t.match(await comeBack(back, left), { status: 503, html: /cannot be reached/ })
    t.match(await login(eve, passwordOf('client_employee')), { status: 200 })
    clock.now += 3_600_000
    for (const how of ['down', 'other-issuer', 'redirect', 'flood'] as const) {
      idp.misbehave(how)
      clock.now += 6_000
      const refused = await leave(eve)
      t.match(refused, { status: 503, html: /cannot be reached/ }, how)
      t.match(refused.html, 'name="password"', 'with the other way to sign in')
    }
  },
)

t.test('given a provider in a network that the operator has not opened, then it is never asked', async (t) => {
  const made = await signingOn(t, { signOn: {} })
  t.match(await made.leave(eve), { status: 422 }, 'nor does its DNS know the domain')
  await call(confirmDomain, operator(made), { business_id: made.business, domain: 'one.example' })
  t.match(await made.leave(eve), { status: 503 })
  t.same(made.idp.asked, { discovery: 0, keys: 0 })
})

t.test('given a domain, then it does nothing until it is proved, and is of one business', async (t) => {
  const { send, tokens, other, claim, prove, publish, set, leave, parts, business, person, signOn, tokenIn, ...made } =
    await signingOn(t)
  const { zone, clock } = made
  clock.now += 1_000
  await set({}, other)
  t.match((await claim('both.example')).body.domains, [{ domain: 'one.example', proof: 'dns' }, { proof: null }])
  await claim('both.example', other)
  t.match(await leave('a@both.example'), { status: 422 }, 'nobody is sent anywhere for it')
  t.match(await prove('both.example'), { status: 409, body: { code: 'email_domain_not_proved' } })
  const record = await publish('both.example', other)
  t.match(record, { name: '_otep-sign-on.both.example', type: 'TXT', value: /^otep-domain=[0-9a-f]{40}$/ })
  t.match(await prove('both.example'), { status: 409 }, 'the record of the other business')
  t.match(await prove('both.example', other), { status: 200, body: { domains: [{ proof: 'dns' }] } })
  const ours = (await send('GET', path, { token: tokens.client_admin })).body.domains[1].record
  zone.set(ours.name, ours.value)
  for (const late of [await prove('both.example'), await claim('both.example')])
    t.match(late, { status: 409, body: { code: 'email_domain_taken' } })
  zone.clear()
  t.match(await leave('a@both.example'), { status: 200 }, 'a proof stays when the record goes')
  person({ email: eve, sub: 'another' })
  t.equal(tokenIn(await signOn('a@both.example')), undefined, 'and speaks for this domain alone')
  const context = operator({ parts })
  await call(takeDomain, context, { business_id: other.business, domain: 'both.example' })
  await call(confirmDomain, context, { business_id: business, domain: 'both.example' })
  const mine = await send('GET', path, { token: tokens.client_admin })
  t.match(mine.body.domains.at(-1), { domain: 'both.example', proof: 'operator' })
  t.match(await prove('never.example'), { status: 404, body: { code: 'email_domain_not_found' } })
  for (const domain of ['Big.example', 'example', '*.one.example', 'one..example'])
    t.equal((await claim(domain)).status, 422, domain)
  await send('DELETE', `${path}/domains/both.example`, { token: tokens.client_admin })
  t.match(await leave('a@both.example'), { status: 422 })
  for (let one = 0; one < 19; one++) await claim(`a${one}.example`)
  t.match(await claim('more.example'), { status: 409, body: { code: 'too_many_email_domains' } })
})

t.test(
  'given the settings, then only admins have them, the secret is never shown, and goes to no other provider',
  async (t) => {
    const { send, tokens, set, store } = await signingOn(t)
    for (const role of ['client_employee', 'customer', 'driver', 'contractor'] as const)
      t.equal((await send('GET', path, { token: tokens[role] })).status, 403, role)
    const { body } = await send('GET', path, { token: tokens.client_admin })
    t.match(body, {
      sign_on: { name: 'Acme', scopes: ['openid', 'email', 'profile'], required_of: 'nobody', new_accounts: 'none' },
      redirect_uri: 'http://localhost:3000/account/sign-on/1',
    })
    t.notMatch(JSON.stringify(body), 'a secret')
    const recorded = []
    for await (const event of store.readAll()) recorded.push(event)
    t.notMatch(JSON.stringify(recorded), 'a secret: of', 'nor is it recorded in plain text')
    t.match(await set({ client_secret: undefined, name: 'Acme 2' }), { status: 200 }, 'the secret stays')
    const moved = { client_secret: undefined, issuer: 'https://evil.example' }
    t.match(await set(moved), { status: 422, body: { errors: [{ path: 'client_secret' }] } })
    t.match(await set({ issuer: 'http://idp.example' }), { status: 422 })
    t.match(await set({ new_accounts: 'client_admin' }), { status: 422 }, 'nobody becomes an admin by signing in')
    t.match(await send('DELETE', path, { token: tokens.client_admin }), { status: 200, body: { sign_on: null } })
    t.match(await send('DELETE', path, { token: tokens.client_admin }), { status: 404 })
    t.match(await set({ client_secret: undefined }), { status: 422 }, 'its secret is erased with it')
    t.match(await set(), { status: 200, body: { sign_on: { name: 'Acme' } } })
  },
)

t.test(
  'given a business that wants its staff to sign in so, then passwords are refused, but never for good',
  async (t) => {
    const { person, signOn, login, set, tokens, send, ids, ...made } = await watched(t)
    const refused = { status: 409, body: { code: 'sign_on_not_tried' } }
    t.match(await set({ required_of: 'staff' }), refused, 'an admin who has not tried it would lock herself out')
    person({ email: admin })
    await signOn(admin)
    t.match(await set({ required_of: 'staff' }), { status: 200 })
    const required = { status: 403, body: { code: 'sign_on_required' } }
    t.match(await login(admin, passwordOf('client_admin')), required)
    t.match(await login(eve, passwordOf('client_employee')), required)
    t.match(await login(eve, 'a wrong password'), { status: 401 }, 'who does not know the password learns nothing')
    t.match(await login('customer@one.example', passwordOf('customer')), { status: 200 }, 'customers are no staff')
    t.match(await login('client_admin@two.example', passwordOf('client_admin')), { status: 200 })
    t.match(await send('GET', '/api/v1/user', { token: tokens.client_admin }), { status: 200 }, 'sessions go on')
    const password = 'several unrelated words'
    await call(resetPassword, operator(made), { account_id: ids.client_admin, password })
    const helped = await login(admin, password)
    t.match(helped, { status: 200 }, 'a password that the operator has set always works')
    const own = { current_password: password, new_password: 'several other unrelated words' }
    await send('PUT', '/api/v1/user/password', { token: helped.body.access_token, body: own })
    t.match(await login(admin, own.new_password), required, 'until its person sets another one')
    person({ email: admin })
    t.match(await signOn(admin), { status: 200 })
    await call(takeDomain, operator(made), { business_id: made.business, domain: 'one.example' })
    t.match(await login(admin, own.new_password), { status: 200 }, 'without the domain, the rule is about nobody')
  },
)

t.test(
  'given staff that has to sign in so, then its addresses stay in the domains of the business, and the operator may change them',
  async (t) => {
    const box = mailbox()
    const { person, signOn, tokenIn, page, set, publish, prove, send, tokens, ids, ...made } = await signingOn(t, {
      mail: box.mail,
    })
    const ask = (new_email: string, role: Role = 'client_employee') =>
      send('POST', '/api/v1/user/email', { token: tokens[role], body: { new_email, password: passwordOf(role) } })
    const confirm = (link: string) => send('POST', '/api/v1/user/email/confirm', { body: { link } })
    const nextLink = async () => (await box.nextLink()).searchParams.get('link') ?? ''
    await publish('second.example')
    await prove('second.example')
    await ask('eve@elsewhere.example')
    const early = await nextLink()
    t.equal((await confirm(early)).status, 200)
    const late = await nextLink()
    person({ email: admin })
    await signOn(admin)
    await set({ required_of: 'staff' })
    const refused = { status: 403, body: { code: 'email_outside_sign_on' } }
    t.match(await ask('eve@elsewhere.example'), refused)
    t.match(await ask('eve@two.example'), refused, 'a domain of nobody')
    t.match(await ask('eve@sub.one.example'), refused)
    t.match(await confirm(early), refused, 'a link of before')
    t.match(await confirm(late), refused, 'the last link of before, too')
    const pressed = await page('/account/email', { method: 'POST', body: new URLSearchParams({ link: late }) })
    t.match(pressed, { status: 403, html: /your address has to stay in its domains/ })
    person({ sub: 'eve', email: eve })
    const token = tokenIn(await signOn(eve))
    const cookie = `otep_session=${token}`
    const { html } = await page('/account', { headers: { cookie } })
    const form = /name="form" value="(\w+)"/.exec(html)?.[1] ?? ''
    const fields = { form, email: 'eve@elsewhere.example', password: passwordOf('client_employee') }
    const asked = await page('/account/email-change', {
      ...{ method: 'POST', headers: { cookie, 'Accept-Language': 'fr' } },
      body: new URLSearchParams(fields),
    })
    t.match(asked, { status: 403, html: /votre adresse doit rester dans ses domaines/ })
    t.match(await ask('carl@elsewhere.example', 'customer'), { status: 200 }, 'customers are no staff')
    await box.next()
    t.match(await ask('eve@second.example'), { status: 200 }, 'another domain of the business')
    await confirm(await nextLink())
    t.match(await confirm(await nextLink()), { status: 200, body: { state: 'changed' } })
    const replace = (account_id: number, email: string) => call(replaceEmail, operator(made), { account_id, email })
    await t.rejects(replace(ids.client_employee, admin), { code: 'email_taken' })
    await t.rejects(replace(ids.client_employee, 'Eve@second.example'), { code: 'email_unchanged' })
    await t.rejects(replace(9_999, 'x@elsewhere.example'), { code: 'account_not_found' })
    await replace(ids.client_employee, 'eve@elsewhere.example')
    const login = { email: 'eve@elsewhere.example', password: passwordOf('client_employee') }
    t.match(await send('POST', '/api/v1/user/login', { body: login }), { status: 200 }, 'whom the rule does not reach')
  },
)

t.test(
  'given a business that opens accounts, when somebody new signs in, then there is one, with the least',
  async (t) => {
    const { person, signOn, tokenIn, send, tokens, set, login } = await watched(t)
    const role = { name: 'Read', preset: 'read-only' }
    const { staff_role_id } = (await send('POST', '/api/v1/staff-roles', { token: tokens.client_admin, body: role }))
      .body
    t.match(await set({ staff_role_id }), { status: 422, body: { code: 'staff_role_not_for' } })
    t.match(await set({ new_accounts: 'client_employee', staff_role_id }), { status: 200 })
    person({ sub: 'new', email: 'zoe@one.example', name: 'Zoé Lambert' })
    const token = tokenIn(await signOn('zoe@one.example'))
    const { body } = await send('GET', '/api/v1/user', { token })
    t.match(body, {
      role: 'client_employee',
      name: 'Zoé Lambert',
      email: 'zoe@one.example',
      staff_role: { name: 'Read' },
    })
    t.equal((await send('POST', '/api/v1/orders', { token, body: {} })).status, 403)
    t.match(await login('zoe@one.example', 'any password at all'), { status: 401 }, 'it has no password')
    const { body: again } = await send('GET', '/api/v1/user', { token: tokenIn(await signOn('zoe@one.example')) })
    t.equal(again.id, body.id)
    const { accounts } = (await send('GET', '/api/v1/accounts', { token: tokens.client_admin })).body
    const listed = accounts.find(({ id }: { readonly id: number }) => id === body.id)
    t.notOk(listed.is_invited, 'nobody waits for a password')
    await set({ new_accounts: 'driver' })
    person({ sub: 'newer', email: 'dee@one.example', name: 'a\u0000b' })
    const dee = (await send('GET', '/api/v1/user', { token: tokenIn(await signOn('dee@one.example')) })).body
    t.match(dee, { role: 'driver', name: 'dee' })
    person({ sub: 'someone else', email: 'dee@one.example' })
    t.match(await signOn('dee@one.example'), { status: 403 }, 'an address that somebody else had is no proof')
  },
)

t.test(
  'given an account with a second factor, when it signs on, then that is asked for, and then the identity is bound',
  async (t) => {
    const { person, signOn, leave, pass, comeBack, tokenIn, send, tokens, page, entries, clock, ...made } =
      await watched(t)
    const { logout, token } = made
    const rule = { required_of: 'staff' }
    await send('PUT', '/api/v1/business/second-factor', { token: tokens.client_admin, body: rule })
    person({ email: eve, sid: 'with a factor' })
    const left = await leave(eve, { to: 'deliveries' }, '/webhooks')
    const asked = await comeBack(await pass(left), left)
    t.equal(tokenIn(asked), undefined)
    t.match(asked.html, 'action="/webhooks/sign-in-setup"', 'in the area that was left')
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(asked.html)?.[1] ?? ''
    t.equal(field('to'), 'deliveries')
    const code = TOTP.generate({ secret: Secret.fromBase32(field('secret')), timestamp: clock.now })
    const fields = Object.fromEntries(['ticket', 'enrolment', 'secret', 'uri'].map((name) => [name, field(name)]))
    const body = new URLSearchParams({ ...fields, code })
    const done = await page('/webhooks/sign-in-setup', { method: 'POST', body })
    const session = tokenIn(done)
    t.equal((await send('GET', '/api/v1/user', { token: session })).status, 200)
    t.match(entries.at(-1), { event: 'second_factor_added', concerned: { way: 'sign_on' } })
    person({ email: 'eve.married@one.example' })
    const later = await signOn(eve)
    t.match(later.html, 'action="/account/sign-in-step"', 'by the identity, whatever the address')
    await logout(await token({ sid: 'with a factor' }))
    t.equal(
      (await send('GET', '/api/v1/user', { token: session })).status,
      401,
      'the provider ends such a session, too',
    )
  },
)

t.test(
  'given a provider that takes the secret only in the form, then it gets it there, and nowhere else',
  async (t) => {
    const { person, signOn, tokenIn, idp } = await signingOn(t)
    idp.onlyPost()
    person({ email: eve })
    t.ok(tokenIn(await signOn(eve)))
    t.match(Object.fromEntries(idp.redeemed[0] ?? []), {
      client_id: 'otep at idp',
      client_secret: 'a secret: of/the client',
    })
  },
)

t.test(
  'given the place that a visitor wanted, when she has signed on, then she gets there, and nowhere else',
  async (t) => {
    const { person, signOn, page, leave } = await signingOn(t)
    person({ email: eve })
    t.match(await signOn(eve, { to: 'deliveries' }, '/webhooks'), { next: '/webhooks/deliveries' })
    t.match(await signOn(eve, { to: '//evil.example' }, '/webhooks'), { next: '/webhooks' })
    t.match(await page('/account/sign-on/1'), { status: 200, html: /action="\/account\/sign-in"/ }, 'from nowhere')
    t.match(await page('/account/sign-on/1?error=access_denied'), { status: 403 })
    t.match(await page('/account/sign-on/1?code=x&state=y'), { status: 410 })
    t.match((await leave('client_admin@two.example')).html, 'name="password"')
  },
)

t.test('given proved domains, when somebody signs in, then the address comes first', async (t) => {
  const { page, set } = await signingOn(t)
  const first = await page('/webhooks')
  t.notMatch(first.html, 'name="password"')
  const next = (email: string) =>
    page('/webhooks/sign-in', { method: 'POST', body: new URLSearchParams({ email, to: 'deliveries' }) })
  await set({ name: '<Acme> & Co' })
  const known = await next(eve)
  t.match(known.html, 'Sign in with &lt;Acme&gt; &amp; Co')
  t.match(known.html, 'name="password"')
  const unknown = await next('a@two.example')
  t.notMatch(unknown.html, 'Sign in with &lt;')
  t.match(unknown.html, /value="a@two.example"[\s\S]*name="password"/)
  const headers = { 'Accept-Language': 'fr' }
  t.match(await page('/account/sign-on/1?code=x&state=y', { headers }), { html: /Vous n’êtes pas connecté/ })
})

t.test(
  'given a session of a single sign-on, when its person signs out, then it ends, and a page leads to the sign-out of the provider',
  async (t) => {
    const { person, idp, signOn, signOut, tokenIn, send, page, store, clock, set } = await signingOn(t)
    idp.endsSessions(`${idp.issuer}/logout?kept=1`)
    person({ email: eve, sid: 'session-of-eve' })
    const token = tokenIn(await signOn(eve, {}, '/webhooks')) ?? ''
    const { status, html, cookies } = await signOut(token, '/webhooks')
    t.equal((await send('GET', '/api/v1/user', { token })).status, 401, 'the session has ended already')
    t.match({ status, html, cookies }, { status: 200, html: /still signed in at Acme/, cookies: ['otep_session='] })
    const url = new URL(linkIn(html))
    t.equal(url.origin + url.pathname, `${idp.issuer}/logout`)
    t.match(Object.fromEntries(url.searchParams), {
      ...{ kept: '1', client_id: 'otep at idp', logout_hint: eve },
      post_logout_redirect_uri: 'http://localhost:3000/account/sign-on/1',
    })
    const { headers } = await fetch(url, { redirect: 'manual' })
    const back = (headers.get('location') ?? '').replace('http://localhost:3000', '')
    t.match(await page(back), {
      status: 200,
      html: /have signed out, here and at Acme\.[\s\S]*action="\/webhooks\/sign-in"/,
    })
    t.match(await page(back, { headers: { 'Accept-Language': 'de' } }), { html: /hier und bei Acme/ })
    t.notMatch((await page('/account/sign-on/1?state=made-up')).html, /have signed out/, 'nobody else can have it said')
    clock.now += 600_000
    t.match(
      await page(back),
      { status: 200, html: /action="\/account\/sign-in"/ },
      'later, there is the page to sign in',
    )
    const recorded = []
    for await (const event of store.readAll()) recorded.push(event)
    const texts = JSON.stringify(recorded)
    t.notMatch(texts, /eyJ[\w-]+\.eyJ/, 'no ID token is kept')
    t.notMatch(texts, 'session-of-eve', 'nor what the provider calls its session')
    const again = tokenIn(await signOn(eve)) ?? ''
    const refreshed = (await send('POST', '/api/v1/user/refresh', { token: again })).body.access_token
    t.match(await signOut(refreshed), { status: 200, html: /still signed in at Acme/ }, 'a refreshed session, too')
    const before = tokenIn(await signOn(eve)) ?? ''
    await set({ issuer: 'https://other.example' })
    t.match(await signOut(before), { status: 303 }, 'the business has another provider now')
  },
)

t.test('given no way to sign out at the provider, when somebody signs out, then that is all', async (t) => {
  const { person, idp, signOn, signOut, tokenIn, login, send, clock } = await watched(t)
  person({ email: eve })
  const over = async (token = '') => {
    t.match(await signOut(token), { status: 303 })
    t.equal((await send('GET', '/api/v1/user', { token })).status, 401)
  }
  await over(tokenIn(await signOn(eve)))
  for (const address of ['javascript:alert(1)', 'ftp://idp.example/out', 'no address']) {
    clock.now += 3_600_000
    idp.endsSessions(address)
    await over(tokenIn(await signOn(eve)))
  }
  clock.now += 3_600_000
  idp.endsSessions(`${idp.issuer}/logout?kept=1`)
  await over((await login(eve, passwordOf('client_employee'))).body.access_token)
  const token = tokenIn(await signOn(eve))
  clock.now += 3_600_000
  idp.misbehave('down')
  await over(token)
})

t.test(
  'given sessions of a single sign-on, when the provider says that they are over, then they end, and no others',
  async (t) => {
    const { person, signOn, tokenIn, send, tokens, login, entries, ids, clock, ...made } = await watched(t)
    const { logout, token, set, publish, prove, other } = made
    const isOpen = async (some: string | undefined) =>
      (await send('GET', '/api/v1/user', { token: some })).status === 200
    const begin = async (claims: object) => {
      person(claims)
      return tokenIn(await signOn(eve))
    }
    const [first, second] = [await begin({ email: eve, sid: 'one' }), await begin({ email: eve, sid: 'two' })]
    const renewed = (await send('POST', '/api/v1/user/refresh', { token: second })).body.access_token
    const nameless = await begin({ email: eve })
    const boss = await begin({ sub: 's-2', email: admin, sid: 'three' })
    const byPassword = (await login(eve, passwordOf('client_employee'))).body.access_token
    const openOnes = async () => {
      const all = { first, renewed, nameless, boss, byPassword }
      const found = []
      for (const [name, some] of Object.entries(all)) if (await isOpen(some)) found.push(name)
      return found.join(' ')
    }
    t.same((await logout(await token({ sid: 'unknown' }))).status, 200, 'a session of which there is none here')
    t.equal(await openOnes(), 'first renewed nameless boss byPassword')
    const told = await logout(await token({ sid: 'one' }))
    t.match(told, { status: 200, headers: { 'cache-control': 'no-store' } })
    const said = entries.at(-1)
    t.equal(await openOnes(), 'renewed nameless boss byPassword', 'by the session alone')
    t.match(said, {
      ...{ event: 'session_end', outcome: 'ok' },
      concerned: { way: 'sign_on', business: 1, account: ids.client_employee },
    })
    await logout(await token({ sub: 's-1', sid: 'two' }))
    t.equal(await openOnes(), 'boss byPassword', 'of both, after a refresh too, and the one of which nothing is known')
    const third = await begin({ email: eve, sid: 'four' })
    const all = await token({ sub: 's-1' })
    await set({}, other)
    await publish('two.example', other)
    await prove('two.example', other)
    t.equal((await logout(await token({ sub: 's-1' }), 2)).status, 200)
    t.ok(await isOpen(third), 'another business with the same provider ends nothing here')
    t.equal((await logout(all)).status, 200)
    t.notOk(await isOpen(third), 'by the person')
    clock.now += 60_000
    const fourth = await begin({ email: eve })
    t.match(await logout(all), { status: 400, body: { code: 'logout_token_not_valid' } }, 'a token is good once')
    const iat = Math.floor(clock.now / 1000) - 60
    t.match(await logout(await token({ sub: 's-1', iat })), { status: 200 }, 'and for what began before it')
    t.ok(await isOpen(fourth))
    t.ok(await isOpen(tokens.client_employee))
    t.notMatch(JSON.stringify(entries), /eyJ[\w-]+\.eyJ/)
  },
)

/** A business that asks its staff for a second factor; a sign-in waits for it, or sets up one, until it is finished. */
async function withSecondStep(t: Test) {
  const made = await signingOn(t)
  const { send, tokens, person, signOn, page, tokenIn, clock } = made
  await send('PUT', '/api/v1/business/second-factor', { token: tokens.client_admin, body: { required_of: 'staff' } })
  const secrets = new Map<string, string>()
  const wait = async (email: string, claims: object) => {
    person({ email, ...claims })
    const { html } = await signOn(email)
    const found = [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
    return { email, action: /action="(\/account\/sign-in-(?:step|setup))"/.exec(html)?.[1] ?? '', fields }
  }
  const finish = async ({ email, action, fields }: Awaited<ReturnType<typeof wait>>) => {
    // The code of half a minute is good once.
    clock.now += 30_000
    const secret = fields.secret ?? secrets.get(email) ?? ''
    secrets.set(email, secret)
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now })
    const arrived = await page(action, { method: 'POST', body: new URLSearchParams({ ...fields, code }) })
    return { status: arrived.status, html: arrived.html, token: tokenIn(arrived) }
  }
  return { ...made, wait, finish }
}

const over = { status: 410, html: /action="\/account\/sign-in"/, token: undefined }

t.test(
  'given sign-ins that wait for their second step, when the provider says that they are over, then nobody finishes them, and others go on',
  async (t) => {
    const { wait, finish, logout, token, send, clock } = await withSecondStep(t)
    const goesOn = async (waiting: Awaited<ReturnType<typeof wait>>, words: string) => {
      const { token } = await finish(waiting)
      t.equal((await send('GET', '/api/v1/user', { token })).status, 200, words)
    }
    const isOver = async (waiting: Awaited<ReturnType<typeof wait>>, words: string) =>
      t.match(await finish(waiting), over, words)
    const ends = async (claims: object) => t.equal((await logout(await token(claims))).status, 200)

    const setUp = await wait(eve, { sid: 'zero' })
    t.equal(setUp.action, '/account/sign-in-setup')
    await ends({ sid: 'zero' })
    await isOver(setUp, 'a first sign-in, which sets up the second factor and of which no session is known')
    clock.now += 60_000
    await goesOn(await wait(eve, { sid: 'first' }), 'one that began later')

    const [one, two, nameless] = [await wait(eve, { sid: 'one' }), await wait(eve, { sid: 'two' }), await wait(eve, {})]
    t.equal(one.action, '/account/sign-in-step')
    await ends({ sid: 'one' })
    await isOver(one, 'by its session')
    await goesOn(two, 'of another session')
    await goesOn(nameless, 'of which no session is known')

    const [three, four] = [await wait(eve, { sid: 'three' }), await wait(eve, { sid: 'four' })]
    const alsoNameless = await wait(eve, {})
    await ends({ sub: 's-1', sid: 'three' })
    await isOver(three, 'by person and session')
    await goesOn(four, 'of another session of the person')
    await isOver(alsoNameless, 'of which nothing but the person is known')

    clock.now += 60_000
    const [mine, bosses] = [await wait(eve, { sid: 'five' }), await wait(admin, { sub: 's-2', sid: 'six' })]
    await ends({ sub: 's-1' })
    await isOver(mine, 'by the person alone')
    await goesOn(bosses, 'of somebody else')
    clock.now += 60_000
    await ends({ sub: 's-1' })
    clock.now += 1_000
    await goesOn(await wait(eve, {}), 'one of the same person that began a second later')

    const begun = clock.now
    const seven = await wait(eve, { sid: 'seven' })
    clock.now += 20_000
    const { token: session } = await finish(seven)
    clock.now += 20_000
    await ends({ sid: 'seven', iat: Math.floor(begun / 1_000) + 10 })
    const answer = await send('GET', '/api/v1/user', { token: session })
    t.equal(answer.status, 401, 'one whose second step came after the sign-out and before its token')
  },
)

for (const [words, client] of Object.entries({ 'one client': knownClient, 'a client each': secondClient }))
  t.test(
    `given two businesses that share a provider, with ${words}, when it says that somebody is signed out, then it is so where the token says`,
    async (t) => {
      const { person, signOn, tokenIn, send, logout, token, set, publish, prove, other } = await signingOn(t)
      await set(client, other)
      await publish('two.example', other)
      await prove('two.example', other)
      const begin = async (email: string, claims: object) => {
        person({ email, aud: email.endsWith('two.example') ? client.client_id : knownClient.client_id, ...claims })
        const session = tokenIn(await signOn(email))
        return async () => (await send('GET', '/api/v1/user', { token: session })).status === 200
      }
      const begunInBoth = async () => {
        // One sign-in at the provider, by which somebody works for both: a subject is of one account.
        const isOpenInFirst = await begin(eve, { sub: 's-1', sid: 'shared' })
        const isOpenInSecond = await begin('client_employee@two.example', { sub: 's-2', sid: 'shared' })
        return async () => [await isOpenInFirst(), await isOpenInSecond()]
      }
      const refused = { status: 400, body: { code: 'logout_token_not_valid' } }
      const good = { status: 200 }

      const bySession = await begunInBoth()
      t.same(await bySession(), [true, true])
      const toSecond = await token({ sid: 'shared', aud: client.client_id })
      t.match(await logout(toSecond, 1), client === knownClient ? good : refused)
      t.same(await bySession(), [client !== knownClient, true], 'by the session, where it was posted')
      t.match(await logout(toSecond, 2), good)
      t.same(await bySession(), [client !== knownClient, false])
      t.match(await logout(toSecond, 2), refused, 'once for each business')

      const byPerson = await begunInBoth()
      t.match(await logout(await token({ sub: 's-1' }), 2), client === knownClient ? good : refused)
      t.same(await byPerson(), [true, true], 'the person of the other business')
      t.match(await logout(await token({ sub: 's-1' }), 1), good)
      t.same(await byPerson(), [false, true])
      t.match(await logout(await token({ sub: 's-2', aud: client.client_id }), 2), good)
      t.same(await byPerson(), [false, false])

      const byBoth = await begunInBoth()
      const forBoth = await token({ sid: 'shared', aud: [knownClient.client_id, secondClient.client_id] })
      t.match(await logout(forBoth, 1), good)
      t.same(await byBoth(), [false, true], 'a token for both counts for each')
      t.match(await logout(forBoth, 2), good)
      t.same(await byBoth(), [false, false])
      person({ sub: 's-1', email: 'client_employee@two.example', aud: client.client_id })
      t.match(await signOn('client_employee@two.example'), { status: 403, html: /no account here for you/ })
    },
  )

t.test('given what a logout token must not be, when it is posted, then nothing ends', async (t) => {
  const { person, signOn, tokenIn, send, logout, token, idp, clock, entries, app } = await watched(t)
  person({ email: eve, sid: 'one' })
  const session = tokenIn(await signOn(eve))
  const now = Math.floor(clock.now / 1000)
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const wrong: Readonly<Record<string, object>> = {
    'another client': { aud: 'another client' },
    'another issuer': { iss: 'https://other.example' },
    'no time': { iat: undefined },
    'six minutes old': { iat: now - 331 },
    'from the future': { iat: now + 60 },
    expired: { exp: now - 31 },
    'no id': { jti: undefined },
    'an id without end': { jti: 'x'.repeat(256) },
    'no event': { events: undefined },
    'another event': { events: { 'http://schemas.openid.net/event/other': {} } },
    'an event that is no object': { events: { [event]: true } },
    'a list of events': { events: [event] },
    'a nonce, as ID tokens have': { nonce: 'x' },
    'neither person nor session': { sub: undefined },
    'a person that is no text': { sub: 7 },
  }
  const refused = { status: 400, body: { error: 'invalid_request', code: 'logout_token_not_valid' } }
  for (const [words, claims] of Object.entries(wrong)) {
    t.match(await logout(await token({ sub: 's-1', ...claims })), refused, words)
    t.match(entries.at(-1), { event: 'session_end', outcome: 'refused', concerned: { business: 1 } }, words)
  }
  const right = await token({ sub: 's-1' })
  const [head = '', body = '', signature = ''] = right.split('.')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const others: Readonly<Record<string, string>> = {
    'no signature': `${unsigned}.${body}.`,
    'a changed signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'a symmetric key': await new SignJWT({ sub: 's-1' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(await idp.publicKey())),
    'no token': 'x',
  }
  for (const [words, text] of Object.entries(others)) t.match(await logout(text), refused, words)
  t.match(await logout(right, 9), refused, 'a business without a provider')
  t.match(await logout(''), { status: 400, body: { error_description: /logout_token/ } })
  t.match(await logout(`${right}${'x'.repeat(20_000)}`), { status: 400 }, 'a body without end')
  const asJson = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
  t.equal((await app.request('/oauth/backchannel-logout/1', asJson)).status, 400)
  t.equal((await app.request('/oauth/backchannel-logout/1')).status, 404)
  t.equal((await send('GET', '/api/v1/user', { token: session })).status, 200)
  idp.misbehave('down')
  clock.now += 3_600_000
  t.match(await logout(await token({ sub: 's-1' })), { status: 503, body: { error: 'temporarily_unavailable' } })
  idp.misbehave(undefined)
  clock.now += 6_000
  t.equal((await logout(await token({ sub: 's-1' }))).status, 200)
  t.equal((await send('GET', '/api/v1/user', { token: session })).status, 401)
})

t.test(
  'given a domain that many have claimed and given back, when people sign in, then nobody reads all of that again',
  async (t) => {
    const store = createMemoryStore(() => Date.parse('2026-06-10T10:00:00Z'))
    let read = 0
    const count = <Event extends { readonly stream: string }>(event: Event): Event => {
      if (event.stream.startsWith('email_domain-')) read++
      return event
    }
    const counting: Storage = {
      ...store,
      read: async (...asked) => (await store.read(...asked)).map(count),
      readAll: async function* (...asked) {
        for await (const event of store.readAll(...asked)) yield count(event)
      },
    }
    const { claim, send, tokens, other, page, person, signOn, tokenIn } = await signingOn(t, { store: counting })
    for (let one = 0; one < 100; one++)
      for (const party of [{ tokens }, other]) {
        const domain = `shared${one % 3}.example`
        await claim(domain, party as Party)
        await send('DELETE', `${path}/domains/${domain}`, { token: party.tokens.client_admin })
      }
    await page('/account')
    read = 0
    person({ email: eve })
    t.notMatch((await page('/account')).html, 'name="password"')
    t.ok(tokenIn(await signOn(eve)))
    t.match(
      await page('/account/sign-on', { method: 'POST', body: new URLSearchParams({ email: 'a@shared0.example' }) }),
      { status: 422 },
    )
    t.equal(read, 0)
    await claim('late.example')
    t.ok(read > 400, 'only a claim is decided on all of them')
  },
)

t.test(
  'given two nodes with one store, when somebody leaves at one and comes back at the other, then it works',
  async (t) => {
    const secret = secretOf('7'.repeat(64))
    const { person, leave, pass, store, clock, logout, token } = await signingOn(t, { secret })
    const signOn = { allow: ['127.0.0.0/8'] }
    const other = createApp({ store, secret, signOn, clock: () => clock.now, passwordCost: { N: 2, r: 1, p: 1 } })
    person({ email: eve })
    const left = await leave(eve)
    const back = await pass(left)
    const answer = await other.request(back, { headers: { cookie: left.cookies.join('; ') } })
    t.equal(answer.status, 200)
    t.match(answer.headers.getSetCookie().join(), /otep_session=ots_/)
    const ended = await token({ sub: 's-1' })
    t.equal((await logout(ended)).status, 200)
    const form = { method: 'POST', body: new URLSearchParams({ logout_token: ended }) }
    t.equal(
      (await other.request('/oauth/backchannel-logout/1', form)).status,
      400,
      'a logout token counts for all nodes',
    )
    const again = await other.request(back, { headers: { cookie: left.cookies.join('; ') } })
    t.equal(again.status, 403, 'once')
  },
)

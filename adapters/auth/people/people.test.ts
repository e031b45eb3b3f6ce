import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  call,
  createMemoryStore,
  forgetAccount,
  type RecordedEvent,
  replaceEmail,
  type SecurityEntry,
  type Storage,
  sha256,
} from '../../../engine/index.ts'
import { createLimits } from '../../limits/index.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { defaultLimits } from '../../node/limits.ts'
import { operator, passwordOf, type Received, type World, world } from '../world.test.fixture.ts'
import { registering } from './registration.test.fixture.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const hour = 3_600_000
const day = 24 * hour

/** A harness with a mail server in memory. */
async function withMail(options: Parameters<typeof world>[0] = {}) {
  const box = mailbox()
  return { ...(await world({ ...options, mail: box.mail })), box }
}

function login({ send }: Pick<World, 'send'>, email: string, password: string, headers = {}) {
  return send('POST', '/api/v1/user/login', { body: { email, password }, headers })
}

async function tokenOf(made: Pick<World, 'send'>, email: string, password: string, headers = {}): Promise<string> {
  return (await login(made, email, password, headers)).body.access_token
}

/** The events of a category, or all, with what they tell of people. */
async function eventsOf({ store }: World['parts'], category?: string): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = []
  for await (const event of store.readAll(undefined, category === undefined ? {} : { category })) found.push(event)
  return found
}

const eve = 'client_employee@one.example'
const first = passwordOf('client_employee')

t.test('given sessions of an account, when it lists them, then it sees its own, the latest first', async (t) => {
  const made = await world()
  const { send, tokens, clock } = made
  clock.now += hour
  const token = await tokenOf(made, eve, first, { 'User-Agent': chrome })
  const { body } = await send('GET', '/api/v1/user/sessions', { token })
  t.match(body.sessions, [
    { is_current: true, signed_in_at: '2026-06-10T11:00:00.000Z', source: 'local', program: chrome },
    { is_current: false, signed_in_at: '2026-06-10T10:00:00.000Z' },
  ])
  t.notMatch(JSON.stringify(body), '"ots_')
  const refreshed = await send('POST', '/api/v1/user/refresh', { token })
  const again = await send('GET', '/api/v1/user/sessions', { token: refreshed.body.access_token })
  t.equal(again.body.sessions[0].session_id, body.sessions[0].session_id, 'a refresh is the same sign-in')
  t.equal(again.body.sessions.length, 2)
  const other = await send('GET', '/api/v1/user/sessions', { token: tokens.customer })
  t.equal(other.body.sessions.length, 1)
  const id = body.sessions[0].session_id
  t.match(await send('DELETE', `/api/v1/user/sessions/${id}`, { token: tokens.customer }), {
    status: 404,
    body: { code: 'session_not_found' },
  })
  t.equal((await send('GET', '/api/v1/user', { token: refreshed.body.access_token })).status, 200)
})

t.test('given several sessions, when one or all others are ended, then those tokens are invalid at once', async (t) => {
  const made = await world()
  const { send } = made
  const [one, two, three] = [
    await tokenOf(made, eve, first),
    await tokenOf(made, eve, first),
    await tokenOf(made, eve, first),
  ]
  const { body } = await send('GET', '/api/v1/user/sessions', { token: two })
  const own = body.sessions.find(({ is_current }: { is_current: boolean }) => is_current)
  t.match(await send('DELETE', `/api/v1/user/sessions/${own.session_id}`, { token: one }), { status: 200 })
  t.equal((await send('GET', '/api/v1/user', { token: two })).status, 401)
  t.match(await send('DELETE', '/api/v1/user/sessions', { token: one }), { body: { ended: 2 } })
  t.equal((await send('GET', '/api/v1/user', { token: three })).status, 401)
  t.equal((await send('GET', '/api/v1/user', { token: one })).status, 200)
  t.match(await send('DELETE', '/api/v1/user/sessions', { token: one }), { body: { ended: 0 } })
})

t.test('given an erased person, then where it signed in is erased too', async (t) => {
  const made = await world()
  const { parts, ids } = made
  await tokenOf(made, eve, first, { 'User-Agent': chrome })
  const texts = async () => JSON.stringify(await eventsOf(parts, 'session'))
  t.match(await texts(), chrome)
  await call(
    forgetAccount,
    { ...operator(made), caller: { ...operator(made).caller, scopes: ['otep:erase'] } },
    {
      account_id: ids.client_employee,
    },
  )
  t.notMatch(await texts(), chrome)
})

t.test('given a number of days, when a session has lasted so long, then no refresh prolongs it', async (t) => {
  const made = await world({ sessionDays: { plain: 2, app: 2 } })
  const { send, clock } = made
  let token = await tokenOf(made, eve, first)
  const end = clock.now + 2 * day
  while (clock.now + 11 * hour < end) {
    clock.now += 11 * hour
    const { body } = await send('POST', '/api/v1/user/refresh', { token })
    token = body.access_token
    t.ok(body.expires_timestamp * 1000 <= end)
  }
  clock.now = end - 1
  t.equal((await send('GET', '/api/v1/user', { token })).status, 200)
  clock.now = end
  t.equal((await send('GET', '/api/v1/user', { token })).status, 401)
})

t.test(
  'given an account, when its password is forgotten, then a link sets another, once, and ends all sessions',
  async (t) => {
    const entries: SecurityEntry[] = []
    const made = await withMail({ audit: (_, entry) => entries.push(entry) })
    const { send, box, tokens } = made
    const asked = await send('POST', '/api/v1/user/password-reset', {
      body: { email: 'CLIENT_EMPLOYEE@one.example' },
      headers: { 'Accept-Language': 'fr' },
    })
    t.match(asked, { status: 200, body: { result: true } })
    const mail = await box.next()
    t.match(mail, { to: [eve], subject: 'Choisissez un nouveau mot de passe' })
    const url = new URL(/^http\S+$/m.exec(mail.text)?.[0] ?? '')
    t.equal(url.pathname, '/account/password')
    const link = url.searchParams.get('link') ?? ''
    const confirm = (new_password: string, given = link) =>
      send('POST', '/api/v1/user/password-reset/confirm', { body: { link: given, new_password } })
    t.match(await confirm('short'), { status: 422, body: { errors: [{ code: 'password_too_short' }] } })
    t.match(await confirm(eve), { status: 422, body: { errors: [{ code: 'password_names_owner' }] } })
    t.match(await confirm('a much better password'), { status: 200 })
    t.equal((await send('GET', '/api/v1/user', { token: tokens.client_employee })).status, 401)
    t.equal((await login(made, eve, first)).status, 401)
    t.equal((await login(made, eve, 'a much better password')).status, 200)
    t.match(await box.next(), { to: [eve], subject: 'Your password was changed', text: 'from local' })
    t.match(await confirm('yet another password'), { status: 410, body: { code: 'link_not_valid' } }, 'it is good once')
    t.match(await confirm('yet another password', `${link}x`), { status: 410 })
    t.same(
      entries.filter(({ event }) => event.startsWith('password')).map(({ event, outcome }) => `${event} ${outcome}`),
      [
        'password_reset_request ok',
        'password_change refused',
        'password_change ok',
        'password_change refused',
        'password_change refused',
      ],
    )
    t.notMatch(JSON.stringify(entries), eve)
  },
)

t.test('given a link, when half an hour is over or the account is disabled, then it is not valid', async (t) => {
  const made = await withMail()
  const { send, box, clock, tokens, ids } = made
  const ask = async () => {
    await send('POST', '/api/v1/user/password-reset', { body: { email: eve } })
    return (await box.nextLink()).searchParams.get('link') ?? ''
  }
  const confirm = (link: string) =>
    send('POST', '/api/v1/user/password-reset/confirm', { body: { link, new_password: 'a much better password' } })
  const late = await ask()
  clock.now += 30 * 60_000
  t.equal((await confirm(late)).status, 410)
  const disabled = await ask()
  const status = (is_active: boolean) =>
    send('PUT', `/api/v1/accounts/${ids.client_employee}/status`, { token: tokens.client_admin, body: { is_active } })
  const admin = await tokenOf(made, 'client_admin@one.example', passwordOf('client_admin'))
  t.ok(admin)
  await status(false)
  t.equal((await confirm(disabled)).status, 410)
  await status(true)
  t.equal((await confirm(disabled)).status, 410)
})

t.test('given an unknown address, then the answer is the same, and nothing is sent or recorded', async (t) => {
  const { send, box, parts } = await withMail()
  const before = (await eventsOf(parts)).length
  const known = await send('POST', '/api/v1/user/password-reset', { body: { email: eve } })
  await box.next()
  const unknown = await send('POST', '/api/v1/user/password-reset', { body: { email: 'nobody@one.example' } })
  t.same([unknown.status, unknown.body], [known.status, known.body])
  await parts.messenger.close()
  t.equal(box.taken.length, 1)
  t.equal((await eventsOf(parts)).length, before)
})

t.test('given requests for links, when there are many, then they are rationed by source and recipient', async (t) => {
  let now = 0
  const limits = createLimits({ settings: defaultLimits(), proxies: [], now: () => now })
  const { send, box, parts } = await withMail({ limits })
  const ask = (email: string) => send('POST', '/api/v1/user/password-reset', { body: { email } })
  t.equal((await ask(eve)).status, 200)
  t.match(await ask(eve), { status: 429, body: { code: 'too_many_requests' } }, 'again too soon')
  t.match(await ask('nobody@one.example'), { status: 200 })
  t.match(await ask('nobody@one.example'), { status: 429 }, 'just as for an address without an account')
  for (let times = 0; times < 8; times++) {
    now += 60_000
    t.equal((await ask(eve)).status, 200)
  }
  for (let number = 0; number < 20; number++) await ask(`nobody${number}@one.example`)
  t.equal((await ask('nobody@two.example')).status, 429, 'the source has asked often enough')
  await parts.messenger.close()
  t.equal(box.taken.length, 5, 'an address is sent five an hour')
})

t.test('given a server without e-mail, when a link is asked for, then it says so', async (t) => {
  const { send, tokens } = await world()
  const refusal = { status: 409, body: { code: 'mail_not_set_up' } }
  t.match(await send('POST', '/api/v1/user/password-reset', { body: { email: eve } }), refusal)
  const body = { role: 'driver', email: 'new@one.example', name: 'New' }
  t.match(await send('POST', '/api/v1/accounts/invitations', { token: tokens.client_admin, body }), refusal)
})

t.test('given an account, when its address changes, then both addresses have confirmed it', async (t) => {
  const made = await withMail()
  const { send, box, tokens } = made
  const token = tokens.client_employee
  const ask = (new_email: string, password = first) =>
    send('POST', '/api/v1/user/email', { token, body: { new_email, password } })
  const confirm = (url: URL) =>
    send('POST', '/api/v1/user/email/confirm', { body: { link: url.searchParams.get('link') } })
  t.match(await ask('eve@new.example', 'wrong'), { body: { code: 'wrong_password' } })
  t.match(await ask('CLIENT_EMPLOYEE@one.example'), { status: 409, body: { code: 'email_unchanged' } })
  t.equal((await ask('eve@new.example')).status, 200)
  const old = await box.nextLink()
  t.match(box.taken.at(-1), { to: [eve], text: 'eve@new.example' })
  t.match(await confirm(old), { body: { state: 'new_address_asked' } })
  const next = await box.nextLink()
  t.match(box.taken.at(-1), { to: ['eve@new.example'] })
  t.equal((await send('GET', '/api/v1/user', { token })).body.email, eve, 'nothing has changed yet')
  t.match(await confirm(next), { body: { state: 'changed' } })
  t.match(await box.next(), { to: [eve], subject: 'Your email address was changed' })
  t.equal((await send('GET', '/api/v1/user', { token })).status, 401, 'all sessions have ended')
  t.equal((await login(made, eve, first)).status, 401)
  const after = await tokenOf(made, 'eve@new.example', first)
  t.equal((await send('GET', '/api/v1/user', { token: after })).body.email, 'eve@new.example')
  t.match(await confirm(next), { status: 410 })
  t.match(await confirm(old), { status: 410 })
  const body = { role: 'driver', email: eve, name: 'Another Eve', password: 'a much better password' }
  t.equal(
    (await send('POST', '/api/v1/accounts', { token: tokens.client_admin, body })).status,
    200,
    'it is free again',
  )
})

t.test('given an address with an account, when another wants it, then only its owner learns so', async (t) => {
  const { send, box, tokens } = await withMail()
  const body = { new_email: 'customer@two.example', password: first }
  t.equal((await send('POST', '/api/v1/user/email', { token: tokens.client_employee, body })).status, 200)
  const link = (await box.nextLink()).searchParams.get('link')
  t.match(await send('POST', '/api/v1/user/email/confirm', { body: { link } }), {
    body: { state: 'new_address_asked' },
  })
  t.match(await box.next(), { to: ['customer@two.example'], subject: 'You already have an account' })
})

t.test(
  'given more sessions than are read at once, when the owner pages through them and ends all others, then none is left',
  async (t) => {
    const made = await world()
    const { send, tokens, ids, store, clock } = made
    const token = tokens.customer
    const at = new Date(clock.now).toISOString()
    const expires_at = new Date(clock.now + hour).toISOString()
    const data = { at, expires_at, account_id: ids.customer, generation: 0 }
    const started = { type: 'SessionStarted', data }
    await store.appendMany(
      Array.from({ length: 1_500 }, (_, number) => ({
        stream: `session-${sha256(`session ${number}`)}` as const,
        events: [{ ...started, id: randomUUID(), metadata: { schemaVersion: 1 } }],
        expected: 'no-stream' as const,
      })),
    )
    // A busy machine takes longer to list so many than a request waits.
    const page = async (query: string): Promise<Received['body']> => {
      const { status, body } = await send('GET', `/api/v1/user/sessions?${query}`, { token })
      return status === 503 ? page(query) : body
    }
    t.match(await page(''), { total: 1_501, page: 1, per_page: 50 })
    const listed = new Set<string>()
    for (let number = 1; number <= 8; number++)
      for (const one of (await page(`per_page=200&page=${number}`)).sessions) listed.add(one.session_id)
    t.equal(listed.size, 1_501, 'its pages have all of them, each once')
    t.match(await send('DELETE', '/api/v1/user/sessions', { token }), { status: 200, body: { ended: 1_500 } })
    t.match(await page(''), { total: 1, sessions: [{ is_current: true }] }, 'but the one of the call')
  },
)

t.test('given an invitation, when its person sets a password, then the account is open, and not before', async (t) => {
  const made = await withMail()
  const { send, box, tokens, clock } = made
  const token = tokens.client_admin
  const body = { role: 'driver', email: 'dee@one.example', name: 'Dee' }
  t.match(await send('POST', '/api/v1/accounts/invitations', { token: tokens.client_employee, body }), { status: 403 })
  const invited = await send('POST', '/api/v1/accounts/invitations', { token, body })
  t.match(invited, { status: 200, body: { role: 'driver' } })
  const id = invited.body.account_id
  const listed = async () => (await send('GET', '/api/v1/accounts?role=driver', { token })).body.accounts.at(-1)
  t.match(await listed(), { id, is_invited: true })
  t.equal((await login(made, 'dee@one.example', 'a much better password')).status, 401)
  t.match(await send('POST', '/api/v1/accounts/invitations', { token, body }), { body: { code: 'email_taken' } })
  const early = await box.nextLink()
  t.match(box.taken[0], { to: ['dee@one.example'], subject: 'You are invited: Business one', text: 'Dee' })
  clock.now += 7 * day
  const set = (url: URL) =>
    send('POST', '/api/v1/user/password-reset/confirm', {
      body: { link: url.searchParams.get('link'), new_password: 'a much better password' },
    })
  t.match(await set(early), { status: 410 })
  const admin = await tokenOf(made, 'client_admin@one.example', passwordOf('client_admin'))
  const again = () => send('POST', `/api/v1/accounts/${id}/invitation`, { token: admin })
  t.match(await again(), { status: 200 })
  t.match(await set(await box.nextLink()), { status: 200 })
  t.equal((await login(made, 'dee@one.example', 'a much better password')).status, 200)
  t.match(await again(), { status: 409, body: { code: 'account_not_invited' } })
  t.notMatch((await send('GET', '/api/v1/accounts?role=driver', { token: admin })).body.accounts.at(-1), {
    is_invited: true,
  })
  await made.parts.messenger.close()
  t.equal(box.taken.length, 2, 'an invited person is not told of the first password')
})

t.test(
  'given an address with an account in another business, when it is invited, then only its owner learns that',
  async (t) => {
    const made = await withMail()
    const { send, box, tokens, other } = made
    const token = tokens.client_admin
    const invite = (email: string) =>
      send('POST', '/api/v1/accounts/invitations', { token, body: { role: 'driver', email, name: 'Dee' } })
    const listed = async () => (await send('GET', '/api/v1/accounts?role=driver', { token })).body.accounts
    const before = (await listed()).length
    const answers = [await invite('dee@one.example'), await invite('Driver@two.example')]
    const shown = (await listed()).slice(before)
    const without = (one: object) => ({ ...one, id: 0, account_id: 0, email: '' })
    t.same(
      answers.map(({ status, body }) => ({ status, body: without(body) })),
      Array(2).fill({ status: 200, body: without(answers[0]?.body) }),
    )
    t.same(shown.map(without), Array(2).fill(without(shown[0])))
    t.match(shown, [{ email: 'dee@one.example', is_invited: true }, { email: 'Driver@two.example' }])
    t.match(await invite('driver@two.example'), { status: 409, body: { code: 'email_taken' } }, 'it is invited already')
    t.match(await invite('dee@one.example'), { status: 409, body: { code: 'email_taken' } })

    const mails = [await box.next(), await box.next()]
    const mailTo = (address: string) => mails.find(({ to }) => to.includes(address))
    t.match(mailTo('dee@one.example')?.text, /\/account\/password\?link=/)
    const told = mailTo('Driver@two.example')
    t.match(told?.subject, 'You are invited: Business one')
    t.match(told?.text, /already has an account elsewhere/)
    t.notMatch(told?.text, /[?]link=|Business two/)

    for (const { id } of shown)
      t.match(await send('POST', `/api/v1/accounts/${id}/invitation`, { token }), {
        status: 200,
        body: { result: true },
      })
    const signedIn = await login(made, 'driver@two.example', passwordOf('driver'))
    t.match(await send('GET', '/api/v1/user', { token: signedIn.body.access_token }), {
      body: { id: other.ids.driver },
    })
    await made.parts.messenger.close()
  },
)

t.test(
  'given an address with an account in another business, when it is invited, then the store has as much work as for any other',
  async (t) => {
    const memory = createMemoryStore(() => Date.parse('2026-06-10T10:00:00Z'))
    const work = { reads: 0, appends: 0 }
    const store: Storage = {
      ...memory,
      read: (...asked) => {
        work.reads++
        return memory.read(...asked)
      },
      appendMany: (appends) => {
        work.appends += appends.length
        return memory.appendMany(appends)
      },
    }
    const { send, box, tokens } = await withMail({ store })
    const workOf = async (email: string) => {
      Object.assign(work, { reads: 0, appends: 0 })
      const body = { role: 'driver', email, name: 'Dee' }
      await send('POST', '/api/v1/accounts/invitations', { token: tokens.client_admin, body })
      await box.next()
      return { ...work }
    }
    await workOf('first@one.example')
    const usual = await workOf('dee@one.example')
    t.match(usual, { appends: 3 })
    t.same(await workOf('driver@two.example'), usual)
    t.same(await workOf('ann@one.example'), usual)
  },
)

t.test(
  'given an invitation of an address that had an account elsewhere, when that moves to another address, then it is good',
  async (t) => {
    const made = await withMail()
    const { send, box, tokens, other } = made
    const token = tokens.client_admin
    const email = 'driver@two.example'
    const body = { role: 'driver', email, name: 'Dee' }
    const { account_id } = (await send('POST', '/api/v1/accounts/invitations', { token, body })).body
    const again = () => send('POST', `/api/v1/accounts/${account_id}/invitation`, { token })
    const set = (url: URL) =>
      send('POST', '/api/v1/user/password-reset/confirm', {
        body: { link: url.searchParams.get('link'), new_password: 'a much better password' },
      })
    const move = (id: number, to: string) => call(replaceEmail, operator(made), { account_id: id, email: to })
    t.match((await box.next()).text, /already has an account elsewhere/)
    await move(other.ids.driver, 'dee@two.example')
    await again()
    const link = await box.nextLink()

    await move(other.ids.driver, email)
    t.match(await set(link), { status: 409, body: { code: 'email_taken' } }, 'it has moved back meanwhile')
    await move(other.ids.driver, 'dee@two.example')
    t.match(await set(link), { status: 200 })
    t.match(await set(link), { status: 410 }, 'it is good once')
    const signedIn = await login(made, email, 'a much better password')
    t.match(await send('GET', '/api/v1/user', { token: signedIn.body.access_token }), {
      body: { id: account_id, business: { id: made.business } },
    })
    t.equal((await login(made, 'dee@two.example', passwordOf('driver'))).status, 200)
    await made.parts.messenger.close()
  },
)

t.test(
  'given an address with an account in another business, when it is added with a password, then only its owner learns that',
  async (t) => {
    const made = await withMail()
    const { send, box, tokens, other } = made
    const token = tokens.client_admin
    const add = (email: string) =>
      send('POST', '/api/v1/accounts', {
        token,
        body: { role: 'driver', email, name: 'Dee', password: 'a much better password' },
      })
    const listed = async () => (await send('GET', '/api/v1/accounts?role=driver', { token })).body.accounts
    const before = (await listed()).length
    const answers = [await add('dee@one.example'), await add('driver@two.example')]
    const without = (one: object) => ({ ...one, id: 0, account_id: 0, email: '' })
    t.same(
      answers.map(({ status, body }) => ({ status, body: without(body) })),
      Array(2).fill({ status: 200, body: without(answers[0]?.body) }),
    )
    t.same((await listed()).slice(before).map(without), Array(2).fill(without((await listed())[before])))
    t.match(await add('driver@two.example'), { status: 409, body: { code: 'email_taken' } }, 'it is added already')
    const told = await box.next()
    t.match(told.to, ['driver@two.example'], 'nobody else gets an e-mail')
    t.match(told.text, /already has an account elsewhere/)
    const signedIn = await login(made, 'driver@two.example', passwordOf('driver'))
    t.match(await send('GET', '/api/v1/user', { token: signedIn.body.access_token }), {
      body: { id: other.ids.driver },
    })
    t.equal((await login(made, 'driver@two.example', 'a much better password')).status, 401)
    await made.parts.messenger.close()
    t.equal(box.taken.length, 1)
  },
)

t.test('given an invitation, when it is sent again and again, then its person is soon sent no more', async (t) => {
  let now = 0
  const limits = createLimits({ settings: defaultLimits(), proxies: [], now: () => now })
  const { send, tokens, box } = await withMail({ limits })
  const token = tokens.client_admin
  const body = { role: 'driver', email: 'dee@one.example', name: 'Dee' }
  const { account_id } = (await send('POST', '/api/v1/accounts/invitations', { token, body })).body
  const again = () => send('POST', `/api/v1/accounts/${account_id}/invitation`, { token })
  await box.next()
  t.equal((await again()).status, 200)
  t.match(await again(), { status: 429, body: { code: 'too_many_requests' } }, 'too soon')
  for (let times = 0; times < 10; times++) {
    now += 60_000
    await again()
  }
  t.match(await again(), { status: 429 })
  t.ok(box.taken.length < 9, 'so that nobody floods the mailbox of a stranger')
})

const zoe = 'zoe@shop.example'
const open = { requires_approval: false, phone_verification_required: false }

t.test(
  'given a client that lets customers register, when one has the code, then it has an account and is signed in',
  async (t) => {
    const { bootstrap, begin, confirm, nextCode, send, box, business } = await registering(open)
    t.match(await bootstrap(), {
      methods: { registration: true },
      registration: {
        ...{ enabled: true, phone_verification_required: false, sms_configured: true, default_phone_region: 'CA' },
        ...{ requires_approval: false, code_length: 6, resend_after: 60 },
      },
    })
    const begun = await begin({ email: zoe }, { 'Accept-Language': 'de' })
    t.match(begun, { status: 200, body: { code_length: 6, resend_after: 60 } })
    const code = await nextCode()
    t.match(box.taken[0], { to: [zoe], subject: `${code} ist Ihr Code für Shop` })
    const { registration } = begun.body
    t.notMatch(registration, code)
    t.match(await confirm({ registration, code: code === '000000' ? '111111' : '000000' }), {
      body: { code: 'wrong_code' },
    })
    t.match(await confirm({ registration, code, password: 'short' }), { status: 422 })
    const confirmed = await confirm({ registration, code })
    t.match(confirmed, {
      status: 200,
      body: { status: 'signed_in', session: { user: { name: 'Zoé Lambert', email: zoe } } },
    })
    const { body } = await send('GET', '/api/v1/user', { token: confirmed.body.session.access_token })
    t.match(body, { role: 'customer', email: zoe, business: { id: business } })
    t.match(await confirm({ registration, code }), { status: 409, body: { code: 'email_taken' } }, 'it is good once')
  },
)

t.test(
  'given a registration, when its code is tried too often or too late, or elsewhere, then it is not good',
  async (t) => {
    const { begin, confirm, nextCode, clock, send } = await registering(open)
    const { registration } = (await begin({ email: zoe })).body
    const code = await nextCode()
    for (let times = 0; times < 5; times++)
      t.match(await confirm({ registration, code: 'x' }), { body: { code: 'wrong_code' } })
    t.match(await confirm({ registration, code }), { status: 429, body: { code: 'too_many_attempts' } })
    const late = (await begin({ email: zoe })).body.registration
    const lateCode = await nextCode()
    t.match(await confirm({ registration: late, code }), { body: { code: 'wrong_code' } }, 'the code of another one')
    const elsewhere = '/api/v1/apps/shop/clients/two/registrations/confirm'
    t.equal((await send('POST', elsewhere, { body: { registration: late, code: lateCode } })).status, 422)
    clock.now += 600_000
    t.match(await confirm({ registration: late, code: lateCode }), { body: { code: 'wrong_code' } })
    t.match(await confirm({ registration: 'nonsense', code }), { body: { code: 'wrong_code' } })
  },
)

t.test(
  'given an address that has been sent enough, when somebody registers with it, then no code is good',
  async (t) => {
    const settings = { ...defaultLimits(), rates: { ...defaultLimits().rates, messages_again: undefined } }
    const { begin, confirm, parts, box } = await registering(open, {
      limits: createLimits({ settings, proxies: [], now: () => 0 }),
    })
    Object.assign(parts.credentials, { token: () => 'a'.repeat(64) })
    const code = String(0xaaaaaaaaaaaa % 1_000_000)
    for (let times = 0; times < 5; times++) {
      await begin({ email: zoe })
      t.match((await box.next()).subject, code, 'what would be sent is known here')
    }
    const { status, body } = await begin({ email: zoe })
    t.equal(status, 200, 'the answer is the same')
    t.match(await confirm({ registration: body.registration, code }), { body: { code: 'wrong_code' } })
  },
)

t.test(
  'given an address with an account, when somebody registers with it, then only its owner learns so',
  async (t) => {
    const { begin, confirm, box } = await registering(open)
    const begun = await begin({ email: eve })
    t.match(begun, { status: 200, body: { code_length: 6 } })
    t.match(await box.next(), { to: [eve], subject: 'You already have an account' })
    t.match(await confirm({ registration: begun.body.registration, code: '123456' }), { body: { code: 'wrong_code' } })
  },
)

t.test(
  'given a business that approves, when a customer registers, then it signs in only after that, and is told',
  async (t) => {
    const { begin, confirm, nextCode, signIn, send, tokens, box, bootstrap } = await registering({
      ...open,
      requires_approval: true,
    })
    t.match(await bootstrap(), { registration: { enabled: true, requires_approval: true } })
    const { registration } = (await begin({ email: zoe })).body
    t.match(await confirm({ registration, code: await nextCode() }), { body: { status: 'pending_approval' } })
    t.match(await signIn(zoe), { status: 401, body: { code: 'invalid_credentials' } })
    const token = tokens.client_admin
    const listed = async () => (await send('GET', '/api/v1/accounts?role=customer', { token })).body.accounts.at(-1)
    const account = await listed()
    t.match(account, { name: 'Zoé Lambert', is_active: false, awaits_approval: true })
    await send('PUT', `/api/v1/accounts/${account.id}/status`, { token, body: { is_active: true } })
    t.match(await box.next(), { to: [zoe], subject: 'Your account is open' })
    t.equal((await signIn(zoe)).status, 200)
    t.equal((await listed()).awaits_approval, undefined)
  },
)

t.test('given a client that wants a phone, when a customer registers, then both codes are needed', async (t) => {
  const rules = { ...open, phone_verification_required: true }
  const made = await registering(rules)
  const { begin, confirm, nextCode, texts, parts, send, tokens } = made
  t.match(await begin({ email: zoe }), { status: 422, body: { code: 'phone_required' } })
  t.match(await begin({ email: zoe, phone: '06 12' }), { body: { errors: [{ code: 'not_a_phone_number' }] } })
  const { registration } = (await begin({ email: zoe, phone: '+33612345678' })).body
  const code = await nextCode()
  await parts.messenger.close()
  t.match(texts, [{ to: '+33612345678', text: /^\d{6} is your code for Shop$/ }])
  const phone_code = texts[0]?.text.slice(0, 6) ?? ''
  t.match(await confirm({ registration, code }), { body: { code: 'wrong_code' } })
  t.match(await confirm({ registration, code: phone_code, phone_code: code }), { body: { code: 'wrong_code' } })
  t.match(await confirm({ registration, code, phone_code }), { status: 200, body: { status: 'signed_in' } })
  const { body } = await send('GET', '/api/v1/accounts?role=customer', { token: tokens.client_admin })
  t.match(body.accounts.at(-1), { phone: '+33612345678' })
  t.notMatch(JSON.stringify(await storedOf(made)), /33612345678/, 'it is sealed')
  await begin({ email: eve, phone: '+33612345679' })
  await parts.messenger.close()
  t.equal(texts.at(-1)?.to, '+33612345679', 'whoever has the phone does not learn that the address has an account')
})

t.test('given a server that sends nothing, or a client without registration, then nobody can register', async (t) => {
  const closed = { status: 403, body: { code: 'registration_closed' } }
  const none = await registering(undefined)
  t.match(await none.bootstrap(), { methods: { registration: false }, registration: { enabled: false } })
  t.match(await none.begin({ email: zoe }), closed)
  const noMail = await registering(open, { mail: undefined })
  t.match(await noMail.bootstrap(), { registration: { enabled: false } })
  t.match(await noMail.begin({ email: zoe }), closed)
  const noSms = await registering({ ...open, phone_verification_required: true }, { sms: undefined })
  t.match(await noSms.bootstrap(), { registration: { enabled: false, sms_configured: false } })
  t.match(await noSms.begin({ email: zoe, phone: '+33612345678' }), closed)
})

/** The events as the store has them, with what is sealed. */
async function storedOf({ store }: Pick<World, 'store'>): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const event of store.readAll(undefined, { category: 'account' })) found.push(event)
  return found
}

t.test(
  'given a name with a link, when an account or a business is to have it, then it is refused wherever it is given',
  async (t) => {
    const { send, tokens, ids, box } = await withMail()
    const token = tokens.client_admin
    const name = 'Click https://evil.example now'
    const refused = { status: 422, body: { errors: [{ path: 'name', code: 'web_address' }] } }
    const person = { role: 'driver', email: 'dee@one.example', name }
    t.match(await send('POST', '/api/v1/accounts/invitations', { token, body: person }), refused)
    t.match(
      await send('POST', '/api/v1/accounts', { token, body: { ...person, password: 'a much better password' } }),
      refused,
    )
    t.match(await send('PATCH', `/api/v1/accounts/${ids.driver}`, { token, body: { name } }), refused)
    t.match(await send('PATCH', '/api/v1/business', { token, body: { name } }), refused)
    t.match(await send('PUT', '/api/v1/business/brand', { token, body: { name } }), refused)
    t.same(box.taken, [])
    t.match(await send('PATCH', '/api/v1/business', { token, body: { name: 'shop.example' } }), { status: 200 })
  },
)

import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { passwordOf } from '../../auth/world.test.fixture.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { site } from '../signed-in/site.test.fixture.ts'
import { programIn } from './program.ts'

const languages = languagesWith('page.account')

const home = '/account'

t.test('given programs, when they are named, then people know them', async (t) => {
  const mozilla = 'Mozilla/5.0'
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const known: readonly (readonly [string, unknown])[] = [
    [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, { program: 'Firefox', system: 'Linux' }],
    [
      `${mozilla} (Windows NT 10.0) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
      { program: 'Edge', system: 'Windows' },
    ],
    [
      `${mozilla} (Linux; Android 15) ${webkit} Chrome/140.0 Mobile Safari/537.36`,
      { program: 'Chrome', system: 'Android' },
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1`,
      { program: 'Safari', system: 'iOS' },
    ],
    ['curl/8.5.0', { program: 'curl' }],
    ['<script>', undefined],
    ['', undefined],
  ]
  for (const [text, named] of known) t.same(programIn(text), named, text)
})

t.test('given a stranger, then the pages of an account show the sign-in, and no link is good', async (t) => {
  const { get, post } = await site(home, { mail: mailbox().mail })
  t.match(await get(home), { status: 200, html: 'Forgot your password?' })
  for (const path of ['password', 'email']) {
    t.match(await get(`${home}/${path}`), { status: 410, html: 'not valid any more' })
    t.match(await get(`${home}/${path}?link=1.AAAA`), { status: 410 })
    t.match(await post(`${home}/${path}`, { link: 'x' }), { status: 410 })
  }
  t.match(await post(`${home}/sessions/end-others`, { form: 'x' }), { status: 401 })
  const answers = ['nobody@one.example', 'not an address', 'driver@one.example']
  const pages = await Promise.all(answers.map((email) => post(`${home}/forgotten`, { email })))
  t.equal(new Set(pages.map(({ status, html }) => `${status} ${html}`)).size, 1, 'the answer tells nothing')
})

t.test(
  'given more sessions than a page shows, when their owner turns the page, then the others are there',
  async (t) => {
    const { get, signIn } = await site(home)
    const { cookie } = await signIn('driver')
    for (let number = 0; number < 55; number++) await signIn('driver')
    const namesIn = (html: string) => new Set(html.match(/name="session" value="[^"]+"/g))
    const [one, two] = [await get(home, cookie), await get(`${home}?page=2`, cookie)]
    t.match(one.html, 'rel="next" href="/account?page=2"')
    t.notMatch(two.html, 'rel="next"')
    t.equal(new Set([...namesIn(one.html), ...namesIn(two.html)]).size, 56, 'but for its own')
    t.match(two.html, 'end-others', 'all others can be ended from every page')
  },
)

t.test('given a form of another site, or another session, then nothing is done', async (t) => {
  const { get, post, signIn } = await site(home)
  const [one, two] = [await signIn('driver'), await signIn('customer')]
  t.match(await post(`${home}/sessions/end-others`, { form: two.form }, one.cookie), { status: 403 })
  const foreign = { 'Sec-Fetch-Site': 'cross-site' }
  t.match(await post(`${home}/sessions/end-others`, { form: one.form }, one.cookie, foreign), { status: 403 })
  t.match(await post(`${home}/forgotten`, { email: 'a@b.example' }, '', foreign), { status: 403 })
  t.match(await get(`${home}?said=ended&seal=x`, one.cookie), { status: 200 })
  t.notMatch((await get(`${home}?said=ended&seal=x`, one.cookie)).html, 'The session has ended.')
})

t.test('given a server without e-mail, then the pages say so, and offer no form', async (t) => {
  const { get, signIn } = await site(home)
  const { cookie } = await signIn('driver')
  t.match(await get(home, cookie), { html: 'This server sends no e-mails' })
  t.match(await get(`${home}/forgotten`), { html: 'Ask your administrator' })
  t.notMatch((await get(`${home}/forgotten`)).html, '<form method="post" action="/account/forgotten">')
})

t.test(
  'given a visitor, when the address is changed, then wrong entries are said and the right one is sent',
  async (t) => {
    const box = mailbox()
    const { post, get, signIn } = await site(home, { mail: box.mail })
    const { cookie, form } = await signIn('driver')
    const ask = (email: string, password: string) => post(`${home}/email-change`, { form, email, password }, cookie)
    t.match(await ask('new@one.example', 'wrong'), { status: 403, html: 'The password is wrong.' })
    t.match(await ask('no address', 'driver-password'), { status: 422, html: 'not an email address' })
    t.match(await ask('driver@one.example', passwordOf('driver')), { status: 409 })
    const { status, headers } = await ask('new@one.example', passwordOf('driver'))
    t.equal(status, 303)
    t.match(await get(headers.get('location') ?? '', cookie), { html: 'valid for an hour' })
    const link = await box.nextLink()
    const { html } = await get(link.pathname + link.search)
    t.match(html, 'Confirm the change')
    const sealed = link.searchParams.get('link') ?? ''
    t.match(await post(`${home}/email`, { link: sealed }), { status: 200, html: 'One step is left' })
    const last = (await box.nextLink()).searchParams.get('link') ?? ''
    t.match(await post(`${home}/email`, { link: last }), { status: 200, html: 'The email address is changed' })
    t.match(await post(`${home}/email`, { link: last }), { status: 410 })
  },
)

t.test(
  'given a second factor, then the sign-in of every area asks for it, without a script, and lets nobody in before',
  async (t) => {
    const { get, post, enter, signIn, clock, send } = await site('/mcp-connections')
    const { token } = await signIn('client_admin')
    const path = '/api/v1/user/second-factors/authenticator'
    const { body: offer } = await send('POST', path, { token, body: {} })
    const code = () => TOTP.generate({ secret: Secret.fromBase32(offer.secret), timestamp: clock.now })
    await send('POST', `${path}/confirm`, { token, body: { enrolment: offer.enrolment, code: code(), name: 'Phone' } })
    clock.now += 30_000
    const asked = await enter('client_admin@one.example', passwordOf('client_admin'))
    t.equal(asked.status, 200)
    t.equal(asked.headers.get('set-cookie'), null)
    const ticket = /name="ticket" value="([^"]+)"/.exec(asked.html)?.[1] ?? ''
    const step = (fields: object, headers = {}) =>
      post('/mcp-connections/sign-in-step', { ticket, methods: 'authenticator', ...fields }, '', headers)
    t.match(await step({ code: '000000' }), { status: 422, html: 'This is wrong, or was used before' })
    t.match(await step({ code: '' }), { status: 422 })
    t.match(await step({ passkey: '{}' }), { status: 422 })
    t.match(await step({ code: code() }, { 'Sec-Fetch-Site': 'cross-site' }), { status: 403 })
    t.match(await step({ ticket: 'x', code: code() }), { status: 410, html: 'The step before has run out' })
    t.match(await post('/mcp-connections/sign-in-setup', { ticket, enrolment: 'x', code: code() }), { status: 410 })
    const right = await step({ code: code(), to: 'https://elsewhere.example' })
    t.equal(right.status, 303)
    t.equal(right.headers.get('location'), '/mcp-connections', 'never to another site')
    const [cookie = ''] = (right.headers.get('set-cookie') ?? '').split(';')
    t.match(await get(home, cookie), { html: 'Phone' })
    t.notMatch((await get(home, cookie)).html, offer.secret)
    for (const form of ['authenticator', 'passkey', 'recovery-codes', 'factors/remove'])
      t.match(await post(`${home}/${form}`, { form: 'x', factor: '1' }, cookie), { status: 403 }, form)
  },
)

t.test(
  'given seven languages, when somebody chooses one, then every page is in it, and every form and link keeps it',
  async (t) => {
    const box = mailbox()
    const { get, post, signIn, send } = await site(home, { mail: box.mail })
    const { cookie, form } = await signIn('driver')
    await send('POST', '/api/v1/user/password-reset', { body: { email: 'customer@one.example' } })
    const { search } = await box.nextLink()
    const seen = new Set<string>()
    for (const lang of languages) {
      const chosen = `lang=${lang}`
      for (const [path, by] of [
        [`${home}?${chosen}`, cookie],
        [`${home}?${chosen}`, ''],
        [`${home}/forgotten?${chosen}`, ''],
        [`${home}/password${search}&${chosen}`, ''],
        [`${home}/email?${chosen}`, ''],
      ] as const) {
        const { html } = await get(path, by)
        t.match(html, `<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"`, path)
        for (const [, address] of html.matchAll(
          /(?:action|href)="(\/account(?:\/[\w/-]+)?(?:\?[^"]*)?)"(?! aria-current)/g,
        ))
          if (!html.includes(`<li><a href="${address}"`)) t.match(address, chosen, `${path}: ${address} keeps it`)
        seen.add(/<h1>([^<]+)/.exec(html)?.[1] ?? '')
      }
      const { headers } = await post(`${home}/sessions/end?${chosen}`, { form, session: 'none' }, cookie)
      t.match(headers.get('location'), chosen)
    }
    t.equal(seen.size, 5 * languages.length, 'no title is the same in two languages')
    const { html } = await get(`${home}/password${search}&lang=de`)
    t.match(html, `href="?link=${encodeURIComponent(new URLSearchParams(search).get('link') ?? '')}&amp;lang=fr"`)
    const short = await post(
      `${home}/password`,
      { link: new URLSearchParams(search).get('link') ?? '', password: 'x' },
      '',
      { 'accept-language': 'de' },
    )
    t.match(short, { status: 422, html: /Zeichen/ })
  },
)

t.test(
  'given API keys of before, when a second factor is set up, then the page says that they stay valid, and revokes them',
  async (t) => {
    const { get, post, signIn, clock, send } = await site(home)
    const { cookie, form, token } = await signIn('client_employee')
    const other = await signIn('driver')
    const keyOf = async (owner: string) => {
      const body = { name: 'Import', scopes: ['orders:read'] }
      return (await send('POST', '/api/v1/api-keys', { token: owner, body })).body.key
    }
    const [mine, theirs] = [await keyOf(token), await keyOf(other.token)]
    const works = async (key: string) => (await send('GET', '/api/v1/orders', { token: key })).status
    t.notMatch((await get(home, cookie)).html, 'Revoke all my API keys', 'nothing is said where a password is enough')
    const { html } = await post(`${home}/authenticator`, { form }, cookie)
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
    const code = TOTP.generate({ secret: Secret.fromBase32(field('secret')), timestamp: clock.now })
    const entered = { form, enrolment: field('enrolment'), code, name: 'Phone' }
    const added = await post(`${home}/authenticator/confirm`, entered, cookie)
    t.match(added.html, /Your recovery codes[\s\S]*Your API keys: 1\.[\s\S]*stay valid[\s\S]*Revoke all my API keys/)
    t.equal(await works(mine), 200)
    const [next = ''] = (added.headers.get('set-cookie') ?? '').split(';')
    const renewed = /name="form" value="(\w+)"/.exec(added.html)?.[1] ?? ''
    t.match((await get(home, next)).html, /Your API keys: 1\./)
    const revoked = await post(`${home}/api-keys/revoke`, { form: renewed }, next)
    t.match(await get(revoked.headers.get('location') ?? '', next), { html: /API keys that were revoked: 1\./ })
    t.same([await works(mine), await works(theirs)], [401, 200])
    t.notMatch((await get(home, next)).html, 'Revoke all my API keys')
  },
)

t.test('given an administrator, when a rule is made, then it is asked first, and sign-ins follow it', async (t) => {
  const { get, post, signIn, clock, send } = await site(home)
  const { cookie, form } = await signIn('client_admin')
  const people = `${home}/people`
  const signsIn = async () => {
    const body = { email: 'client_employee@one.example', password: passwordOf('client_employee') }
    return (await send('POST', '/api/v1/user/login', { body })).status
  }
  t.match((await get(home, cookie)).html, `href="${people}"`)
  t.match((await get(people, cookie)).html, 'Nobody has to have a second factor.')
  t.match(await get(`${people}/rule?required_of=staff&days=7`, cookie), {
    status: 200,
    html: /2026-06-17[\s\S]*stay valid/,
  })
  t.match((await get(people, cookie)).html, 'Nobody has to have a second factor.', 'asking does nothing')
  const saved = await post(`${people}/rule`, { form, required_of: 'staff', days: '7' }, cookie)
  t.match(
    (await get(saved.headers.get('location') ?? '', cookie)).html,
    /The rule is saved[\s\S]*sign in from[\s\S]*2026-06-17/,
  )
  t.match((await get(home, cookie)).html, /Your business asks for one from[\s\S]*2026-06-17/)
  t.equal(await signsIn(), 200)
  clock.now += 7 * 86_400_000
  t.equal(await signsIn(), 403)
  const later = await signIn('driver')
  t.equal((await get(people, later.cookie)).status, 403)
  t.equal((await post(`${people}/rule`, { form: later.form, required_of: 'nobody' }, later.cookie)).status, 403)
  t.notMatch((await get(home, later.cookie)).html, `href="${people}"`)
  t.equal(await signsIn(), 403)
})

t.test(
  'given a person who has lost the device, then an administrator removes it on a page that asks first',
  async (t) => {
    const { get, post, signIn, clock, send, ids } = await site(home)
    const { cookie, form } = await signIn('client_admin')
    const lost = await signIn('client_employee')
    const path = '/api/v1/user/second-factors/authenticator'
    const { body: offer } = await send('POST', path, { token: lost.token, body: {} })
    const code = TOTP.generate({ secret: Secret.fromBase32(offer.secret), timestamp: clock.now })
    const added = await send('POST', `${path}/confirm`, {
      token: lost.token,
      body: { enrolment: offer.enrolment, code, name: 'Phone' },
    })
    const people = '/records/account'
    t.match((await get(`${home}/people`, cookie)).html, `href="${people}"`)
    const one = `${people}/${ids.client_employee}/do/remove_second_factors`
    const shown = (await get(`${people}?role=client_employee`, cookie)).html
    t.match(shown, `${people}/${ids.client_employee}"`)
    t.notMatch(shown, 'driver of one')
    t.match((await get(`${people}/${ids.client_employee}`, cookie)).html, one)
    t.match(await get(one, cookie), { status: 200, html: /Remove second factors/ })
    const remove = (session: { readonly form: string; readonly cookie: string }, path = one) =>
      post(path, { form: session.form, step: 'do', confirm: '1' }, session.cookie)
    t.match(await post(one, { form, step: 'do' }, cookie), { status: 200, html: /Nothing has been done yet/ })
    const session = added.body.session.access_token
    t.equal((await send('GET', '/api/v1/user', { token: session })).status, 200, 'asking does nothing')
    const stranger = await signIn('client_admin', 'two')
    t.equal((await get(one, stranger.cookie)).status, 404)
    t.equal((await remove(stranger)).status, 404)
    t.equal((await remove({ form: 'x', cookie })).status, 403)
    const removed = await remove({ form, cookie })
    t.match(await get(removed.headers.get('location') ?? '', cookie), { html: /Done: Remove second factors/ })
    t.equal((await send('GET', '/api/v1/user', { token: session })).status, 401)
    const own = await remove({ form, cookie }, `${people}/${ids.client_admin}/do/remove_second_factors`)
    t.equal(own.status, 409, 'the own ones are removed on the page of the account')
  },
)

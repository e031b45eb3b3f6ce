import t from 'tap'
import { languagesWith } from '../../locales/catalogue.ts'
import { type Page, site } from '../signed-in/site.test.fixture.ts'
import { untold } from '../texts.test.fixture.ts'
import { keyTexts } from './texts.ts'

const home = '/keys'
const roles = `${home}/roles`

/** The key that a page shows once. */
function keyIn({ html }: Page): string {
  return /value="(otk_\w+)"/.exec(html)?.[1] ?? ''
}

t.test(
  'given somebody who makes a key, then it is shown once and works, and the list says what it may do',
  async (t) => {
    const { get, post, signIn, send } = await site(home)
    const { cookie, form } = await signIn('client_employee')
    const fields = { form, name: 'Nightly import', days: '30', scope: ['orders:read'], operations: 'get_orders' }
    const made = await post(home, fields, cookie)
    t.equal(made.status, 200)
    t.equal(made.headers.get('cache-control'), 'no-store')
    const key = keyIn(made)
    t.equal((await send('GET', '/api/v1/orders', { token: key })).status, 200)
    t.equal((await send('GET', '/api/v1/orders/exceptions', { token: key })).body.code, 'outside_key')
    const { html } = await get(home, cookie)
    t.equal(keyIn({ ...made, html }), '', 'the list does not show it')
    t.match(html, 'class="languages"')
    t.notMatch(made.html, 'class="languages"', 'a choice of language would lose the key')
    t.match(html, /Nightly import/)
    t.match(html, /<code>orders:read<\/code>[\s\S]*only <code>get_orders<\/code>/)
    t.match(html, /2026-06-10/, 'its last use')
  },
)

t.test('given a key, when it is replaced and revoked, then each is asked first and takes effect', async (t) => {
  const { get, post, signIn, send } = await site(home)
  const { cookie, form } = await signIn('client_admin')
  const key = keyIn(await post(home, { form, name: 'Van', days: '30', scope: ['orders:read'] }, cookie))
  const works = async (token: string) => (await send('GET', '/api/v1/orders', { token })).status === 200
  t.match(await get(`${home}/1/rotate`, cookie), { status: 200, html: /Replace the key Van/ })
  const next = keyIn(await post(`${home}/1/rotate`, { form, overlap: '24' }, cookie))
  t.ok((await works(key)) && (await works(next)), 'both, for a day')
  const last = keyIn(await post(`${home}/1/rotate`, { form, overlap: '0' }, cookie))
  t.notOk(await works(next))
  t.match(await get(`${home}/1/revoke`, cookie), { status: 200, html: /cannot be undone/ })
  t.ok(await works(last), 'asking does nothing')
  const revoked = await post(`${home}/1/revoke`, { form }, cookie)
  t.equal(revoked.status, 303)
  t.match(await get(revoked.headers.get('location') ?? '', cookie), { html: /The key is revoked/ })
  t.notOk(await works(last))
  t.match(await post(`${home}/1/rotate`, { form }, cookie), { status: 409, html: /has been revoked/ })
  t.equal((await get(`${home}/99/revoke`, cookie)).status, 404)
})

t.test('given the keys of others, then an administrator sees and revokes those of the business only', async (t) => {
  const { get, post, signIn } = await site(home)
  const driver = await signIn('driver')
  await post(home, { form: driver.form, name: 'Phone <b>', scope: ['orders:read'] }, driver.cookie)
  const admin = await signIn('client_admin')
  const { html } = await get(home, admin.cookie)
  t.match(html, /Phone &lt;b&gt;[\s\S]*driver of one/)
  t.notMatch(html, /1\/rotate/, 'only the owner replaces it')
  const stranger = await signIn('client_admin', 'two')
  t.equal((await post(`${home}/1/revoke`, { form: stranger.form }, stranger.cookie)).status, 404)
  t.equal((await get(`${home}/1/revoke`, stranger.cookie)).status, 404)
  t.equal((await post(`${home}/1/revoke`, { form: admin.form }, admin.cookie)).status, 303)
})

t.test('given a wrong form, or one of another site, then nothing is made and the entries stay', async (t) => {
  const { get, post, signIn } = await site(home)
  const { cookie, form } = await signIn('client_employee')
  const kept = await post(home, { form, name: 'Import', operations: 'get_oders' }, cookie)
  t.match(kept, { status: 422, html: /value="Import"/ })
  t.match(kept.html, /value="get_oders"/)
  t.equal((await post(home, { form: 'x', name: 'Import', scope: ['orders:read'] }, cookie)).status, 403)
  const foreign = { origin: 'https://elsewhere.example' }
  t.equal((await post(home, { form, name: 'Import', scope: ['orders:read'] }, cookie, foreign)).status, 403)
  t.match((await get(home, cookie)).html, /There is no API key/)
  t.match((await get(home)).html, /type="password"/, 'nobody sees it without signing in')
})

t.test(
  'given an administrator, when a role is made and given, then it counts, and the page says who has it',
  async (t) => {
    const { get, post, signIn, send, tokens, ids } = await site(home)
    const { cookie, form } = await signIn('client_admin')
    const done = async (path: string, fields: Record<string, string | readonly string[]>) => {
      const answer = await post(path, { form, ...fields }, cookie)
      t.equal(answer.status, 303, `${path} ${answer.html.slice(0, 0)}`)
      return get(answer.headers.get('location') ?? '', cookie)
    }
    t.match(await done(roles, { name: 'Night', preset: '', scope: ['routes:read'] }), { html: /The role is made/ })
    await done(`${roles}/give`, { account: String(ids.client_employee), role: '1' })
    const status = async () => (await send('GET', '/api/v1/orders', { token: tokens.client_employee })).status
    t.equal(await status(), 403)
    const { html } = await get(roles, cookie)
    t.match(html, /Night[\s\S]*<code>routes:read<\/code>/)
    t.match(html, /<option value="1" selected>Night/)
    t.equal((await post(`${roles}/1/delete`, { form }, cookie)).status, 409, 'it is in use')
    t.match(await get(`${roles}/1`, cookie), { html: /Change the role Night/ })
    await done(`${roles}/1`, { name: 'Day', preset: 'dispatcher' })
    t.equal(await status(), 200)
    t.match(await post(roles, { form, name: 'Day', preset: 'warehouse' }, cookie), {
      status: 409,
      html: /is named Day/,
    })
    t.match(await post(roles, { form, name: 'None', preset: '' }, cookie), { status: 422, html: /scopes/ })
    await done(`${roles}/give`, { account: String(ids.client_employee), role: '' })
    t.match(await done(`${roles}/1/delete`, {}), { html: /The role is deleted/ })
  },
)

t.test(
  'given an employee with a role, then the links lead where the role does, and roles are read and not changed',
  async (t) => {
    const { get, post, signIn, send, tokens, ids } = await site(home)
    const token = tokens.client_admin
    const links = ({ html }: Page) => [...html.matchAll(/<li><a href="(\/[^"]+)"/g)].map(([, path]) => path)
    const { cookie, form } = await signIn('client_employee')
    t.ok(links(await get(home, cookie)).includes('/webhooks/deliveries'))
    const terms = { scopes: ['orders:read', 'accounts:read'], read_only: true }
    await send('POST', '/api/v1/staff-roles', { token, body: { name: 'Orders', ...terms } })
    await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, { token, body: { staff_role_id: 1 } })
    t.same(links(await get(home, cookie)), ['/orders', '/records', '/money', '/mcp-connections', '/keys', '/account'])
    const { html, status } = await get(roles, cookie)
    t.equal(status, 200)
    t.notMatch(html, /Make a role|\/give/)
    t.equal((await get(`${roles}/1`, cookie)).status, 403)
    t.equal((await post(roles, { form, name: 'All', preset: 'dispatcher' }, cookie)).status, 403)
    const give = { form, account: String(ids.client_employee), role: '' }
    t.equal((await post(`${roles}/give`, give, cookie)).status, 403)
    const fewer = { name: 'Orders', scopes: ['accounts:read'], operations: ['list_staff_roles'] }
    await send('PUT', '/api/v1/staff-roles/1', { token, body: fewer })
    t.equal((await get(roles, cookie)).status, 200, 'nor does the page need the list of accounts')
    const driver = await signIn('driver')
    t.equal((await get(roles, driver.cookie)).status, 403)
    t.notMatch((await get(home, driver.cookie)).html, /href="\/keys\/roles"/)
  },
)

t.test(
  'given the page of the identity provider, then admins have it, and others neither see nor change it',
  async (t) => {
    const { get, post, signIn, send, tokens } = await site(home)
    const admin = await signIn('client_admin')
    const page = `${home}/identity`
    t.match(await get(home, admin.cookie), { html: /href="\/keys\/identity"/ })
    t.match(await get(page, admin.cookie), {
      status: 200,
      html: /<code>http:\/\/localhost:3000\/account\/sign-on\/1<\/code>/,
    })
    const provider = {
      name: 'Acme',
      issuer: 'https://idp.example',
      client_id: 'otep',
      client_secret: 'nobody reads this',
      scopes: 'openid',
      new_accounts: 'none',
    }
    const { cookie, form } = await signIn('client_employee')
    t.notMatch((await get(home, cookie)).html, 'href="/keys/identity"')
    t.equal((await get(page, cookie)).status, 403)
    for (const path of [
      page,
      `${page}/remove`,
      `${page}/domains`,
      `${page}/domains/prove`,
      `${page}/domains/release`,
    ]) {
      t.equal((await post(path, { ...provider, form, domain: 'one.example' }, cookie)).status, 403, path)
      t.equal((await post(path, { ...provider, form: 'x' }, admin.cookie)).status, 403, 'a form of another session')
      t.match(await get(path, admin.cookie), path === page ? { status: 200 } : { status: 303 })
    }
    t.equal((await post(page, { ...provider, form: admin.form, client_secret: '' }, admin.cookie)).status, 422)
    t.equal((await post(page, { ...provider, form: admin.form }, admin.cookie)).status, 303)
    t.notMatch((await get(page, admin.cookie)).html, 'nobody reads this')
    const { sign_on } = (await send('GET', '/api/v1/business/sign-on', { token: tokens.client_admin })).body
    t.match(sign_on, { issuer: 'https://idp.example', scopes: ['openid'] })
  },
)

t.test(
  'given an administrator, when a provider is added, replaced and revoked, then a carrier needs no shell',
  async (t) => {
    const { get, post, signIn, send } = await site(home)
    const { cookie, form } = await signIn('client_admin')
    const at = `${home}/providers`
    const keyOf = ({ html }: Page) => /value="(otep_\w[\w-]*)"/.exec(html)?.[1] ?? ''
    const push = async (token: string) => {
      const body = { subject: { tracking_number: 'A1' }, status_code: 'received', occurred_at: '2026-06-10T09:00:00Z' }
      return (await send('POST', '/api/v1/otep/ingest', { token, body })).status
    }
    t.match((await get(at, cookie)).html, /No provider reports/)
    const made = await post(at, { form, name: 'courier', days: '90' }, cookie)
    t.match(made, { status: 200, html: /http:\/\/localhost:3000\/api\/v1\/otep\/ingest/ })
    t.equal(made.headers.get('cache-control'), 'no-store')
    const key = keyOf(made)
    t.equal(await push(key), 200)
    const listed = await get(at, cookie)
    t.equal(keyOf(listed), '', 'the list does not show it')
    t.match(listed.html, /courier[\s\S]*Valid[\s\S]*2026-06-10[\s\S]*2026-09-08/)
    t.match(await post(at, { form, name: 'courier', days: '' }, cookie), { status: 409, html: /already has a key/ })
    t.match(await post(at, { form, name: 'Bad Name', days: '' }, cookie), { status: 422, html: /value="Bad Name"/ })
    t.match(await get(`${at}/courier/rotate`, cookie), { status: 200, html: /Replace the key courier/ })
    const next = keyOf(await post(`${at}/courier/rotate`, { form, overlap: '0' }, cookie))
    t.same([await push(key), await push(next)], [401, 200])
    t.match(await get(`${at}/courier/revoke`, cookie), { status: 200, html: /What it has reported stays/ })
    t.equal(await push(next), 200, 'asking does nothing')
    const revoked = await post(`${at}/courier/revoke`, { form }, cookie)
    t.match(await get(revoked.headers.get('location') ?? '', cookie), { html: /keys of the provider are revoked/ })
    t.equal(await push(next), 401)
    for (const verb of ['rotate', 'revoke']) {
      t.equal((await get(`${at}/courier/${verb}`, cookie)).status, 404)
      t.equal((await post(`${at}/courier/${verb}`, { form }, cookie)).status, 404)
    }
    const again = await post(at, { form, name: 'courier', days: '' }, cookie)
    t.equal(await push(keyOf(again)), 200)
    t.match((await get(at, cookie)).html, /<td>never<\/td>/)
  },
)

t.test('given others, then the pages of providers and service accounts are closed to them', async (t) => {
  const { get, post, signIn, send, tokens } = await site(home)
  const token = tokens.client_admin
  await send('POST', '/api/v1/providers', { token, body: { name: 'courier' } })
  const service = await send('POST', '/api/v1/service-accounts', {
    token,
    body: { role: 'client_admin', name: 'Robot' },
  })
  const own = `${home}/services/${service.body.account_id}`
  for (const role of ['client_employee', 'driver', 'customer', 'contractor'] as const) {
    const { cookie, form } = await signIn(role)
    for (const path of [`${home}/providers`, `${home}/providers/courier/revoke`, `${home}/services`, own]) {
      t.equal((await get(path, cookie)).status, 403, `${path} as ${role}`)
      t.equal((await post(path, { form, name: 'x', role: 'client_admin' }, cookie)).status, 403, `${path} as ${role}`)
    }
    t.notMatch((await get(home, cookie)).html, /href="\/keys\/(providers|services)"/)
  }
  const stranger = await signIn('client_admin', 'two')
  t.equal((await get(own, stranger.cookie)).status, 404)
  t.equal((await post(`${own}/disable`, { form: stranger.form }, stranger.cookie)).status, 404)
  t.equal((await get(`${home}/providers/courier/revoke`, stranger.cookie)).status, 404)
  t.equal((await post(`${home}/providers/courier/rotate`, { form: stranger.form }, stranger.cookie)).status, 404)
  t.match(await post(`${home}/providers`, { form: stranger.form, name: 'courier' }, stranger.cookie), {
    status: 409,
    html: /The name courier is taken/,
  })
  t.match((await send('GET', '/api/v1/providers', { token })).body.providers, [{ state: 'valid' }])

  const webhook = '/api/v1/providers/courier/webhook'
  const body = { format: 'ship24', secret: 'a secret of theirs' }
  const set = await send('PUT', webhook, { token, body })
  t.match(set, { status: 200, body: { name: 'courier', format: 'ship24', address: /\/otep\/webhooks\/courier$/ } })
  const { providers } = (await send('GET', '/api/v1/providers', { token })).body
  t.match(providers, [{ webhook_format: 'ship24' }])
  t.notMatch(JSON.stringify([set.body, providers]), body.secret)
  t.equal((await send('DELETE', webhook, { token })).status, 200)
})

t.test(
  'given a service account, when its administrator makes, replaces and ends its keys, then each works',
  async (t) => {
    const { get, post, signIn, send, tokens } = await site(home)
    const { cookie, form } = await signIn('client_admin')
    const at = `${home}/services`
    await send('POST', '/api/v1/staff-roles', {
      token: tokens.client_admin,
      body: { name: 'Night', scopes: ['orders:read', 'routes:read'] },
    })
    const made = await post(at, { form, name: 'Till <b>', role: 'client_employee', staff_role: '1' }, cookie)
    t.equal(made.status, 303)
    const own = (made.headers.get('location') ?? '').split('?')[0] ?? ''
    const { html } = await get(made.headers.get('location') ?? '', cookie)
    t.match(html, /The service account is made[\s\S]*Routes: See/)
    t.notMatch(html, /Orders: Change/, 'its role has no more')
    const key = keyIn(await post(own, { form, name: 'Till', days: '30', scope: ['orders:read'] }, cookie))
    const works = async (token: string) => (await send('GET', '/api/v1/orders', { token })).status
    t.equal(await works(key), 200)
    t.match(await post(own, { form, name: 'Till', days: '30' }, cookie), { status: 422, html: /value="Till"/ })
    t.match((await get(home, cookie)).html, /1\/rotate[\s\S]*1\/revoke/, 'administrators replace it')
    const next = keyIn(await post(`${home}/1/rotate`, { form, overlap: '0' }, cookie))
    t.same([await works(key), await works(next)], [401, 200])
    t.match((await get(at, cookie)).html, /Till &lt;b&gt;[\s\S]*Employee[\s\S]*Night[\s\S]*Active/)
    t.match(await get(`${own}/disable`, cookie), { status: 200, html: /keys end at once, for good/ })
    t.equal(await works(next), 200, 'asking does nothing')
    const off = await post(`${own}/disable`, { form }, cookie)
    t.match(await get(off.headers.get('location') ?? '', cookie), { html: /its keys have ended/ })
    t.equal(await works(next), 401)
    t.notMatch((await get(own, cookie)).html, /Make a key/)
    const on = await post(`${own}/enable`, { form }, cookie)
    t.match(await get(on.headers.get('location') ?? '', cookie), { html: /The account is enabled/ })
    t.match(await post(at, { form, name: 'x', role: 'client_admin', staff_role: '1' }, cookie), { status: 422 })
    t.match(await post(at, { form, name: 'x', role: 'driver', staff_role: '' }, cookie), {
      status: 422,
      html: /value="x"/,
    })
    t.equal((await get(`${at}/1`, cookie)).status, 404, 'nor is that of a person one')
  },
)

/** A business with at least one of all that these pages show, and 52 keys, so that there is a second page. */
async function furnished() {
  const made = await site(home)
  const { client_admin: token, client_employee } = made.tokens
  const good = async (method: string, path: string, body: object, by = token) => {
    const answer = await made.send(method, `/api/v1/${path}`, { token: by, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const scopes = ['orders:read', 'routes:read']
  for (const by of [client_employee, token])
    for (let number = 0; number < 26; number++)
      await good('POST', 'api-keys', { name: 'Van', scopes, operations: ['get_orders'], read_only: true }, by)
  await good('POST', 'staff-roles', { name: 'Night', scopes })
  await good('POST', 'staff-roles', { name: 'Store', preset: 'warehouse' })
  await good('POST', 'providers', { name: 'courier' })
  const robot = await good('POST', 'service-accounts', { role: 'client_employee', name: 'Till', staff_role_id: 1 })
  const off = await good('POST', 'service-accounts', { role: 'client_admin', name: 'Robot' })
  await good('PUT', `accounts/${off.account_id}/status`, { is_active: false })
  await good('PUT', 'business/sign-on/domains/acme.example', {})
  return { ...made, robot: `${home}/services/${robot.account_id}` }
}

t.test(
  'given all that these pages show, when it is read and changed in each language, then nothing is left in English, and links and forms keep the language',
  async (t) => {
    const { get, post, signIn, robot } = await furnished()
    const [admin, driver] = [await signIn('client_admin'), await signIn('driver')]
    const { cookie, form } = admin
    const shown = ['', '?page=2', '/1/rotate', '/1/revoke', '/999/revoke']
    const others = ['/providers', '/providers/courier/rotate', '/providers/courier/revoke', '/providers/none/revoke']
    const rest = ['/services', '/services/999', '/roles', '/roles/1', '/roles/999', '/identity']
    const paths = [...[...shown, ...others, ...rest].map((path) => home + path), robot, `${robot}/disable`]
    for (const language of languagesWith('page.keys')) {
      const chosen = `lang=${language}`
      const within = (path: string) => `${path}${path.includes('?') ? '&' : '?'}${chosen}`
      const pages = await Promise.all(paths.map((path) => get(within(path), cookie)))
      t.same(
        pages.map(({ status }) => status),
        paths.map((path) => (/\/(?:999|none)/.test(path) ? 404 : 200)),
      )
      const name = `own ${language}`
      pages.push(await get(within(home)), await get(within(`${home}/roles`), driver.cookie))
      pages.push(await post(within(home), { form, name, days: '30', scope: ['orders:read'] }, cookie))
      pages.push(await post(within(`${home}/providers`), { form, name: language.toLowerCase() }, cookie))
      pages.push(await post(within(robot), { form, name, days: '90', scope: ['orders:read'] }, cookie))
      const saved: [path: string, fields: Record<string, string | readonly string[]>][] = [
        [`${home}/roles`, { name, scope: ['orders:read'] }],
        [`${home}/roles/1`, { name: 'Night', scope: ['orders:read'] }],
        [`${home}/services`, { name, role: 'client_admin', staff_role: '' }],
        [`${robot}/disable`, {}],
        [`${robot}/enable`, {}],
        [`${home}/providers/${language.toLowerCase()}/revoke`, {}],
        [`${home}/identity/domains`, { domain: `${language.toLowerCase()}.example` }],
        [`${home}/identity/domains/release`, { domain: `${language.toLowerCase()}.example` }],
      ]
      for (const [path, fields] of saved) {
        const answer = await post(within(path), { form, ...fields }, cookie)
        t.equal(answer.status, 303, path)
        const location = answer.headers.get('location') ?? ''
        t.ok(location.endsWith(`&${chosen}`), location)
        pages.push(await get(location, cookie))
      }
      for (const path of ['/roles/give', '/roles/1/delete', '/identity/remove'])
        t.match((await get(within(home + path), cookie)).headers.get('location'), chosen)
      for (const { html } of pages) {
        t.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
        if (language !== 'en') untold(t, html, keyTexts(language), keyTexts('en'), language)
        for (const [, address = ''] of html.matchAll(/(?:href|action)="(\/(?!assets)[^"]+)"/g))
          if (address !== '/') t.match(address, chosen, `${address} keeps the language`)
      }
      t.match(pages[1]?.html, 'href="?page=2&amp;lang=fr" lang="fr"', 'the switch keeps the query')
    }
  },
)

t.test('given a reader of German, French or Arabic, then refusals are in that language', async (t) => {
  const { get, post, signIn } = await site(home)
  const { cookie, form } = await signIn('client_admin')
  const at = (language: string) => ({ 'accept-language': language })
  const refused = (language: string) => post(`${home}/providers`, { form, name: 'Bad Name' }, cookie, at(language))
  t.match(await refused('de'), { status: 422, html: /role="alert"[^>]*>name: Kleinbuchstaben und Ziffern werden/ })
  t.match((await refused('fr')).html, /role="alert"[^>]*>name\u00A0: Lettres minuscules/)
  t.match((await refused('ar')).html, /role="alert"[^>]*>name: \u2068المتوقع أحرف لاتينية صغيرة/)
  const { html } = await get(home, cookie, at('de'))
  t.match(html, /<th scope="row">Aufträge<\/th>.*aria-label="Aufträge: Ansehen"/, 'scopes are named as elsewhere')
  const made = await post(home, { form, name: 'Van', days: '30', scope: ['orders:read'] }, cookie, at('ar'))
  t.match(made.html, /role="status"[^>]*>أُنشئ المفتاح \u2068Van\u2069\./, 'a name keeps its direction')
  t.match(made.html, /<code>orders:read<\/code>[\s\S]*aria-label="إلغاء: \u2068Van\u2069"/)
})

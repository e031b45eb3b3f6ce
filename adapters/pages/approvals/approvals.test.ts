import t from 'tap'
import * as v from 'valibot'
import { call, domains, en, operation, proposeWrite, scopesOf } from '../../../engine/index.ts'
import { passwordOf, type World } from '../../auth/world.test.fixture.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { site as siteOf } from '../signed-in/site.test.fixture.ts'
import { untold } from '../texts.test.fixture.ts'
import { approvalTexts } from './texts.ts'

const delivery = { name: 'Ann Smith', address: { street: '1 Main Street', locality: 'Lyon', country: 'FR' } }
const home = '/mcp-approvals'
const hour = 3_600_000

/** A caller without an account. */
const noAccount = { kind: 'anonymous', name: 'anonymous', scopes: [] } as const

/** A tool that records and answers that the request is no longer possible. */
const tooLate = operation({
  name: 'too_late',
  summary: 'Come too late.',
  scopes: ['orders:write'],
  risk: 'high',
  tag: 'Client',
  mcp: { title: 'Come too late' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(false) }),
  errors: [],
  handle: async () => ({ result: false }),
})

/** A test harness with its pages and some proposals. */
async function site(options: Parameters<typeof siteOf>[1] = {}) {
  const made = await siteOf(home, options)
  return { ...made, ...proposing(made) }
}

function proposing({ send, tokens }: Pick<World, 'send' | 'tokens'>) {
  const order = async (more = {}): Promise<number> => {
    const { body } = await send('POST', '/api/v1/orders', {
      token: tokens.client_admin,
      body: { type: 'D', delivery, ...more },
    })
    return body.order_id
  }
  const propose = async (tool: string, input: object, more = {}, token = tokens.client_employee): Promise<number> => {
    const { body } = await send('POST', '/api/v1/approvals', { token, body: { tool, arguments: input, ...more } })
    return body.proposal_id
  }
  const statusOf = async (id: number): Promise<string> =>
    (await send('GET', `/api/v1/orders/${id}`, { token: tokens.client_admin })).body.order.status
  return { order, propose, statusOf }
}

t.test('given a visitor without a session, when a page is requested, then the sign-in form is shown', async (t) => {
  const { get } = await site()
  for (const path of [home, `${home}/1`, `${home}/nonsense`]) {
    const { status, headers, html } = await get(path)
    t.equal(status, 200, path)
    t.match(html, '<form method="post" action="/mcp-approvals/sign-in">')
    t.equal(headers.get('cache-control'), 'no-store')
    t.equal(headers.get('referrer-policy'), 'same-origin', 'otherwise browsers send no Origin header with forms')
    t.match(headers.get('content-security-policy'), "default-src 'none'; style-src 'self'; script-src 'self'")
    t.notMatch(html, /<style|\sstyle=|<script|\son[a-z]+=/, 'nothing inline')
  }
  t.match(
    (await get(`${home}/17`)).html,
    '<input type="hidden" name="to" value="17">',
    'the form returns to the requested page',
  )
})

t.test(
  'given the right password, when it is submitted, then a cookie is set that neither scripts nor other sites can use',
  async (t) => {
    const { enter, get, clock } = await site()
    const { status, headers } = await enter('client_admin@one.example', passwordOf('client_admin'), { to: '17' })
    t.same([status, headers.get('location')], [303, `${home}/17`])
    t.match(
      headers.get('set-cookie'),
      /^otep_session=ots_[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    for (const to of ['//evil.example', '../x', '0', '1e3'])
      t.equal(
        (await enter('client_admin@one.example', passwordOf('client_admin'), { to })).headers.get('location'),
        home,
        `${to} is ignored`,
      )
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
    t.match((await get(home, cookie)).html, 'Signed in as</span> <bdi>client_admin of one</bdi>')
    clock.now += 12 * hour
    t.match((await get(home, cookie)).html, 'name="password"', 'when the token is over, so is the session')
  },
)

t.test('given a server behind https, when a visitor signs in, then the cookie is tied to this host', async (t) => {
  for (const options of [{ hsts: true }, { baseUrl: 'https://tracking.example' }]) {
    const { enter, get } = await site(options)
    const { headers } = await enter('client_admin@one.example', passwordOf('client_admin'))
    t.match(
      headers.get('set-cookie'),
      /^__Host-otep=ots_[0-9a-f]{64}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
    t.match((await get(home, cookie)).html, 'Sign out')
    t.match((await get(home, cookie.replace('__Host-otep', 'otep_session'))).html, 'name="password"')
  }
})

t.test(
  'given a wrong password, when it is submitted, then the page does not reveal whether the account exists',
  async (t) => {
    const { enter, clock } = await site()
    const tries = [
      await enter('client_admin@one.example', 'wrong'),
      await enter('nobody@one.example', 'wrong'),
      await enter('no address', 'wrong'),
      await enter('client_admin@one.example', ''),
      await enter('client_admin@one.example', 'x'.repeat(201)),
    ]
    for (const { status, html, headers } of tries) {
      t.equal(status, 401)
      t.match(html, 'role="alert" tabindex="-1" autofocus>The email address or the password is wrong.')
      t.equal(headers.get('set-cookie'), null)
      t.notMatch(html, 'value="wrong"')
    }
    for (const email of ['client_admin@two.example', 'nobody@two.example']) {
      for (let index = 0; index < 5; index++) await enter(email, 'wrong')
      const { status, headers, html } = await enter(email, passwordOf('client_admin'))
      t.same([status, headers.get('retry-after')], [429, '30'], email)
      t.match(html, 'Too many failed attempts. Try again in 30 seconds.')
    }
    clock.now += 30_000
    t.equal((await enter('client_admin@two.example', passwordOf('client_admin'))).status, 303)
  },
)

t.test('given an email with markup, when it is shown again, then it is escaped', async (t) => {
  const { enter } = await site()
  const { html } = await enter('"><script>alert(1)</script>', 'wrong')
  t.match(html, 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  t.notMatch(html, '<script')
})

t.test(
  'given proposals, when staff open the list, then it shows who proposed what and until when, newest first',
  async (t) => {
    const { get, signIn, propose, order } = await site()
    const id = await order()
    await propose('cancel_order', { order_id: id })
    await propose('update_order_note', { order_id: id, note: 'secret note' }, { expires_in_hours: 1 })
    const { cookie, token } = await signIn('client_admin')
    const { status, headers, html } = await get(home, cookie)
    t.equal(status, 200)
    t.equal(headers.get('cache-control'), 'no-store')
    t.ok(html.indexOf('>Update order note</a>') < html.indexOf('>Cancel order</a>'))
    for (const part of ['2 waiting', '<bdi>client_employee of one</bdi>', 'High risk', 'Medium risk', 'in 1 hour'])
      t.match(html, part)
    t.match(html, 'Times are in America/Toronto')
    t.match(html, '<time datetime="2026-06-10T06:00:00-04:00">', 'in the time zone of the business')
    t.notMatch(html, 'secret note', 'details are on the page of the proposal')
    t.notMatch(html, token)
    t.match((await get(`${home}?mine=1`, cookie)).html, 'None of your proposals waits')
  },
)

t.test('given many proposals, when they are listed, then each page has twenty', async (t) => {
  const { get, signIn, propose, order } = await site()
  const id = await order()
  for (let index = 0; index < 21; index++) await propose('update_order_note', { order_id: id, note: `${index}` })
  const { cookie } = await signIn('client_employee')
  const items = async (query: string) => {
    const { html } = await get(home + query, cookie)
    return [[...html.matchAll(/<li class="card">/g)].length, /Page \d of \d/.exec(html)?.[0]]
  }
  t.same(await items(''), [20, 'Page 1 of 2'])
  t.same(await items('?mine=1&page=2'), [1, 'Page 2 of 2'])
  t.match((await get(`${home}?mine=1`, cookie)).html, 'href="/mcp-approvals?mine=1&amp;page=2"')
  for (const odd of ['?page=0', '?page=-1', '?page=x', '?page=1.5']) t.same(await items(odd), [20, 'Page 1 of 2'], odd)
  t.same(await items('?page=9'), [0, 'Page 9 of 2'], 'a page beyond the end is empty and links back')
})

t.test('given a proposal, when it is opened, then the page shows the changes and the arguments', async (t) => {
  const { get, signIn, propose, order } = await site()
  const id = await order()
  const proposal = await propose('cancel_order', { order_id: id }, { reason: 'Ordered <b>twice</b>' })
  const { cookie, token, form } = await signIn('client_admin')
  const { html } = await get(`${home}/${proposal}`, cookie)
  t.match(html, '<del><bdi class="text">NEW_ORDER</bdi></del>')
  t.match(html, '<ins><bdi class="text">CANCELLED</bdi></ins>')
  t.match(html, `<h3><bdi lang="en">Order ${id}</bdi></h3>`)
  t.match(html, `<code>order_id<wbr></code></th><td><code>${id}</code></td>`)
  t.match(html, 'Ordered &lt;b&gt;twice&lt;/b&gt;')
  t.match(
    html,
    `<form method="post" action="${home}/${proposal}/approve"><input type="hidden" name="form" value="${form}">`,
  )
  t.notMatch(html, token)
  t.not(form, '')
})

t.test(
  'given hostile arguments, when they are shown, then they are escaped and invisible characters are marked',
  async (t) => {
    const { get, signIn, propose, order } = await site()
    const id = await order()
    const note = '<script>alert(1)</script>" onclick="x\nsecond\u202Edesrever\u200B end'
    const proposal = await propose('update_order_note', { order_id: id, note })
    const { cookie } = await signIn('client_admin')
    const { html } = await get(`${home}/${proposal}`, cookie)
    t.match(html, '&lt;script&gt;alert(1)&lt;/script&gt;&quot; onclick=&quot;x\nsecond\uFFFDdesrever\uFFFD end')
    t.notMatch(html, '<script')
  },
)

/** A tool that accepts any input and records it unchanged. */
const takeAll = operation({
  name: 'take_all',
  summary: 'Take anything.',
  scopes: ['orders:write'],
  risk: 'high',
  tag: 'Client',
  mcp: { title: 'Take all' },
  input: v.strictObject({ given: v.unknown() }),
  output: v.strictObject({ result: v.literal(true) }),
  errors: [],
  handle: async ({ store, randomId }, { given }) => {
    const event = { id: randomId(), type: 'AllTaken', data: { to: given }, metadata: { schemaVersion: 1 } }
    await store.append('shelf-1', [event], 'any')
    return { result: true }
  },
})

t.test('given arguments of any size and depth, when they are shown, then the page stays small', async (t) => {
  const operations = [...domains.flatMap((domain) => domain.operations), takeAll]
  const { get, post, signIn, parts, ids, send, tokens } = await site({ operations })
  const propose = async (given: unknown): Promise<number> => {
    // Proposed directly, because a request cannot be nested as deeply as data that was recorded earlier.
    const context = { ...parts, caller: noAccount, messages: en, requestId: 'r' }
    const account = await parts.directory.person(context, ids.client_employee)
    if (account === undefined) throw new Error('There is no such account.')
    const caller = { kind: 'account', name: `${account.id}`, scopes: scopesOf.client_employee, account } as const
    const answer = await call(proposeWrite, { ...context, caller }, { tool: 'take_all', arguments: { given } })
    return Number(answer.proposal_id)
  }
  const { cookie, form } = await signIn('client_admin')
  const page = async (given: unknown): Promise<string> => {
    const { status, html } = await get(`${home}/${await propose(given)}`, cookie)
    t.equal(status, 200)
    t.ok(Buffer.byteLength(html) < 256 * 1024, `${Buffer.byteLength(html)} bytes`)
    return html
  }
  const list = (length: number, item: unknown) => Array.from({ length }, () => item)
  const rows = await page(list(1000, 1))
  t.equal([...rows.matchAll(/<th scope="row">/g)].length, 200)
  t.match(rows, 'And 800 more arguments, too many to show here.')
  t.match(rows, 'And 801 more values, too many to show here.', 'a fact counts as well')
  t.match(await page({ note: `begin${'x'.repeat(5000)}end` }), '(1,008 characters in the middle left out)')
  t.match(await page({ [`begin${'x'.repeat(5000)}`]: { end: 1 } }), /given<wbr>\.begin/)
  for (const sign of ['"', '.', '\u6f22', '\u{1f600}']) {
    await page(list(300, { [sign.repeat(150)]: sign.repeat(20) }))
    await page(list(300, sign.repeat(4000)))
    await page({ [sign.repeat(200)]: list(300, 1) })
  }
  const deep = JSON.parse(`${'{"a":'.repeat(3000)}${JSON.stringify(list(300, 1))}${'}'.repeat(3000)}`)
  t.match(await page(deep), /given<wbr>(\.a<wbr>)+\.?a?\u2026/)
  const last = await propose(deep)
  t.equal((await post(`${home}/${last}/approve`, { form }, cookie)).status, 303, 'and it decides')
  t.match((await get(`${home}/${last}`, cookie)).html, 'Approved')
  t.equal((await send('GET', `/api/v1/approvals/${last}`, { token: tokens.client_admin })).status, 200)
})

t.test('given a proposal, when it is approved, then it is carried out once, and the page says so', async (t) => {
  const { get, post, signIn, propose, order, statusOf } = await site()
  const id = await order()
  const proposal = await propose('cancel_order', { order_id: id })
  const { cookie, form } = await signIn('client_admin')
  const other = await signIn('client_employee')
  t.equal(await statusOf(id), 'NEW_ORDER')
  const asked = await get(`${home}/${proposal}?done=yes`, cookie)
  t.notMatch(asked.html, 'role="status"', 'the address alone shows no result')
  const { status, headers } = await post(`${home}/${proposal}/approve`, { form }, cookie)
  t.same([status, headers.get('location')], [303, `${home}/${proposal}?done=yes`])
  t.equal(await statusOf(id), 'CANCELLED')
  const { html } = await get(`${home}/${proposal}?done=yes`, cookie)
  t.match(html, 'role="status" tabindex="-1" autofocus>Approved: it has been carried out.')
  t.notMatch(html, '/approve"', 'no decision is offered any more')
  t.notMatch((await get(`${home}/${proposal}?done=yes`, other.cookie)).html, 'role="status"', 'another account decided')
  for (const verb of ['approve', 'reject']) {
    const late = await post(`${home}/${proposal}/${verb}`, { form: other.form }, other.cookie)
    t.equal(late.status, 409)
    t.match(late.html, 'role="alert" tabindex="-1" autofocus>This was already approved, so nothing more was done.')
  }
})

t.test('given a proposal, when it is rejected, then nothing is carried out', async (t) => {
  const { get, post, signIn, propose, order, statusOf } = await site()
  const id = await order()
  const [first, second] = [
    await propose('cancel_order', { order_id: id }),
    await propose('hold_order', { order_id: id }),
  ]
  const { cookie, form } = await signIn('client_admin')
  const before = await statusOf(id)
  const long = await post(`${home}/${first}/reject`, { form, reason: 'x'.repeat(501) }, cookie)
  t.same([long.status, /Nothing was done\./.test(long.html)], [409, true])
  const { headers } = await post(`${home}/${first}/reject`, { form, reason: `${'x\r\n'.repeat(250)}` }, cookie)
  t.equal(headers.get('location'), `${home}/${first}?done=yes`, 'a line break counts once, as in the form')
  t.match((await get(`${home}/${first}?done=yes`, cookie)).html, 'Rejected: nothing was done.')
  await post(`${home}/${second}/reject`, { form, reason: '  ' }, cookie)
  t.equal(await statusOf(id), before)
  t.match((await get(home, cookie)).html, 'No proposal waits for a decision.')
})

t.test(
  'given a proposal that is no longer possible, when it is approved, then the page says why and it keeps waiting',
  async (t) => {
    const { get, post, signIn, propose, order, send, tokens } = await site()
    const id = await order()
    const proposal = await propose('hold_order', { order_id: id })
    await send('POST', `/api/v1/orders/${id}/hold`, { token: tokens.client_admin, body: {} })
    const { cookie, form } = await signIn('client_admin')
    const approve = (headers: Record<string, string>, query = '') =>
      post(`${home}/${proposal}/approve${query}`, { form }, cookie, headers)
    t.match((await get(`${home}/${proposal}`, cookie)).html, 'It could not be carried out now')
    const { status, html } = await approve({})
    t.equal(status, 409)
    t.match(html, /role="alert"[^>]*>Nothing was done\. hold_order is not possible/)
    t.match(html, '/approve"', 'it still waits')
    const french = await get(`${home}/${proposal}`, cookie, { 'accept-language': 'fr' })
    t.match(french.html, /L’exécution serait impossible maintenant<\/h2>\s*<p>hold_order est impossible tant que/)
    const refused = (await approve({ 'accept-language': 'fr' })).html
    t.match(refused, /role="alert"[^>]*>Rien n’a été fait\. hold_order est impossible/, 'in the language of the page')
    const chosen = (await approve({ 'accept-language': 'fr' }, '?lang=de')).html
    t.match(chosen, /role="alert"[^>]*>Es wurde nichts getan\. hold_order ist nicht möglich/, 'which the reader chose')
    const arabic = (await approve({ 'accept-language': 'ar' })).html
    t.match(arabic, /role="alert"[^>]*>لم يُنفَّذ شيء\. لا يمكن تنفيذ hold_order/, 'from right to left, too')
  },
)

t.test(
  'given a tool that records that it was too late, when it is approved, then the page does not claim success',
  async (t) => {
    const operations = [...domains.flatMap((domain) => domain.operations), tooLate]
    const { get, post, signIn, propose } = await site({ operations })
    const proposal = await propose('too_late', {})
    const { cookie, form } = await signIn('client_admin')
    const { status, headers } = await post(`${home}/${proposal}/approve`, { form }, cookie)
    t.same([status, headers.get('location')], [303, `${home}/${proposal}?done=no`])
    t.match(
      (await get(`${home}/${proposal}?done=no`, cookie)).html,
      'role="alert" tabindex="-1" autofocus>Approved, but',
    )
  },
)

t.test('given a form of another session or site, when it is submitted, then nothing is done', async (t) => {
  const { get, post, signIn, propose, order } = await site()
  const proposal = await propose('cancel_order', { order_id: await order() })
  const { cookie, form } = await signIn('client_admin')
  const other = await signIn('client_admin')
  const approve = `${home}/${proposal}/approve`
  const foreign: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:81' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'nonsense' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    t.equal((await post(approve, { form }, cookie, headers)).status, 403, JSON.stringify(headers))
    t.equal((await post(`${home}/sign-in`, {}, '', headers)).status, 403, 'nor does it sign anybody in')
  }
  for (const wrong of [{}, { form: '' }, { form: 'x' }, { form: other.form }])
    t.equal((await post(approve, wrong as Record<string, string>, cookie)).status, 403, JSON.stringify(wrong))
  t.equal((await post(`${home}/sign-out`, { form: 'x' }, cookie)).status, 403)
  t.equal((await post(approve, { form: 'x'.repeat(9000) }, cookie)).status, 413)
  t.equal((await get(`${home}/${proposal}`, cookie)).status, 200)
  t.match((await get(home, cookie)).html, '1 waiting', 'it waits as before')
  const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
  t.equal((await post(approve, { form }, cookie, own)).status, 303)
})

t.test('given a server behind https, when a form comes from its http address, then it is refused', async (t) => {
  const { enter, post } = await site({ hsts: true })
  t.equal((await enter('client_admin@one.example', passwordOf('client_admin'))).status, 303)
  const fields = { email: 'client_admin@one.example', password: passwordOf('client_admin') }
  t.equal((await post(`${home}/sign-in`, fields, '', { origin: 'http://localhost' })).status, 403)
  t.equal((await post(`${home}/sign-in`, fields, '', { origin: 'https://localhost' })).status, 303)
})

t.test('given a body that is not a form, when it is submitted, then it is refused', async (t) => {
  const { app } = await site()
  for (const type of ['application/json', 'multipart/form-data; boundary=x', '']) {
    const response = await app.request(`${home}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{}',
    })
    t.equal(response.status, 415, type)
  }
})

t.test(
  'given a session that has ended, when a form is submitted, then the page asks to sign in again, and nothing is done',
  async (t) => {
    const { get, post, signIn, propose, order, clock } = await site()
    const proposal = await propose('cancel_order', { order_id: await order() })
    const { cookie, form } = await signIn('client_admin')
    clock.now += 12 * hour
    const { status, html } = await post(`${home}/${proposal}/approve`, { form }, cookie)
    t.equal(status, 401)
    t.match(html, 'Your session has ended, so nothing was done. Sign in again.')
    t.match(html, `<input type="hidden" name="to" value="${proposal}">`)
    const again = await signIn('client_admin')
    t.match((await get(home, again.cookie)).html, '1 waiting')
  },
)

t.test('given a visitor who has signed out, when the cookie is used again, then it is no longer valid', async (t) => {
  const { get, post, signIn, send } = await site()
  const { cookie, form, token } = await signIn('client_admin')
  const { status, headers } = await post(`${home}/sign-out`, { form }, cookie)
  t.same([status, headers.get('location')], [303, `${home}?out`])
  t.equal(headers.get('set-cookie'), 'otep_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
  t.match((await get(`${home}?out`)).html, 'You have signed out.')
  t.match((await get(home, cookie)).html, 'name="password"')
  t.equal((await send('GET', '/api/v1/approvals', { token })).status, 401, 'the token is over too')
})

t.test(
  'given accounts that may not decide, when they open the list, then they see their own proposals, and no buttons',
  async (t) => {
    const { get, post, signIn, propose, order, tokens, ids } = await site()
    const id = await order({ customer_id: ids.customer })
    const own = await propose('cancel_order', { order_id: id }, {}, tokens.customer)
    const others = await propose('hold_order', { order_id: id })
    const { cookie, form } = await signIn('customer')
    const list = await get(home, cookie)
    t.match(list.html, `href="${home}/${own}"`)
    t.notMatch(list.html, `href="${home}/${others}"`)
    t.notMatch(list.html, 'Mine only', 'there is no filter')
    const { status, html } = await get(`${home}/${own}`, cookie)
    t.equal(status, 200)
    t.notMatch(html, /\/(approve|reject)"/)
    t.match(html, 'somebody else has to decide')
    for (const verb of ['approve', 'reject'])
      t.equal((await post(`${home}/${own}/${verb}`, { form }, cookie)).status, 403, 'a direct request is refused')
    const driver = await signIn('driver')
    for (const path of [home, `${home}/${own}`]) {
      const page = await get(path, driver.cookie)
      t.equal(page.status, 403)
      t.match(page.html, 'This account cannot see proposals')
      t.match(page.html, 'Sign out')
    }
  },
)

t.test('given a proposal of another business, when it is opened or decided, then it is not found', async (t) => {
  const { get, post, signIn, propose, order } = await site()
  const proposal = await propose('cancel_order', { order_id: await order() })
  const stranger = await signIn('client_admin', 'two')
  const customer = await signIn('customer')
  for (const { cookie, form } of [stranger, customer]) {
    for (const path of [`${home}/${proposal}`, `${home}/99`, `${home}/nonsense`, `${home}/0`, `${home}/1e9`]) {
      const { status, html } = await get(path, cookie)
      t.equal(status, 404, path)
      t.match(html, 'Proposal not found')
    }
    for (const verb of ['approve', 'reject'])
      t.equal((await post(`${home}/${proposal}/${verb}`, { form }, cookie)).status, 404)
  }
  const { cookie } = await signIn('client_admin')
  t.match((await get(home, cookie)).html, '1 waiting')
})

t.test('given an expired proposal, when it is opened or approved, then the page says so', async (t) => {
  const { get, post, signIn, propose, order, clock } = await site()
  const proposal = await propose('cancel_order', { order_id: await order() }, { expires_in_hours: 1 })
  const { cookie, form } = await signIn('client_admin')
  clock.now += hour - 1
  t.match((await get(`${home}/${proposal}`, cookie)).html, 'in less than a minute')
  clock.now += 1
  const { html } = await get(`${home}/${proposal}`, cookie)
  t.match(html, '<span class="badge expired">Expired</span>')
  t.notMatch(html, '/approve"')
  t.match((await get(home, cookie)).html, 'No proposal waits for a decision.')
  const late = await post(`${home}/${proposal}/approve`, { form }, cookie)
  t.same([late.status, /This proposal has expired/.test(late.html)], [409, true])
})

t.test(
  'given a link on another site, when it is followed, then the page redirects once, so that the cookie is sent',
  async (t) => {
    const { get, signIn } = await site()
    const cross = { 'sec-fetch-site': 'cross-site' }
    const { status, headers, html } = await get(`${home}/7`, '', cross)
    t.same([status, headers.get('refresh')], [200, `0; url=${home}/7?arrived=1`])
    t.match(html, `<a href="${home}/7?arrived=1">`)
    t.match((await get(`${home}/7?arrived=1`, '', cross)).html, 'name="password"', 'and not again and again')
    const { cookie } = await signIn('client_admin')
    t.equal((await get(home, cookie, cross)).headers.get('refresh'), null)
  },
)

t.test(
  'given other methods, or the address of a form opened as a page, when they are requested, then there is a sensible response',
  async (t) => {
    const { get, app } = await site()
    t.equal((await get(`${home}/sign-in`)).headers.get('location'), home)
    t.equal((await get(`${home}/7/approve`)).headers.get('location'), `${home}/7`)
    for (const [path, allow] of [
      [home, 'GET, HEAD'],
      [`${home}/7`, 'GET, HEAD, POST'],
    ] as const) {
      const { status, headers } = await app.request(path, { method: 'DELETE' })
      t.same([status, headers.get('allow')], [405, allow])
    }
  },
)

t.test(
  'given proposals, when they are read and decided in each language, then every page is in it, and links and forms keep it',
  async (t) => {
    const { get, post, signIn, propose, order } = await site()
    const id = await order()
    const { cookie, form } = await signIn('client_admin')
    for (let number = 0; number < 21; number++) await propose('update_order_note', { order_id: id, note: 'x' })
    for (const language of languagesWith('page.approvals')) {
      const chosen = `lang=${language}`
      const [hold, note] = [
        await propose('hold_order', { order_id: id }, { reason: 'Because.' }),
        await propose('update_order_note', { order_id: id, note: language }),
      ]
      const paths = ['', '?mine=1', '?page=2', `/${hold}`, `/${note}`, '/999']
      const pages = await Promise.all(
        paths.map((path) => get(`${home}${path}${path.includes('?') ? '&' : '?'}${chosen}`, cookie)),
      )
      pages.push(await get(`${home}/${hold}?${chosen}`), await post(`${home}/${note}/approve?${chosen}`, {}, cookie))
      const person = { email: 'client_admin@one.example', password: passwordOf('client_admin'), to: String(hold) }
      const entered = await post(`${home}/sign-in?${chosen}`, person)
      t.equal(entered.headers.get('location'), `${home}/${hold}?${chosen}`, 'signing in keeps it')
      const done = await post(`${home}/${note}/approve?${chosen}`, { form }, cookie)
      t.equal(done.headers.get('location'), `${home}/${note}?done=yes&${chosen}`)
      pages.push(await get(done.headers.get('location') ?? '', cookie))
      await post(`${home}/${hold}/reject?${chosen}`, { form }, cookie)
      pages.push(await post(`${home}/${hold}/approve?${chosen}`, { form }, cookie))
      for (const { html } of pages) {
        t.match(html, `<html lang="${language}"`)
        if (language !== 'en') untold(t, html, approvalTexts(language), approvalTexts('en'), language)
        for (const [, address = ''] of html.matchAll(/(?:href|action)="(\/(?!assets)[^"]+)"/g))
          if (address !== '/') t.match(address, chosen, `${address} keeps the language`)
      }
      t.match(pages[1]?.html, 'href="?mine=1&amp;page=1&amp;lang=de" lang="de"', 'the switch keeps the query')
      t.match(pages[2]?.html, 'href="?page=2&amp;lang=de" lang="de"')
    }
  },
)

t.test(
  'given a proposal to buy a label, when it is approved on its page, then the carrier is asked at once',
  async (t) => {
    const { propose, post, signIn, send, tokens } = await site()
    const ask = async (method: string, path: string, body?: object) =>
      (await send(method, `/api/v1/${path}`, { token: tokens.client_admin, ...(body && { body }) })).body
    await ask('POST', 'carrier-accounts', { carrier: 'sandbox', credentials: { account: 'acme' } })
    const party = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' }
    const id = await propose('quote_and_ship', { from: party, to: party, parcels: [{ weight_grams: 800 }] })
    const { cookie, form } = await signIn('client_admin')
    t.equal((await post(`${home}/${id}/approve`, { form }, cookie)).status, 303)
    t.match(await ask('GET', 'labelservice/labels'), { labels: [{ status: 'LABEL_PURCHASED' }] })
  },
)

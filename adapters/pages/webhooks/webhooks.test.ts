import t, { type Test } from 'tap'
import * as v from 'valibot'
import { addProvider, call, domains, en, forgetOrder } from '../../../engine/index.ts'
import { passwordOf } from '../../auth/world.test.fixture.ts'
import { type JsonSchema, jsonSchemaOf, propertiesOf } from '../../http/schema.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { createPark } from '../../webhooks/fan-out/park.ts'
import { type Fields, type Session, site as siteOf } from '../signed-in/site.test.fixture.ts'
import { untold } from '../texts.test.fixture.ts'
import { receiver, running, until } from './receiver.test.fixture.ts'
import { webhookTexts } from './texts/index.ts'

const home = '/webhooks'
const log = `${home}/deliveries`

/** A test harness with pages, whose receivers may be on this machine. */
async function site() {
  const made = await siteOf(home, { webhooks: { allow: ['127.0.0.0/8'] } })
  const { get, post } = made
  /** Submits a form as a visitor, and follows the redirect. */
  const submit = async (path: string, fields: Fields, { cookie, form }: Session) => {
    const sent = await post(path, { form, ...fields }, cookie)
    const to = sent.headers.get('location')
    return to === null ? sent : { ...(await get(to, cookie)), to }
  }
  const provider = async (name: string) => {
    const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
    const context = { ...made.parts, caller, messages: en, requestId: 't' }
    await call(addProvider, context, { name, business_id: made.business })
  }
  return { ...made, submit, provider }
}

/** The settings form with one URL in one field. */
function withUrl(field: string, url: string, more: Fields = {}): Fields {
  return { [`${field}.0.url`]: url, driver_location_min_interval_sec: '60', ...more }
}

/** The id of the newest delivery in the log. */
async function newest({ get }: Pick<Awaited<ReturnType<typeof site>>, 'get'>, cookie: string, query = '') {
  const { html } = await get(`${log}${query}`, cookie)
  return /href="\/webhooks\/deliveries\/([\w-]+)">/.exec(html)?.[1] ?? ''
}

t.test('given a visitor without a session, when a page is requested, then the sign-in form is shown', async (t) => {
  const { get, post, enter } = await site()
  for (const path of [home, log, `${log}/d-1`, `${home}/providers`, `${home}/customers/12`, `${home}/nonsense`]) {
    const { status, headers, html } = await get(path)
    t.equal(status, 200, path)
    t.match(html, '<form method="post" action="/webhooks/sign-in">')
    t.equal(headers.get('cache-control'), 'no-store')
    t.notMatch(html, /<style|\sstyle=|<script|\son[a-z]+=/, 'nothing inline')
  }
  t.match(
    (await get(`${log}/d-1`)).html,
    '<input type="hidden" name="to" value="deliveries/d-1">',
    'the form returns to the requested page',
  )
  t.equal((await post(`${home}/settings`, {})).status, 401)
  const password = passwordOf('client_admin')
  const { headers } = await enter('client_admin@one.example', password, { to: 'deliveries/d-1' })
  t.equal(headers.get('location'), `${log}/d-1`)
  for (const to of ['//evil.example', '../x', 'deliveries/../x', 'nonsense'])
    t.equal((await enter('client_admin@one.example', password, { to })).headers.get('location'), home, to)
})

t.test(
  'given one sign-in, when another area is visited, then the session is valid there, and links lead there',
  async (t) => {
    const { get, signIn } = await site()
    const { cookie, token } = await signIn('client_admin')
    for (const path of [home, log, '/mcp-approvals']) {
      const { status, html } = await get(path, cookie)
      t.equal(status, 200)
      for (const to of ['/mcp-approvals', home, log])
        t.match(html, `<li><a href="${to}"${to === path ? ' aria-current="page"' : ''}>`, `${path} leads to ${to}`)
      t.notMatch(html, token)
    }
    const driver = await signIn('driver')
    const { status, html } = await get(home, driver.cookie)
    t.equal(status, 403)
    t.notMatch(html, `<li><a href="${home}"`, 'there are no links to pages that this account may not see')
  },
)

t.test(
  'given accounts of each kind, when they open the settings, then they see their own, and may change them or not',
  async (t) => {
    const { get, post, signIn } = await site()
    const admin = await get(home, (await signIn('client_admin')).cookie)
    t.equal([...admin.html.matchAll(/<section class="field-row"/g)].length, 12)
    t.match(admin.html, 'Each order that is deleted for good.')
    t.match(admin.html, 'There is none yet. It is created with the first URL.')
    for (const tab of ['customers', 'providers']) t.match(admin.html, `href="${home}/${tab}"`)
    const { cookie, form } = await signIn('client_employee')
    const employee = await get(home, cookie)
    t.equal(employee.status, 200)
    t.notMatch(employee.html, `action="${home}/settings"`)
    t.notMatch(employee.html, `href="${home}/providers"`)
    t.equal([...employee.html.matchAll(/No URL\./g)].length, 12)
    const url = withUrl('order_deleted_webhook_url', 'http://127.0.0.1/a')
    for (const [path, fields] of [
      ['settings', url],
      ['test', { field: 'order_deleted_webhook_url' }],
      ['secret/reveal', {}],
      ['secret/rotate', {}],
      ['secret/expire', {}],
    ] as const)
      t.equal(
        (await post(`${home}/${path}`, { form, ...fields }, cookie)).status,
        403,
        `${path}: a direct request is refused`,
      )
    const customer = await get(home, (await signIn('customer')).cookie)
    t.equal(customer.status, 200)
    t.notMatch(customer.html, 'route_board_webhook_url')
    t.match(customer.html, 'name="business_copy"')
    t.notMatch(customer.html, `href="${home}/customers"`)
    t.match(customer.html, '<h1>Webhooks</h1>')
  },
)

t.test('given the settings form, when it is submitted, then all of it is saved and shown unchanged', async (t) => {
  const { get, submit, signIn, send, tokens } = await site()
  const admin = await signIn('client_admin')
  const field = 'order_lifecycle_webhook_url'
  const { to, html } = (await submit(
    `${home}/settings`,
    {
      ...withUrl(field, ' http://127.0.0.1/a?b=1&c=<2> '),
      [`${field}.1.url`]: 'http://127.0.0.2/',
      [`${field}.1.format`]: 'ce_structured',
      [`${field}.1.standard_signature`]: '1',
      [`${field}.1.in_order`]: '1',
      [`${field}.1.ed25519`]: '1',
      [`${field}.1.where`]: ' type in (D) ',
      order_lifecycle_events: ['order.assigned', 'order.completed'],
      driver_location_min_interval_sec: '90',
    },
    admin,
  )) as { to: string; html: string }
  t.match(to, /^\/webhooks\?said=saved&seal=\w+$/)
  t.match(html, 'role="status" tabindex="-1" autofocus>Saved.')
  t.match(html, 'value="http://127.0.0.1/a?b=1&amp;c=&lt;2&gt;"')
  t.match(html, /name="order_lifecycle_webhook_url\.2\.url"/, 'there is room for one more')
  t.match(html, /<option value="ce_structured" selected>/)
  t.match(html, /value="order.assigned" checked>/)
  t.notMatch(html, /value="order.accepted" checked>/)
  const { settings, public_keys } = (await send('GET', '/api/v1/webhook-settings', { token: tokens.client_admin })).body
  t.match(public_keys, [/^whpk_[\w+/]{43}=$/])
  t.ok(html.includes(`<code>${public_keys[0]}</code>`), 'the public key is shown')
  t.match(settings, {
    order_lifecycle_webhook_url: 'http://127.0.0.1/a?b=1&c=<2>,http://127.0.0.2/',
    order_lifecycle_events: 'order.assigned,order.completed',
    driver_location_min_interval_sec: 90,
    url_formats: [
      {
        field,
        url: 'http://127.0.0.2/',
        format: 'ce_structured',
        standard_signature: true,
        in_order: true,
        ed25519: true,
        where: 'type in (D)',
      },
    ],
  })
  t.match(html, settings.webhook_sign_secret, 'the secret is masked')
  const again = await get(`${home}?said=saved&seal=00`, admin.cookie)
  t.notMatch(again.html, 'role="status"', 'an address without a valid seal shows no message')
  const cleared = await submit(`${home}/settings`, { driver_location_min_interval_sec: '90' }, admin)
  t.notMatch(cleared.html, '127.0.0.2')
  t.notMatch(cleared.html, /value="order.assigned" checked>/)
})

t.test(
  'given invalid entries, when the form is submitted, then each error is shown at its field, and no entry is lost',
  async (t) => {
    const { submit, get, signIn } = await site()
    const admin = await signIn('client_admin')
    const { status, html } = await submit(
      `${home}/settings`,
      {
        ...withUrl('order_deleted_webhook_url', 'nonsense"><script>'),
        'tracking_event_webhook_url.0.url': 'http://10.0.0.1/',
        'pod_files_webhook_url.0.url': 'http://127.0.0.1/kept',
        'pod_files_webhook_url.1.url': 'second',
        driver_location_min_interval_sec: 'often',
        order_lifecycle_events: 'order.nonsense',
      },
      admin,
    )
    t.equal(status, 422)
    t.match(html, /role="alert"[^>]*>Nothing was saved\. Check 4 entries\./)
    t.match(
      html,
      /value="nonsense&quot;&gt;&lt;script&gt;"[^>]*aria-invalid="true" aria-describedby="order_deleted_webhook_url-wrong"/,
    )
    for (const id of ['order_deleted_webhook_url', 'driver_location_min_interval_sec', 'order_lifecycle_events'])
      t.match(html, `<p class="wrong" id="${id}-wrong">`, id)
    for (const [field, title] of [
      ['order_deleted_webhook_url', 'Order deleted'],
      ['order_lifecycle_webhook_url', 'Order life cycle'],
      ['driver_location_webhook_url', 'Driver positions'],
    ] as const)
      t.match(html, `<a href="#${field}">${title}</a>`, 'a link leads to each invalid field')
    t.match(html, 'Enter a whole number from 1 to 86400.')
    t.match(html, 'value="http://127.0.0.1/kept"')
    t.match(html, 'value="often"')
    const refused = await submit(`${home}/settings`, withUrl('tracking_event_webhook_url', 'http://10.0.0.1/'), admin)
    t.equal(refused.status, 422)
    t.match(refused.html, 'id="tracking_event_webhook_url-wrong">This URL must begin with https://.</p>')
    const known = ['https://a:b@127.0.0.1/', 'https://127.0.0.1/#a', 'https://127.0.0.1:22/', 'https://10.0.0.1/']
    for (const url of known)
      t.match(
        (await submit(`${home}/settings`, withUrl('tracking_event_webhook_url', url), admin)).html,
        /-wrong">This (?:URL|is) (?:\S+ ){2,}\S+\.</,
        `${url}: the reason is shown`,
      )
    t.notMatch((await get(home, admin.cookie)).html, '127.0.0.1/kept')
  },
)

t.test(
  'given the operations behind the forms, when a form is drawn, then each member of a URL is in it, with the limits of the schema',
  async (t) => {
    const { get, signIn } = await site()
    const { cookie } = await signIn('client_admin')
    const inputOf = (name: string) => {
      const found = domains.flatMap(({ operations = [] }) => operations).find((one) => one.name === name)
      return propertiesOf(jsonSchemaOf(found?.input ?? v.never()))
    }
    const { url_formats } = inputOf('update_webhook_settings')
    const { field: _, ...members } = propertiesOf(url_formats?.items as JsonSchema)
    const { html } = await get(home, cookie)
    const elementOf = (name: string) => new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? ''
    for (const [name, { maxLength }] of Object.entries(members)) {
      const element = elementOf(`order_create_webhook_url.0.${name}`)
      t.not(element, '', name)
      if (maxLength !== undefined) t.match(element, ` maxlength="${maxLength}"`)
    }
    const partners = (await get(`${home}/partners`, cookie)).html
    const { headers: __, ...subscription } = inputOf('create_partner_subscription')
    for (const [name, { maxLength }] of Object.entries(subscription)) {
      const element = new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`).exec(partners)?.[0] ?? ''
      t.not(element, '', name)
      if (maxLength !== undefined) t.match(element, ` maxlength="${maxLength}"`)
    }
  },
)

t.test('given a form of another session or site, when it is submitted, then nothing is done', async (t) => {
  const { post, get, signIn } = await site()
  const { cookie, form } = await signIn('client_admin')
  const other = await signIn('client_admin')
  const fields = withUrl('order_deleted_webhook_url', 'http://127.0.0.1/a')
  const paths = [
    'settings',
    'test',
    'secret/reveal',
    'secret/rotate',
    'customers/1/settings',
    'providers/add',
    'providers/provider_locker/acme/delete',
    'deliveries/replay',
    'deliveries/d-1/redeliver',
    'deliveries/d-1/retry',
    'sign-out',
  ]
  for (const path of paths) {
    for (const wrong of [{}, { form: 'x' }, { form: other.form }] as Fields[])
      t.equal((await post(`${home}/${path}`, { ...fields, ...wrong }, cookie)).status, 403, path)
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<
      string,
      string
    >[])
      t.equal((await post(`${home}/${path}`, { ...fields, form }, cookie, headers)).status, 403, path)
  }
  t.equal((await post(`${home}/settings`, { form, x: 'x'.repeat(300_000) }, cookie)).status, 413)
  t.notMatch((await get(home, cookie)).html, '127.0.0.1')
})

t.test('given a secret, when it is revealed, rotated and expired, then the page shows it', async (t) => {
  const { submit, get, signIn } = await site()
  const admin = await signIn('client_admin')
  t.equal((await submit(`${home}/secret/reveal`, {}, admin)).status, 409, 'there is none yet')
  await submit(`${home}/settings`, withUrl('order_deleted_webhook_url', 'http://127.0.0.1/a'), admin)
  const first = await submit(`${home}/secret/reveal`, {}, admin)
  t.match(
    first.html,
    /copy this value, not the secret you typed<\/p>\s*<div class="command"><pre dir="ltr"><code>whsec_[\w+/=]{44}</,
  )
  t.notMatch((await get(home, admin.cookie)).html, 'whsec_', 'this once')
  const short = await submit(`${home}/secret/rotate`, { secret: 'short' }, admin)
  t.equal(short.status, 422)
  t.match(short.html, 'id="own-settings-wrong">A signing secret must have at least 16 characters.')
  t.notMatch(short.html, 'value="short"')
  const rotated = await submit(`${home}/secret/rotate`, { secret: 'a secret <of my own>' }, admin)
  t.match(rotated.html, 'Requests are now signed with a new secret.')
  t.match(rotated.html, 'Replaced keys still sign until')
  t.match(rotated.html, '<time datetime="2026-06-11T06:00:00-04:00">', 'in the time zone of the business')
  const shown = await submit(`${home}/secret/reveal`, {}, admin)
  t.match(shown.html, `<code>whsec_${Buffer.from('a secret <of my own>').toString('base64')}</code>`)
  t.match(shown.html, '<code>a secret &lt;of my own&gt;</code>')
  const expired = await submit(`${home}/secret/expire`, {}, admin)
  t.match(expired.html, 'Replaced keys are no longer used.')
  t.notMatch(expired.html, 'Replaced keys still sign until')
  const drawn = await submit(`${home}/secret/rotate`, { secret: '' }, admin)
  t.match(drawn.html, 'Requests are now signed with a new secret.', 'an empty secret is replaced by a random one')
})

t.test(
  'given a receiver, when a test is sent to it, then the result is shown at the field and in the log',
  async (t) => {
    const { submit, get, signIn } = await site()
    const { url, says, got } = await receiver(t)
    const admin = await signIn('client_admin')
    const field = 'order_lifecycle_webhook_url'
    t.match((await submit(`${home}/test`, { field }, admin)).html, 'This URL is not set in this field.')
    await submit(`${home}/settings`, withUrl(field, `${url}?secret=1`), admin)
    t.match((await get(home, admin.cookie)).html, `form="test-${field}" aria-label="Send test: Order life cycle"`)
    const good = await submit(`${home}/test`, { field, event: 'order.completed' }, admin)
    t.match(good.html, /role="status"[^>]*>The test was delivered: status 200 after \d+ ms\./)
    t.match(good.html, '<pre class="verbatim" dir="ltr"><bdi>thanks</bdi></pre>')
    t.match(got[0], '"order.completed"')
    says.status = 500
    says.body = Buffer.from([...Buffer.from('<script>alert(1)</script>\u001b[31m\u0000'), 0xff, 0xfe])
    const bad = await submit(`${home}/test`, { field }, admin)
    t.match(bad.html, /role="alert"[^>]*>The test was not delivered: Status 500, after \d+ ms\./)
    t.match(bad.html, '&lt;script&gt;alert(1)&lt;/script&gt;\uFFFD[31m\uFFFD')
    t.notMatch(bad.html, /<script|[\u0000\u001b]/)
    const { html } = await get(log, admin.cookie)
    t.match(html, '2 deliveries')
    t.match(html, 'Test</span>')
    t.notMatch(html, 'secret=1', 'the log has URLs without their query')
  },
)

t.test(
  'given customers, when staff open the list, then those with their own webhooks are marked, and can be configured',
  async (t) => {
    const { submit, get, post, signIn, ids, other } = await site()
    const admin = await signIn('client_admin')
    const list = `${home}/customers`
    t.match((await get(list, admin.cookie)).html, 'Uses the URLs of the business')
    const own = `${list}/${ids.customer}`
    t.match((await get(own, admin.cookie)).html, '<h1>Webhooks of customer of one</h1>')
    const saved = await submit(
      `${own}/settings`,
      withUrl('order_create_webhook_url', 'http://127.0.0.1/c', { business_copy: '1' }),
      admin,
    )
    t.match(saved.html, 'name="business_copy" value="1" checked>')
    t.match((await get(list, admin.cookie)).html, '1 own URL')
    t.match((await get(home, (await signIn('customer')).cookie)).html, 'value="http://127.0.0.1/c"')
    t.notMatch((await get(home, admin.cookie)).html, '127.0.0.1/c')
    const employee = await signIn('client_employee')
    t.match((await get(own, employee.cookie)).html, 'http://127.0.0.1/c')
    const customer = await signIn('customer')
    t.equal((await get(list, customer.cookie)).status, 403)
    for (const id of [other.ids.customer, ids.client_employee, 999, 'nonsense', '0'])
      t.equal((await get(`${list}/${id}`, admin.cookie)).status, 404, `${id}`)
    for (const path of ['settings', 'test', 'secret/reveal', 'secret/rotate', 'secret/expire'])
      t.equal(
        (
          await post(
            `${list}/${other.ids.customer}/${path}`,
            {
              form: admin.form,
              field: 'order_create_webhook_url',
              ...withUrl('order_create_webhook_url', 'http://127.0.0.1/x'),
            },
            admin.cookie,
          )
        ).status,
        404,
        path,
      )
    t.equal((await get(`${list}/${ids.client_employee}`, customer.cookie)).status, 404)
  },
)

t.test('given a provider, when its endpoint is added, set, tested and deleted, then the page shows each', async (t) => {
  const { submit, get, post, signIn, provider } = await site()
  const { url } = await receiver(t)
  await provider('acme')
  const admin = await signIn('client_admin')
  const list = `${home}/providers`
  const added = { provider: 'acme', channel: 'provider_locker', url }
  t.match((await get(list, admin.cookie)).html, 'No provider has an endpoint yet.')
  t.equal((await submit(`${list}/add`, { ...added, provider: 'nobody' }, admin)).status, 409)
  const wrong = await submit(`${list}/add`, { ...added, url: 'http://10.0.0.1/' }, admin)
  t.same([wrong.status, /id="add-url-wrong">This URL /.test(wrong.html)], [422, true])
  const { to } = (await submit(`${list}/add`, added, admin)) as { to: string }
  t.match(to, /^\/webhooks\/providers\?said=saved\+provider_locker\.acme&seal=\w+$/)
  t.equal((await submit(`${list}/add`, added, admin)).status, 409, 'an existing endpoint is not overwritten')
  const at = `${list}/provider_locker/acme`
  const event = 'partner_locker.delivery.expired'
  const set = {
    url,
    sandbox_url: `${url}/sandbox`,
    events: [event],
    format: 'ce_binary',
    ed25519: '1',
    in_order: '1',
    where: 'locker_delivery.delivery_id in (1)',
  }
  const unknown = await submit(`${at}/save`, { ...set, where: 'elsewhere in (1)' }, admin)
  t.same([unknown.status, /id="provider_locker.acme-where"/.test(unknown.html)], [422, true])
  t.match(unknown.html, 'value="elsewhere in (1)"')
  const saved = await submit(`${at}/save`, set, admin)
  t.equal(saved.status, 200)
  t.match(saved.html, `value="${event}" checked>`)
  t.match(saved.html, `value="${url}/sandbox"`)
  t.match(saved.html, '<option value="ce_binary" selected>')
  t.match(saved.html, 'name="in_order" value="1" checked')
  t.match(saved.html, 'value="locker_delivery.delivery_id in (1)"')
  t.match(saved.html, 'name="standard_signature" value="1" checked', 'its headers hold the signatures of the key')
  t.match(saved.html, /<code>whpk_[\w+/]{43}=<\/code>/)
  t.notMatch(saved.html, /name="sandbox_enabled" value="1" checked/)
  const refused = await submit(`${at}/save`, { ...set, url: 'nonsense' }, admin)
  t.same([refused.status, /id="provider_locker.acme-url-wrong"/.test(refused.html)], [422, true])
  t.match(refused.html, 'value="nonsense"')
  t.match((await submit(`${at}/test`, { event }, admin)).html, 'The test was delivered: status 200')
  t.match((await submit(`${at}/secret/reveal`, {}, admin)).html, '<code>whsec_')
  t.match((await submit(`${at}/secret/rotate`, {}, admin)).html, 'Replaced keys still sign until')
  t.match((await submit(`${at}/secret/expire`, {}, admin)).html, 'Replaced keys are no longer used.')
  for (const who of ['client_employee', 'customer'] as const) {
    const { cookie, form } = await signIn(who)
    t.equal((await get(list, cookie)).status, 403, who)
    t.equal((await post(`${at}/delete`, { form }, cookie)).status, 403, who)
  }
  const stranger = await signIn('client_admin', 'two')
  t.notMatch((await get(list, stranger.cookie)).html, 'locker.acme')
  for (const verb of ['delete', 'test', 'secret/reveal', 'secret/rotate', 'secret/expire'])
    t.equal((await post(`${at}/${verb}`, { form: stranger.form }, stranger.cookie)).status, 404, verb)
  t.match((await submit(`${at}/delete`, {}, admin)).html, 'The endpoint was deleted.')
  t.match((await get(list, admin.cookie)).html, 'No provider has an endpoint yet.')
})

t.test('given a log, when it is filtered, then it shows the matches, in the time zone of the business', async (t) => {
  const { submit, get, signIn, clock } = await site()
  const { url, says } = await receiver(t)
  const admin = await signIn('client_admin')
  const field = 'order_lifecycle_webhook_url'
  await submit(`${home}/settings`, withUrl(field, url), admin)
  await submit(`${home}/test`, { field, event: 'order.assigned' }, admin)
  says.status = 503
  clock.now += 3_600_000
  await submit(`${home}/test`, { field, event: 'order.completed' }, admin)
  const events = async (query: string) => {
    const { html } = await get(`${log}?${query}`, admin.cookie)
    return [...html.matchAll(/<td><a href="\/webhooks\/deliveries\/[\w-]+">(.+?)<\/a>/g)].map(([, name = '']) =>
      name.replaceAll(/<[^>]+>/g, ''),
    )
  }
  t.same(await events(''), ['order.completed', 'order.assigned'], 'newest first')
  t.same(await events('event=order.assigned'), ['order.assigned'])
  t.same(await events('state=failed&state=dead'), ['order.completed'])
  t.same(
    await events('since=2026-06-10T06:30'),
    ['order.completed'],
    'half past six in Toronto is half past ten in UTC',
  )
  t.same(await events('until=2026-06-10T06:30'), ['order.assigned'])
  t.same(await events('channel=device_order'), [])
  t.same(await events('about=test/1'), ['order.completed', 'order.assigned'])
  t.same(await events('about=42'), [])
  t.same(await events('status=503'), ['order.completed'])
  t.same(await events('failure=timeout'), [])
  t.same(await events(`url=${encodeURIComponent(url)}`), ['order.completed', 'order.assigned'])
  t.same(await events('id=EVT-1'), [])
  const { html } = await get(log, admin.cookie)
  t.match(html, 'Newest first. Times are in America/Toronto.')
  t.match(html, '<time datetime="2026-06-10T07:00:00-04:00">')
  t.match(html, '<span class="badge failed">Failed</span>')
  t.match(html, 'Status 503')
  const wrong = await get(`${log}?since=<b>&about=<i>&state=lost`, admin.cookie)
  t.equal(wrong.status, 422)
  t.match(wrong.html, 'The filter is invalid. Correct it and search again.')
  t.match(wrong.html, 'id="since-wrong">Enter a date and a time.')
  t.match(wrong.html, 'id="about-wrong">Enter the id of an order, such as 42, or a subject, such as driver/7.')
  t.match(wrong.html, /id="state-wrong"/)
  t.match(wrong.html, 'value="&lt;i&gt;"')
  t.notMatch(wrong.html, /0 deliveries|Nothing was sent/, 'an invalid filter shows no results')
  t.match((await get(`${log}?customer=x`, admin.cookie)).html, 'id="customer-wrong">Enter the id of a customer')
  const unknown = await get(`${log}?customer=999&event=order.assigned`, admin.cookie)
  t.equal(unknown.status, 404)
  t.match(unknown.html, 'id="customer-wrong">Customer not found.')
  t.match(unknown.html, '<option value="order.assigned" selected>', 'the rest of the filter is kept')
  t.match((await get(`${log}?event=order.ready`, admin.cookie)).html, '<p class="none">No delivery matches.</p>')
  const customer = await signIn('customer')
  const first = await get(log, customer.cookie)
  t.match(first.html, '<p class="none">Nothing has been sent yet.', 'a customer sees only its own deliveries')
  t.match(first.html, `webhooks here: <a href="${home}">Webhook settings</a></p>`, 'and a link to the settings')
  t.equal((await get(log, (await signIn('driver')).cookie)).status, 403)
})

t.test('given a log, when a text is searched in bodies, then the page says how far it looked', async (t) => {
  const { submit, get, signIn, send, tokens } = await site()
  const { url } = await receiver(t)
  const admin = await signIn('client_admin')
  const field = 'order_lifecycle_webhook_url'
  await submit(`${home}/settings`, withUrl(field, url), admin)
  for (const event of ['order.assigned', 'order.completed']) await submit(`${home}/test`, { field, event }, admin)
  const found = await get(`${log}?text=ORDER.Assigned`, admin.cookie)
  t.match(found.html, 'value="ORDER.Assigned"')
  t.equal([...found.html.matchAll(/<td><a href="\/webhooks\/deliveries\/[\w-]+">/g)].length, 1)
  t.match(found.html, 'Looked through all deliveries up to the first one.')
  t.notMatch(found.html, 'data-live', 'it is not searched again by itself')
  const none = await get(`${log}?text=nowhere`, admin.cookie)
  t.match(none.html, /No delivery matches.*Looked through all/s)
  const csv = await get(`${log}/export/csv?text=order.assigned`, admin.cookie)
  t.equal(csv.html.trimEnd().split('\r\n').length, 2)
  const ask = async (query: string) =>
    (await send('GET', `/api/v1/webhook-deliveries?${query}`, { token: tokens.client_admin })).body
  const part = await ask('text=order.&per_page=1')
  t.match(part, { deliveries: [{ event: 'order.completed' }], searched: { deliveries: 1 }, next_cursor: /^\d+-\d+$/ })
  t.notOk('total' in part)
  const rest = await ask(`text=order.&per_page=1&cursor=${part.next_cursor}`)
  t.match(rest, { deliveries: [{ event: 'order.assigned' }], next_cursor: null })
  t.match(await ask('text=order.&page=2'), { errors: [{ path: 'page', code: 'webhook_search_page' }] })
  t.match(await ask('text='), { errors: [{ path: 'text' }] })
  const further = await get(`${log}?text=order.&cursor=9999999999999999-0`, admin.cookie)
  t.match(further.html, '<a href="/webhooks/deliveries?text=order.">Newest</a>')
  const customer = await signIn('customer')
  t.match(
    (await get(`${log}?text=order.`, customer.cookie)).html,
    'No delivery matches.',
    'nobody finds what others got',
  )
})

t.test('given many deliveries, when they are listed, then each page has twenty and keeps the filter', async (t) => {
  const { submit, get, signIn } = await site()
  const { url } = await receiver(t)
  const admin = await signIn('client_admin')
  const field = 'order_deleted_webhook_url'
  await submit(`${home}/settings`, withUrl(field, url), admin)
  for (let index = 0; index < 21; index++) await submit(`${home}/test`, { field }, admin)
  const first = await get(`${log}?event=order.deleted`, admin.cookie)
  const rowsOf = (html: string) => [...html.matchAll(/name="delivery" value="([\w-]+)"/g)].map(([, id = '']) => id)
  t.equal(rowsOf(first.html).length, 20)
  t.match(first.html, 'data-live')
  const [, older = ''] = /rel="next" href="([^"]+)"/.exec(first.html) ?? []
  const second = await get(older.replaceAll('&amp;', '&'), admin.cookie)
  t.equal(rowsOf(second.html).length, 1)
  t.notOk(rowsOf(first.html).includes(rowsOf(second.html)[0] ?? ''), 'nothing comes twice')
  t.notMatch(second.html, 'data-live')
  t.match(second.html, '<a href="/webhooks/deliveries?event=order.deleted">Newest</a>')
  const csv = await get(`${log}/export/csv?event=order.deleted`, admin.cookie)
  t.match(csv.headers.get('content-type'), 'text/csv')
  const lines = csv.html.trimEnd().split('\r\n')
  t.equal(lines.length, 22)
  t.match(lines[0], /^created_at,event,state,/)
  t.match(lines[1], /,order\.deleted,delivered,200,,1,test\/1,/)
  const phases =
    'last_failed_phase,last_queue_ms,last_dns_ms,last_connect_ms,last_tls_ms,last_wait_ms,last_read_ms,last_reused'
  t.ok(lines[0]?.endsWith(phases))
  t.ok(
    lines.some((line) => /,,\d*,,,,\d+,\d+,true$/.test(line)),
    'others have its connection',
  )
  t.match(lines[21], /,,\d*,,\d+,,\d+,\d+,false$/, 'the first one had to connect')
  const { html } = await get(`${log}/export/ndjson?event=order.deleted`, admin.cookie)
  t.match(JSON.parse(html.split('\n')[0] ?? ''), { last_phases: { dns_ms: null, wait_ms: Number, reused: Boolean } })
  t.same(
    html
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).delivery_id),
    [...rowsOf(first.html), ...rowsOf(second.html)],
  )
  const lost = await get(`${log}/export/csv?state=lost`, admin.cookie)
  t.equal(lost.headers.get('location'), `${log}?state=lost`, 'the log says what is wrong with a filter')
  const none = await submit(`${log}/redeliver?event=order.deleted`, {}, admin)
  t.equal(none.status, 422)
  t.match(none.html, 'Nothing was sent again. Choose at least one delivery.')
  const chosen = await submit(`${log}/redeliver?event=order.deleted`, { delivery: rowsOf(second.html) }, admin)
  t.match(chosen, { to: /&event=order.deleted$/ })
  t.match(chosen.html, 'There was nothing to send again', 'tests are not sent again')
})

t.test(
  'given a URL, when its page is opened, then it can be switched and limited, and its deliveries are there',
  async (t) => {
    const { submit, get, signIn } = await site()
    const { url } = await receiver(t)
    const admin = await signIn('client_admin')
    const field = 'order_deleted_webhook_url'
    await submit(`${home}/settings`, withUrl(field, url), admin)
    await submit(`${home}/test`, { field }, admin)
    const urls = `${home}/urls`
    const [, id = ''] = /href="\/webhooks\/urls\/([\w-]+)"/.exec((await get(urls, admin.cookie)).html) ?? []
    const page = `${urls}/${id}`
    const first = await get(page, admin.cookie)
    t.match(first.html, '<span class="badge good">On</span>')
    t.match(first.html, `href="${log}?endpoint=${id}"`)
    t.match(first.html, 'order<wbr>.deleted')
    t.equal([...first.html.matchAll(/<svg viewBox/g)].length, 2)
    const offPage = await submit(`${page}/off`, {}, admin)
    t.match(offPage.html, 'It is off. What is due waits.')
    t.match(offPage.html, '<span class="badge skipped">Off</span>')
    t.match((await submit(`${page}/on`, {}, admin)).html, 'It is on.')
    const wrong = await submit(`${page}/limits`, { in_flight: '65', per_second: 'x' }, admin)
    t.equal(wrong.status, 422)
    t.match(wrong.html, 'id="in_flight-wrong">Enter a whole number from 1 to 64, or nothing.')
    t.match(wrong.html, 'value="65"')
    await submit(`${page}/limits`, { in_flight: '2', per_second: '' }, admin)
    t.match(
      (await get(page, admin.cookie)).html,
      'id="in_flight" name="in_flight" type="text" inputmode="numeric" maxlength="2" class="short" value="2"',
    )
    const withHeader = await submit(`${page}/headers`, { name: 'X-Key', value: 'of the gateway' }, admin)
    t.match(withHeader.html, 'The headers are saved.')
    t.match(withHeader.html, 'name="name" type="text" maxlength="100" autocomplete="off" value="X-Key"')
    t.notMatch(withHeader.html, 'of the gateway')
    const reserved = await submit(`${page}/headers`, { name: ['X-Key', 'Host'], value: ['', 'a'] }, admin)
    t.match(reserved, { status: 422, html: 'This header cannot be set' })
    const kept = await submit(`${page}/headers`, { name: ['X-Key', ''], value: ['', ''] }, admin)
    t.match(kept.html, 'value="X-Key"')
    const none = await submit(`${page}/headers`, { name: '', value: '' }, admin)
    t.notMatch(none.html, 'value="X-Key"')
    const called = await submit(`${page}/name`, { name: ' ERP <b>of</b> Lyon ' }, admin)
    t.match(called.html, 'The name is saved.')
    const shown = `<strong><bdi>ERP &lt;b&gt;of&lt;/b&gt; Lyon</bdi></strong> `
    const [, delivery = ''] = /href="(\/webhooks\/deliveries\/[\w-]+)"/.exec(called.html) ?? []
    for (const place of [page, urls]) t.match((await get(place, admin.cookie)).html, shown, place)
    // The log may know the name that it had a second ago.
    const shows = (place: string) =>
      until(async () => (await get(place, admin.cookie)).html.includes(shown) || undefined)
    for (const place of [log, delivery]) t.ok(await shows(place), place)
    const long = await submit(`${page}/name`, { name: 'n'.repeat(61) }, admin)
    t.match(long, { status: 422, html: 'id="name-wrong"' })
    t.match(long.html, `value="${'n'.repeat(61)}"`)
    t.match((await submit(`${page}/name`, { name: '' }, admin)).html, /id="name" name="name"[^>]* value=""/)
    t.notMatch((await get(urls, admin.cookie)).html, 'ERP &lt;')
    const employee = await signIn('client_employee')
    t.notMatch((await get(page, employee.cookie)).html, 'Switch off')
    t.equal((await get(page, (await signIn('customer')).cookie)).status, 404)
  },
)

t.test(
  'given a queue in the place of a URL, when it is set in the form, then pages tell how far it was read, and no latency',
  async (t) => {
    const made = await site()
    const { submit, get, signIn, send, tokens } = made
    const { url } = await receiver(t)
    running(t, made)
    const admin = await signIn('client_admin')
    const field = 'order_create_webhook_url'
    const saved = await submit(`${home}/settings`, withUrl(field, 'pull:shop', { [`${field}.1.url`]: url }), admin)
    t.match(saved.html, 'value="pull:shop"')
    t.match(saved.html, `<input type="hidden" name="url" form="test-${field}" value="${url}">`, 'a queue is not tested')
    const token = tokens.client_admin
    const order = { type: 'D', items: 1, delivery: { name: 'Ana', address: { street: '1 Main St' } } }
    for (let count = 0; count < 2; count++)
      t.match(await send('POST', '/api/v1/orders', { token, body: order }), { status: 200 })
    const pull = (query: string) => send('GET', `/api/v1/webhooks/pull?queue=shop&${query}`, { token })
    const cursor = await until(async () => {
      const { body } = await pull('limit=1')
      return body.has_more ? String(body.cursor) : undefined
    })
    const list = await get(`${home}/urls`, admin.cookie)
    t.match(
      list.html,
      /pull:shop<\/bdi>.*<td class="wrap" colspan="4">2 events waiting.*Oldest of them since.*none yet<\/td>/s,
    )
    await pull(`cursor=${cursor}`)
    const [, id = ''] = /href="\/webhooks\/urls\/([\w-]+)"><bdi>pull:shop/.exec(list.html) ?? []
    const page = await get(`${home}/urls/${id}`, admin.cookie)
    t.match(page.html, /1 event waiting.*Last acknowledged cursor.*<code>(\w|-)+<\/code>/s)
    t.match(page.html, `<code>${cursor}</code>`)
    t.match(page.html, 'GET /api/v1/webhooks/pull?queue=shop')
    t.notMatch(page.html, /<svg viewBox|95 %|Switch off/)
    const wrong = await submit(`${home}/settings`, withUrl(field, 'pull:No Such'), admin)
    t.match(wrong, { status: 422, html: 'value="pull:No Such"' })
  },
)

t.test('given a hostile response, when the delivery is opened, then all of it is escaped', async (t) => {
  const { submit, get, signIn } = await site()
  const { url, says } = await receiver(t)
  const admin = await signIn('client_admin')
  const field = 'order_deleted_webhook_url'
  await submit(`${home}/settings`, withUrl(field, url), admin)
  says.status = 400
  says.body = Buffer.from([...Buffer.from('<script>alert(1)</script>\u001b[2J\u0000\u202Eevil'), 0xc3, 0x28])
  await submit(`${home}/test`, { field }, admin)
  const id = await newest({ get }, admin.cookie)
  const { status, html, headers } = await get(`${log}/${id}`, admin.cookie)
  t.equal(status, 200)
  t.match(html, '&lt;script&gt;alert(1)&lt;/script&gt;\uFFFD[2J\uFFFD\uFFFDevil\uFFFD(')
  t.notMatch(html, /<script|[\u0000\u001b\u202E]/)
  t.match(headers.get('content-security-policy'), "default-src 'none'")
  t.match(html, '&lt;b&gt;fine&lt;/b&gt;', 'headers too')
  t.match(html, '{\n  &quot;event&quot;: &quot;order.deleted&quot;', 'the body is set out')
  t.match(html, '<span class="badge failed">Status 400</span>')
  t.match(html, 'Attempt 1')
})

t.test(
  'given a delivery whose order was erased, when it is opened, then the page says so, and it cannot be sent again',
  async (t) => {
    const { submit, get, signIn, ...place } = await site()
    running(t, place)
    const { url } = await receiver(t)
    const admin = await signIn('client_admin')
    await submit(`${home}/settings`, withUrl('order_create_webhook_url', url), admin)
    const body = { type: 'D', items: 1, delivery: { name: 'A', address: { street: 'S 1' } } }
    const made = await place.send('POST', '/api/v1/orders', { token: place.tokens.client_admin, body })
    const page = () => newest({ get }, admin.cookie).then((id) => get(`${log}/${id}`, admin.cookie))
    const delivered = await until(async () => {
      const { html } = await page()
      return html.includes('<span class="badge delivered">Status 200') ? html : undefined
    })
    t.match(delivered, '/redeliver"')
    const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
    const { order_id } = made.body
    await call(forgetOrder, { ...place.parts, caller, messages: en, requestId: 't' }, { order_id })
    const erased = await until(async () => {
      const { html } = await page()
      return html.includes('The content was erased and cannot be sent again.') ? html : undefined
    })
    t.match(erased, 'Status 200', 'that it was sent stays')
    t.notMatch(erased, /\/redeliver"|\/retry"|<pre/)
  },
)

t.test('given no response, or a redirect, when the delivery is opened, then the page says so', async (t) => {
  const { submit, get, signIn } = await site()
  const { url, says } = await receiver(t)
  const admin = await signIn('client_admin')
  const field = 'order_deleted_webhook_url'
  await submit(`${home}/settings`, withUrl(field, url), admin)
  says.status = 302
  t.match((await submit(`${home}/test`, { field }, admin)).html, 'Status 302 · Redirects are not followed, after')
  const moved = await get(`${log}/${await newest({ get }, admin.cookie)}`, admin.cookie)
  t.match(moved.html, /\d+ ms · Redirects are not followed</)
  t.match(moved.html, 'Response body')
  says.status = 0
  const broken = await submit(`${home}/test`, { field }, admin)
  t.match(broken.html, 'The test was not delivered: Connection reset · Waiting for the answer, after')
  t.notMatch(broken.html, 'The answer', 'there was none that could be without a body')
  const { html } = await get(`${log}/${await newest({ get }, admin.cookie)}`, admin.cookie)
  t.match(html, '<span class="badge failed">Connection reset · Waiting for the answer</span>')
  t.match(html, /<span class="wait bad">Waiting for the answer \d+ ms<\/span> <\/p>/, 'nothing came after that')
  t.match((await get(log, admin.cookie)).html, 'Connection reset · Waiting for the answer')
  t.match(html, 'Request headers')
  t.notMatch(html, 'Response body')
})

t.test(
  'given a failed delivery, when it is redelivered, then there is a new one, and each links to the other',
  async (t) => {
    const { submit, get, post, signIn, ...place } = await site()
    running(t, place)
    const { url, says, got } = await receiver(t)
    const admin = await signIn('client_admin')
    const field = 'order_create_webhook_url'
    await submit(`${home}/settings`, withUrl(field, url), admin)
    says.status = 500
    const body = { type: 'D', items: 1, delivery: { name: 'A', address: { street: 'S 1' } } }
    await place.send('POST', '/api/v1/orders', { token: place.tokens.client_admin, body })
    const badge = (state: string) => `<span class="badge ${state}">`
    // The state alone would not tell whether the last attempt is recorded: the time must not pass before it is.
    const seen = (id: string, state: string, attempts: number) =>
      until(async () => {
        const { html } = await get(`${log}/${id}`, admin.cookie)
        return html.includes(badge(state)) && html.includes(`<h3>Attempt ${attempts}</h3>`) ? html : undefined
      })
    const id = (await until(async () => (await newest({ get }, admin.cookie)) || undefined)) ?? ''
    const waiting = (await seen(id, 'waiting', 1)) ?? ''
    t.match(waiting, 'Next attempt')
    t.match(waiting, 'Makes the next attempt at once.')
    t.match(waiting, /<span class="clock">\d\d:\d\d:\d\d<\/span>/, 'to the second')
    t.notMatch(waiting, '/redeliver"', 'what is under way is not sent again')
    t.equal((await submit(`${log}/${id}/redeliver`, {}, admin)).status, 409)
    t.match((await submit(`${log}/${id}/retry`, {}, admin)).html, 'It is being retried.')
    t.ok(await until(async () => (got.length === 2 ? true : undefined)), 'what waits is tried before its time')
    for (const [pause, attempts] of [
      [120_000, 2],
      [1_200_000, 3],
      [12_000_000, 4],
    ] as const) {
      t.ok(await seen(id, 'waiting', attempts))
      place.clock.now += pause
    }
    t.ok(await seen(id, 'failed', 5))
    t.equal(got.length, 5)
    t.match(
      (await submit(`${log}/${id}/retry`, {}, admin)).html,
      'Only waiting and dead deliveries can be attempted again.',
    )
    const fields = { since: '2026-06-10T05:00', until: '2026-06-12T05:00', limit: '10' }
    for (const [wrong, name, words] of [
      [{ ...fields, state: 'delivered' }, 'state', 'Select at least one.'],
      [fields, 'state', 'Select at least one.'],
      [{ ...fields, state: 'failed', since: 'x' }, 'since', 'Enter a date and a time.'],
      [{ ...fields, state: 'failed', limit: '0' }, 'limit', 'Enter a whole number from 1 to 1000.'],
    ] as const) {
      const { status, html } = await submit(`${log}/replay`, wrong, admin)
      t.equal(status, 422, JSON.stringify(wrong))
      t.match(html, `<p class="wrong" id="replay-${name}-wrong">${words}</p>`)
      t.match(html, /role="alert"[^>]*>Nothing was sent again\./)
    }
    for (const [who, business] of [
      ['client_admin', 'two'],
      ['customer', 'one'],
    ] as const) {
      const stranger = await signIn(who, business)
      t.equal((await get(`${log}/${id}`, stranger.cookie)).status, 404, `${who} of ${business}`)
      for (const verb of ['redeliver', 'retry'])
        t.equal((await post(`${log}/${id}/${verb}`, { form: stranger.form }, stranger.cookie)).status, 404)
    }
    const employee = await signIn('client_employee')
    t.notMatch((await get(`${log}/${id}`, employee.cookie)).html, '/redeliver"')
    t.equal((await post(`${log}/${id}/redeliver`, { form: employee.form }, employee.cookie)).status, 403)
    t.equal(
      (await post(`${log}/replay`, { form: employee.form, state: 'failed', ...fields }, employee.cookie)).status,
      403,
    )
    says.status = 200
    const { to, html } = (await submit(`${log}/${id}/redeliver`, {}, admin)) as { to: string; html: string }
    const next = /deliveries\/([\w-]+)\?/.exec(to)?.[1] ?? ''
    t.not(next, id)
    t.match(html, 'It is being sent again, as this new delivery.')
    t.match(html, `href="${log}/${id}"`)
    t.match(await seen(next, 'delivered', 1), 'Status 200')
    t.match((await get(`${log}/${id}`, admin.cookie)).html, `href="${log}/${next}"`)
    const replayed = await submit(`${log}/replay`, { ...fields, state: ['failed', 'dead'] }, admin)
    t.match(
      replayed.html,
      /role="status"[^>]*>There was nothing to send again in that period\./,
      'what has been sent again is not, twice',
    )
  },
)

t.test(
  'given other methods, or the address of a form opened as a page, when they are requested, then there is a sensible response',
  async (t) => {
    const { get, app, signIn } = await site()
    const { cookie } = await signIn('client_admin')
    for (const [path, to] of [
      [`${home}/settings`, home],
      [`${home}/sign-in`, home],
      [`${home}/customers/12/secret/reveal`, `${home}/customers/12`],
      [`${home}/providers/provider_locker/acme/save`, `${home}/providers`],
      [`${log}/replay`, log],
      [`${log}/d-1/retry`, `${log}/d-1`],
    ] as const)
      t.equal((await get(path)).headers.get('location'), to, path)
    t.equal((await get(`${home}/a/b/c`, cookie)).status, 404)
    t.equal((await get(`${log}/d-1`, cookie)).status, 404)
    t.equal((await app.request(home, { method: 'DELETE' })).status, 405)
    t.equal((await app.request(log, { method: 'PUT' })).headers.get('allow'), 'GET, HEAD, POST')
  },
)

t.test(
  'given events of which no webhook could be made, when staff open their page, then they see those of their business and make them again',
  async (t) => {
    const { get, post, submit, signIn, send, tokens, other, store, clock } = await site()
    const page = `${home}/parked`
    const admin = await signIn('client_admin')
    t.match((await get(page, admin.cookie)).html, 'No event is parked')
    const park = createPark(store, () => clock.now)
    const parked = async (token = tokens.client_admin) => {
      const body = { type: 'D', items: 1, delivery: { name: 'A', address: { street: 'S 1' } } }
      const { order_id } = (await send('POST', '/api/v1/orders', { token, body })).body
      const [event] = await store.read(`order-${order_id}`)
      if (event === undefined) throw new Error('There is no order.')
      await park(event, event, new RangeError('what is private'))
      return event
    }
    const own = await parked()
    const strange = await parked(other.tokens.client_admin)
    const { html } = await get(page, admin.cookie)
    for (const text of [own.id, 'OrderCreated', 'RangeError', own.position]) t.match(html, text)
    t.notMatch(html, /what is private/)
    t.notMatch(html, strange.id, 'it is of another business')
    t.match((await submit(`${page}/rebuild`, { event: strange.id }, admin)).html, 'Webhooks of 0 events')
    const employee = await signIn('client_employee')
    t.match((await get(page, employee.cookie)).html, own.id)
    t.notMatch((await get(page, employee.cookie)).html, `action="${page}/rebuild"`)
    t.equal((await post(`${page}/rebuild`, { form: employee.form }, employee.cookie)).status, 403)
    t.equal((await get(page, (await signIn('customer')).cookie)).status, 403)
    t.match(
      (await submit(`${page}/rebuild`, { event: own.id }, admin)).html,
      /Webhooks of 1 event are .*No event is parked/s,
    )
    for (let order = 0; order < 51; order++) await parked()
    const first = await get(page, admin.cookie)
    t.match(first.html, /51 events.*Page 1 of 2/s)
    t.equal([...first.html.matchAll(/name="event"/g)].length, 50)
    t.equal([...(await get(`${page}?page=2`, admin.cookie)).html.matchAll(/name="event"/g)].length, 1)
    t.match((await submit(`${page}/rebuild`, {}, admin)).html, /Webhooks of 51 events are/)
    const listed = await send('GET', '/api/v1/webhook-parked-events', { token: other.tokens.client_admin })
    t.match(listed.body, { total: 1, parked: [{ event_id: strange.id, failure: 'RangeError' }] })
  },
)

t.test(
  'given a partner whose URL echoes, when an admin subscribes it, tests it and deletes it, then the page says so each time',
  async (t) => {
    const made = await site()
    const { get, post, submit, signIn, provider, send, other } = made
    const to = await receiver(t)
    running(t, made)
    await provider('acme')
    const page = `${home}/partners`
    const admin = await signIn('client_admin')
    t.match((await get(page, admin.cookie)).html, 'No partner has subscribed yet.')
    const secret = 'a secret of thirty-two letters!!'
    const fields = {
      provider: 'acme',
      url: to.url,
      secret,
      events: ['handoff.accepted'],
      format: 'ce_structured',
      signature: 'standard',
      where: 'handoff_id in (1)',
    }
    const refused = await submit(`${page}/add`, { ...fields, secret: 'short', url: 'http://<b>' }, admin)
    t.equal(refused.status, 422)
    t.match(refused.html, /aria-describedby="add-secret-wrong"/)
    t.match(refused.html, 'value="http://&lt;b&gt;"')
    t.notMatch(refused.html, 'value="short"')
    t.match(await submit(`${page}/add`, { ...fields, provider: 'nobody' }, admin), { status: 409 })
    t.equal((await submit(`${page}/add`, fields, admin)).status, 409, 'it does not echo yet')
    to.says.echoes = true
    const added = await submit(`${page}/add`, fields, admin)
    t.match(added.html, 'The partner is subscribed.')
    t.match(
      added.html,
      /<bdi>acme<\/bdi>.*handoff\.accepted.*CloudEvents, in the body · Standard Webhooks, too · handoff_id in \(1\)/s,
    )
    t.notMatch(added.html, secret)
    const tested = await submit(`${page}/acme/1/test`, {}, admin)
    t.match(tested.html, /The test was delivered: status 200/)
    t.match(to.got.at(-1), '"event":"handoff.accepted"')
    const listed = async (token: string) => (await send('GET', '/api/v1/handoff-subscriptions', { token })).body
    t.match(await listed(made.tokens.client_admin), {
      total: 1,
      subscriptions: [{ provider: 'acme', subscription_id: 1 }],
    })
    t.match(await listed(other.tokens.client_admin), { total: 0, subscriptions: [] })
    const stranger = await made.send('POST', '/api/v1/handoff-subscriptions/acme/1/test', {
      token: other.tokens.client_admin,
    })
    t.equal(stranger.status, 404)
    const employee = await signIn('client_employee')
    t.equal((await get(page, employee.cookie)).status, 403)
    t.equal((await post(`${page}/acme/1/revoke`, { form: employee.form }, employee.cookie)).status, 403)
    t.match(
      (await submit(`${page}/acme/1/revoke`, {}, admin)).html,
      /The subscription was deleted\..*No partner has subscribed yet\./s,
    )
    t.equal((await submit(`${page}/acme/1/revoke`, {}, admin)).status, 409)
  },
)

/** A business with something on each page of webhooks, and the paths of these pages. */
async function busy(t: Test) {
  const made = await site()
  const { submit, signIn, provider, ids, send, tokens, store, clock, get } = made
  const to = await receiver(t)
  const admin = await signIn('client_admin')
  await provider('acme')
  await submit(`${home}/settings`, withUrl('order_create_webhook_url', to.url), admin)
  await submit(`${home}/secret/rotate`, { secret: '' }, admin)
  await submit(
    `${home}/settings`,
    withUrl('order_create_webhook_url', to.url, { 'order_deleted_webhook_url.0.url': 'pull:shop' }),
    admin,
  )
  await submit(`${home}/providers/add`, { provider: 'acme', channel: 'provider_locker', url: to.url }, admin)
  to.says.echoes = true
  const secret = 'a secret of thirty-two letters!!'
  await submit(`${home}/partners/add`, { provider: 'acme', url: to.url, secret }, admin)
  to.says.echoes = false
  const body = { type: 'D', items: 1, delivery: { name: 'Ana', address: { street: '1 Main St' } } }
  await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })
  const [last] = await store.read('order-1', { limit: 1 })
  if (last === undefined) throw new Error('There is no order.')
  await createPark(store, () => clock.now)(last, last, new RangeError('an example'))
  to.says.status = 302
  await submit(`${home}/test`, { field: 'order_create_webhook_url' }, admin)
  const delivery = await newest(made, admin.cookie)
  const urls = (await get(`${home}/urls`, admin.cookie)).html
  const endpoints = [...urls.matchAll(/href="(\/webhooks\/urls\/[\w-]+)"/g)].map(([, path = '']) => path)
  t.equal(endpoints.length, 3)
  const pages = ['', '/customers', `/customers/${ids.customer}`, '/providers', '/partners', '/parked', '/urls', '/none']
  const paths = [...pages.map((path) => home + path), ...endpoints, `${log}/${delivery}`]
  return {
    ...made,
    to,
    admin,
    delivery,
    paths: [...paths, log, `${log}?status=302`, `${log}?id=none`, `${log}?since=x`],
  }
}

t.test(
  'given webhooks of every kind, when they are read in each language, then nothing is left in English, and links and forms keep the language',
  async (t) => {
    const { get, post, admin, paths } = await busy(t)
    const en = webhookTexts('en')
    // A name, which is the same in every language.
    const english = { ...en, manner: { ...en.manner, standard_signature: '' } }
    for (const language of languagesWith('page.webhooks.log')) {
      const chosen = `lang=${language}`
      const to = (path: string) => `${path}${path.includes('?') ? '&' : '?'}${chosen}`
      const pages = await Promise.all(paths.map((path) => get(to(path), admin.cookie)))
      pages.push(await get(to(home)), await post(to(`${log}/replay`), { form: admin.form, limit: 'x' }, admin.cookie))
      pages.push(await post(to(`${home}/secret/reveal`), { form: admin.form }, admin.cookie))
      for (const [index, { html }] of pages.entries()) {
        t.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
        if (language !== 'en')
          untold(t, html, webhookTexts(language), english, `${language} ${paths[index] ?? 'after a form'}`)
        // The form of the filter has the language in a field.
        const kept = html.replace(/<form class="filter" method="get"[^>]*>/, `<form>`)
        for (const [, address = ''] of kept.matchAll(/(?:href|action)="(\/(?!assets)[^"]+)"/g))
          if (address !== '/') t.match(address, chosen, `${address} keeps the language`)
      }
      const filtered = pages[paths.indexOf(`${log}?status=302`)]?.html
      t.match(filtered, `<input type="hidden" name="lang" value="${language}">`)
      t.match(filtered, 'href="?status=302&amp;lang=de" lang="de"', 'the switch keeps the filter')
    }
  },
)

t.test(
  'given a German reader, when settings are saved, refused, tested and sent again, then each page is German, and so is what the server says',
  async (t) => {
    const { get, post, submit, admin, to, delivery } = await busy(t)
    const german = (path: string, fields: Fields) => submit(`${path}?lang=de`, fields, admin)
    const saved = await german(`${home}/settings`, withUrl('order_create_webhook_url', to.url))
    t.match('to' in saved && saved.to, /^\/webhooks\?said=saved&seal=\w+&lang=de$/)
    t.match(saved.html, /role="status"[^>]*>Gespeichert\./)
    to.says.status = 200
    const tested = await german(`${home}/test`, { field: 'order_create_webhook_url' })
    t.match(tested.html, /Der Test wurde zugestellt: Status 200 nach \d+ ms\./)
    t.match(
      (await german(`${log}/${delivery}/redeliver`, {})).html,
      'Sie wird erneut gesendet, als diese neue Zustellung.',
    )
    t.match((await german(`${log}/none/redeliver`, {})).html, 'Seite nicht gefunden')
    const retried = await german(`${log}/${delivery}/retry`, {})
    t.match(retried.html, /role="alert"[^>]*>Nur eine wartende oder aufgegebene Zustellung/)
    t.match((await german(`${home}/parked/rebuild`, {})).html, 'Die Webhooks von 1 Ereignis werden erstellt')
    const wrong = {
      ...withUrl('order_deleted_webhook_url', 'nonsense'),
      driver_location_min_interval_sec: 'oft',
      order_lifecycle_events: 'order.nonsense',
    }
    const refused = (await german(`${home}/settings`, wrong)).html
    t.match(refused, 'Es wurde nichts gespeichert. Prüfen Sie 3 Angaben.')
    t.match(refused, 'Geben Sie eine ganze Zahl von 1 bis 86400 ein.')
    t.match(refused, 'Ein solches Ereignis gibt es hier nicht.')
    const arabic = (
      await post(`${home}/settings`, { form: admin.form, ...wrong }, admin.cookie, { 'accept-language': 'ar' })
    ).html
    t.match(arabic, '<p class="wrong" id="driver_location_min_interval_sec-wrong">أدخل عددًا صحيحًا من 1 إلى 86400.</p>')
    t.match(arabic, '<p class="wrong" id="order_lifecycle_events-wrong">لا يوجد حدث كهذا هنا.</p>')
    const backFrom = async (path: string) => (await get(path, admin.cookie)).headers.get('location')
    t.match(await backFrom(`${home}/settings?customer=4&lang=de`), `${home}?customer=4&lang=de`)
    t.match(await backFrom(`${log}/replay?state=dead&lang=de`), `${log}?state=dead&lang=de`)
    t.match(await backFrom(`${home}/sign-out?lang=de`), 'lang=de')
    const csv = (path: string) =>
      get(`${log}/export/csv${path}`, admin.cookie).then(({ html }) => html.split('\r\n')[0])
    t.equal(await csv('?lang=de'), await csv(''), 'the columns of an export are the same in every language')
    t.equal(
      (await get(`${log}/export/csv?since=x&lang=de`, admin.cookie)).headers.get('location'),
      `${log}?since=x&lang=de`,
    )
  },
)

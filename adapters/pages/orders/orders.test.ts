import t from 'tap'
import { domains, orderStatuses } from '../../../engine/index.ts'
import { textsAt } from '../../locales/catalogue.ts'
import type { AppOptions } from '../../main.ts'
import { plain as resolved } from '../html.test.fixture.ts'
import { actionLead, actionTitle, eventTitle, memberNames } from '../signed-in/operation-words.ts'
import { type Fields, type Page, type Session, site } from '../signed-in/site.test.fixture.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import { untold } from '../texts.test.fixture.ts'
import { ownTexts } from './texts.ts'

const home = '/orders'
const ann = { name: 'Ann Lee', address: { street: '1 Main Street', locality: 'Toronto' } }

async function orders(options: Partial<Omit<AppOptions, 'clock'>> = {}) {
  const made = await site(home, options)
  const { get, post, send, tokens } = made
  const create = async (body: object = {}) => {
    const token = tokens.client_admin
    const { body: created } = await send('POST', '/api/v1/orders', {
      token,
      body: { type: 'D', delivery: ann, pickup: ann, ...body },
    })
    return Number(created.order_id)
  }
  const order = async (id: number) =>
    (await send('GET', `/api/v1/orders/${id}`, { token: tokens.client_admin })).body.order
  /** Opens the form of an action, and sends what it has with these entries. */
  const act = async (path: string, entries: Fields, { cookie, form }: Session) => {
    const fields = hiddenIn(await get(`${home}/${path}`, cookie))
    return post(`${home}/${path}`, { ...fields, form, ...entries }, cookie)
  }
  const follow = ({ headers }: Page, { cookie }: Session) => get(headers.get('location') ?? '', cookie)
  return { ...made, create, order, act, follow }
}

/** What a reader sees of a page. */
function plain(html: string): string {
  return resolved(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
}

function hiddenIn({ html }: Page): Record<string, string> {
  const found = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

function numbersIn({ html }: Page): number[] {
  return [...html.matchAll(/href="\/orders\/(\d+)" data-row/g)].map(([, id]) => Number(id))
}

function actionsIn({ html }: Page): string[] {
  return [...html.matchAll(/href="\/orders\/\d+\/do\/(\w+)"/g)].map(([, name = '']) => name)
}

t.test('given orders, when they are filtered, sorted and read on, then the list shows those that fit', async (t) => {
  const { get, send, signIn, create, tokens, ids } = await orders()
  const session = await signIn('client_admin')
  const list = async (query: string) => numbersIn(await get(`${home}?${query}`, session.cookie))
  await create({ reference: 'PO-1', tags: ['cold'], schedule_date: '2026-06-09' })
  await create({ type: 'P', schedule_date: '2026-06-12' })
  await create({ schedule_date: '2026-06-11' })
  const post = (path: string, body: object = {}) =>
    send('POST', `/api/v1/orders/${path}`, { token: tokens.client_admin, body })
  await post('2/assign-driver', { driver_id: ids.driver })
  await post('3/hold')
  t.same(await list(''), [3, 2, 1])
  t.same(await list('status=HOLD'), [3])
  t.same(await list('status=HOLD&status=ASSIGNED'), [3, 2])
  t.same(await list('type=P'), [2])
  t.same(await list(`driver=${ids.driver}`), [2])
  t.same(await list(`contractor=${ids.contractor}`), [])
  t.same(await list('day=2026-06-11'), [3])
  t.same(await list('tag=cold'), [1])
  t.same(await list('late=1'), [1])
  t.same(await list('exceptions=1'), [])
  t.same(await list('unassigned=1'), [1])
  t.same(await list('undeliverable=1'), [])
  t.same(await list('sort=schedule_date'), [1, 3, 2])
  t.same(await list('status=HOLD&late=1'), [])
  for (let order = 4; order <= 60; order++) await create()
  const first = await get(`${home}?type=D`, session.cookie)
  t.match(first.html, /59 orders/)
  t.equal(numbersIn(first).length, 50)
  const next = /rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await get(next, session.cookie)
  t.same(numbersIn(second), [10, 9, 8, 7, 6, 5, 4, 3, 1])
  t.notMatch(second.html, /rel="next"/)
  t.match(await get(`${home}?day=tomorrow&tag=Cold!`, session.cookie), { status: 422, html: /f-schedule_date-wrong/ })
})

t.test(
  'given the filter of orders, then staff alone is offered those that nobody has: all others see only what is theirs',
  async (t) => {
    const { get, signIn } = await orders()
    const offers: Record<string, boolean> = {}
    for (const role of ['client_admin', 'client_employee', 'customer', 'contractor', 'driver'] as const) {
      const { status, html } = await get(home, (await signIn(role)).cookie)
      t.equal(status, 200)
      t.match(html, 'name="late"')
      offers[role] = html.includes('name="unassigned"')
    }
    t.same(offers, { client_admin: true, client_employee: true, customer: false, contractor: false, driver: false })
  },
)

t.test('given orders, when one is searched by what it has, then it is found, and text is only text', async (t) => {
  const { get, signIn, create, order } = await orders()
  const { cookie } = await signIn('client_admin')
  await create({ reference: 'PO-<b>', delivery: { ...ann, name: 'Zoë <i>Li</i>' } })
  await create()
  const { tracking_number } = await order(1)
  for (const query of ['po-<b>', 'zoe', tracking_number]) {
    const page = await get(`${home}?q=${encodeURIComponent(query)}`, cookie)
    t.same(numbersIn(page), [1], query)
    t.match(page.html, /PO-&lt;b&gt;[\s\S]*Zoë &lt;i&gt;Li/)
  }
  t.match(plain((await get(`${home}?q=nobody`, cookie)).html), /0 orders found for “nobody”/)
})

t.test(
  'given an order, then its page says what it is, what happened and through what, and who may do what',
  async (t) => {
    const { get, send, signIn, create, tokens, ids, act } = await orders()
    const admin = await signIn('client_admin')
    const customer = { customer_id: ids.customer, price: { shipping_price: '12.50', currency: 'CAD' } }
    await create({ ...customer, note: 'Regular.', reference: 'PO-7' })
    const key = { name: 'Van', scopes: ['orders:read', 'orders:write'], expires_in_hours: 24 }
    const made = await send('POST', '/api/v1/api-keys', { token: tokens.client_admin, body: key })
    const body = { driver_id: ids.driver }
    await send('POST', '/api/v1/orders/1/assign-driver', { token: made.body.key, body })
    const { html } = await get(`${home}/1`, admin.cookie)
    t.match(plain(html), /PO-7[\s\S]*driver of one[\s\S]*Regular\.[\s\S]*Ann Lee[\s\S]*12\.50 CAD/)
    t.match(plain(html), /Order assigned[\s\S]*client_admin of one[\s\S]*API key 1/)
    const own = actionsIn({ html } as Page)
    for (const action of [
      'cancel_order',
      'assign_driver',
      'set_order_price',
      'delete_order',
      'hold_order',
      'pick_up_order',
    ])
      t.ok(own.includes(action), action)
    for (const action of ['accept_order', 'pay_order', 'release_order', 'return_order', 'assign_orders_to_broker'])
      t.notOk(own.includes(action), `${action} is not for this account, this status or this business`)
    const other = await signIn('customer')
    const seen = await get(`${home}/1`, other.cookie)
    t.notMatch(plain(seen.html), /Regular\.|driver of one|Labels of/)
    t.same(actionsIn(seen).sort(), [
      'cancel_order',
      'pay_order',
      'reroute_to_address',
      'update_delivery_instruction',
      'update_order',
    ])
    t.notMatch((await get(`${home}/1/do/update_order`, other.cookie)).html, /name="note"/)
    t.equal((await get(`${home}/1/do/hold_order`, other.cookie)).status, 404)
    t.equal((await act('1/do/hold_order', { step: 'do', confirm: '1' }, other)).status, 404)
    const stranger = await signIn('client_admin', 'two')
    t.equal((await get(`${home}/1`, stranger.cookie)).status, 404)
    t.equal((await act('1/do/hold_order', { step: 'do', confirm: '1' }, stranger)).status, 404)
    t.equal((await get(`${home}/99`, admin.cookie)).status, 404)
    t.match((await get(`${home}/1`)).html, /type="password"/)
  },
)

t.test('given a customer from whom prices are hidden, then no page of the order has them', async (t) => {
  const { get, send, signIn, create, tokens, ids } = await orders()
  await create({ customer_id: ids.customer, price: { shipping_price: '12.50', currency: 'CAD' } })
  const session = await signIn('customer')
  t.match((await get(`${home}/1`, session.cookie)).html, /12\.50/)
  const families = { families: ['local_delivery'] }
  const path = `/api/v1/accounts/${ids.customer}/hidden-prices`
  t.equal((await send('PUT', path, { token: tokens.client_admin, body: families })).status, 200)
  for (const page of [home, `${home}/1`, `${home}?q=Ann`, `${home}/export.csv`]) {
    const { status, html } = await get(page, session.cookie)
    t.equal(status, 200, page)
    t.notMatch(html, /12\.50/, page)
  }
  t.match((await get(`${home}/1`, session.cookie)).html, /Prices are not shown/)
  t.notOk(actionsIn(await get(`${home}/1`, session.cookie)).includes('pay_order'))
})

t.test(
  'given an action of high risk, then it is shown before it is done, and sent twice it is done once',
  async (t) => {
    const { post, signIn, create, order, act, follow, get } = await orders()
    const session = await signIn('client_admin')
    await create({ delivery: { ...ann, name: 'Zoë' } })
    const shown = await act('1/do/cancel_order', { step: 'do' }, session)
    t.match(plain(shown.html), /what would be recorded[\s\S]*Order cancelled[\s\S]*NEW_ORDER → becomes CANCELLED/)
    t.notMatch(shown.html, /Zoë/, 'nothing personal is in what would be recorded')
    t.equal((await order(1)).status, 'NEW_ORDER')
    const fields = { ...hiddenIn(shown), form: session.form, step: 'do' }
    t.equal(hiddenIn(shown).confirm, '1')
    const done = await post(`${home}/1/do/cancel_order`, fields, session.cookie)
    t.equal(done.status, 303)
    t.match(plain((await follow(done, session)).html), /Done: Cancel order\./)
    t.equal((await order(1)).status, 'CANCELLED')
    const again = await post(`${home}/1/do/cancel_order`, fields, session.cookie)
    t.equal(again.status, 303, 'the same form is answered as it was')
    const late = await act('1/do/mark_order_ready', { step: 'do' }, session)
    t.match(late, { status: 409, html: /is not possible while/ }, 'a form that is late says why nothing was done')
    t.match(await post(`${home}/1/do/cancel_order`, { ...fields, form: 'x' }, session.cookie), { status: 403 })
    await create()
    const note = {
      ...hiddenIn(await get(`${home}/2/do/mark_order_ready`, session.cookie)),
      form: session.form,
      step: 'do',
    }
    for (let time = 0; time < 2; time++)
      t.equal((await post(`${home}/2/do/mark_order_ready`, note, session.cookie)).status, 303)
    const { html } = await get(`${home}/2`, session.cookie)
    t.equal(html.split('Order ready').length, 2, 'it was recorded once')
  },
)

t.test('given the form of a correction, then it has what is there, and only what differs is corrected', async (t) => {
  const { get, send, signIn, create, order, act, tokens } = await orders()
  const session = await signIn('client_admin')
  await create({ reference: 'PO-1', delivery: { ...ann, phone: '+1 416 555 0100' }, note: 'x' })
  const { html } = await get(`${home}/1/do/update_order`, session.cookie)
  t.match(html, /name="delivery\.address\.street"[^>]*value="1 Main Street"/)
  const entries = { reference: '', items: '1', note: '', 'delivery.name': 'Bob', 'delivery.phone': '' }
  const same = { 'delivery.address.street': '1 Main Street', 'delivery.address.locality': 'Toronto' }
  const done = await act('1/do/update_order', { step: 'do', ...entries, ...same }, session)
  t.equal(done.status, 303, plain(done.html))
  const { reference, note, delivery } = await order(1)
  t.same([reference, note, delivery], [undefined, '', { ...ann, name: 'Bob' }])
  const wrong = await act('1/do/update_order', { step: 'do', ...same, items: 'many', 'delivery.name': 'Eve' }, session)
  t.match(wrong, { status: 422, html: /id="items-wrong"/ })
  t.match(wrong.html, /value="Eve"/, 'what was entered stays')
  const before = hiddenIn(await get(`${home}/1/do/update_order_note`, session.cookie))
  const body = { note: 'of somebody else' }
  await send('PATCH', '/api/v1/orders/1', { token: tokens.client_admin, body: { items: 3, ...body } })
  const late = await act('1/do/update_order_note', { ...before, step: 'do', note: 'mine', seen: '2026-01-01' }, session)
  t.match(late, { status: 409, html: /changed while this form was open/ })
  t.equal((await order(1)).note, 'of somebody else')
})

t.test('given prices, drivers, routes and contractors, then each form takes what its operation takes', async (t) => {
  const { signIn, create, order, act, get, ids } = await orders()
  const session = await signIn('client_admin')
  await create()
  const done = async (path: string, entries: Fields) => {
    const answer = await act(path, { step: 'do', ...entries }, session)
    t.equal(answer.status, 303, path)
  }
  const surcharge = { 'price.surcharges.0.name': 'Heavy', 'price.surcharges.0.surcharge_amount': '2.25' }
  await done('1/do/set_order_price', { 'price.shipping_price': '12.50', 'price.currency': 'CAD', ...surcharge })
  t.equal((await order(1)).price_details.total_price, '14.75')
  t.match((await get(`${home}/1/do/assign_driver`, session.cookie)).html, /<option value="\d+">driver of one/)
  await done('1/do/assign_driver', { driver_id: String(ids.driver) })
  await done('1/do/pick_up_order', { note: '', photo_urls: 'https://a.example/1.jpg\r\nhttps://a.example/2.jpg' })
  await done('1/do/fail_order', { reason: 'refused' })
  t.equal((await order(1)).status, 'FAILED')
  t.match((await get(`${home}/1`, session.cookie)).html, /href="https:\/\/a\.example\/2\.jpg"/)
  await done('1/do/plan_route', { name: 'Monday', schedule_date: '2026-06-15', driver_id: '' })
  t.equal((await order(1)).route_id, 1)
  t.match(
    (await get(`${home}/1/do/remove_route_order`, session.cookie)).html,
    /name="route_id"[^>]*>[\s\S]*?<option value="1" selected>/,
  )
  await done('1/do/remove_route_order', { route_id: '1' })
  t.match(await act('1/do/assign_driver', { step: 'do', driver_id: '99' }, session), { status: 409, html: /driver/i })
})

t.test('given an order, when its labels are downloaded, then they are a file in the asked format', async (t) => {
  const { get, signIn, create, act } = await orders()
  const session = await signIn('client_admin')
  const { cookie } = session
  await create({ items: 60 })
  t.match((await get(`${home}/1`, cookie)).html, /labels\.pdf\?from=51/)
  const zpl = await get(`${home}/1/labels.zpl?from=51`, cookie)
  t.match(zpl.headers.get('content-disposition'), /attachment; filename="LD\d+\.zpl"/)
  t.equal(zpl.html.split('^XA').length, 11)
  t.match((await get(`${home}/1/labels.pdf`, cookie)).headers.get('content-type'), 'application/pdf')
  t.equal((await get(`${home}/9/labels.pdf`, cookie)).status, 404)
  const id = await create({})
  await act(`${id}/do/cancel_order`, { step: 'do', confirm: '1' }, session)
  t.match(await get(`${home}/${id}/labels.pdf`, cookie), { status: 409, html: /while the order is CANCELLED/ })
})

t.test('given lines of CSV, then each has its result before and after they are imported, and once', async (t) => {
  const { app, get, post, signIn, order, create } = await orders()
  const session = await signIn('client_admin')
  const csv =
    'type,reference,schedule_date,delivery.name,delivery.address.street\r\nD,A,,Ann,1 Main\r\nX,B,,Bob,2 Main\r\nD,C,2026-06-15,Cy,3 Main\r\n'
  const checked = await post(`${home}/import`, { form: session.form, csv, step: 'check' }, session.cookie)
  t.match(plain(checked.html), /2 orders would be created, and 1 line would be refused/)
  t.match(
    plain(checked.html),
    /2 A D · Ann · 1 Main Good[\s\S]*3 B[\s\S]*type[\s\S]*4 C D · Cy · 3 Main · 2026-06-15 Good/,
  )
  t.match((await get(home, session.cookie)).html, /There is no order yet/)
  const fields = { ...hiddenIn(checked), form: session.form, csv, step: 'do' }
  const made = await post(`${home}/import`, fields, session.cookie)
  t.match(plain(made.html), /2 orders created, 1 line refused/)
  t.same([(await order(1)).reference, (await order(2)).reference], ['A', 'C'])
  const again = await post(`${home}/import`, fields, session.cookie)
  t.match(plain(again.html), /imported before, so nothing was created again[^<]* 2 orders created/)
  await post(`${home}/import`, { form: session.form, csv, step: 'do' }, session.cookie)
  t.equal(numbersIn(await get(home, session.cookie)).length, 2, 'the same file creates nothing more')
  const body = new FormData()
  body.set('form', session.form)
  body.set('file', new File([csv.replaceAll('Main', 'Rue')], 'orders.csv'))
  body.set('step', 'do')
  const uploaded = await app.request(`${home}/import`, { method: 'POST', body, headers: { cookie: session.cookie } })
  t.match(plain(await uploaded.text()), /2 orders would be created/, 'a file is looked at first')
  t.match(await post(`${home}/import`, { form: session.form, csv: 'colour\r\nred' }, session.cookie), { status: 422 })
  const large = { form: session.form, csv: 'x'.repeat(1_200_000) }
  t.equal((await post(`${home}/import`, large, session.cookie)).status, 413)
  const exported = await get(`${home}/export.csv?day=2026-06-15`, session.cookie)
  t.match(exported.headers.get('content-type'), 'text/csv')
  t.match(exported.html, /^order_id,status[^\r]*\r\n2,NEW_ORDER[^\r]*,C,[^\r]*\r\n$/)
  for (let one = 0; one < 110; one++) await create()
  t.equal((await get(`${home}/export.csv`, session.cookie)).html.split('\r\n').length, 114)
  const driver = await signIn('driver')
  t.equal((await get(`${home}/import`, driver.cookie)).status, 403)
})

t.test('given a file with columns of its own, then they are guessed, corrected and remembered', async (t) => {
  const { post, signIn, order } = await orders()
  const session = await signIn('client_admin')
  const csv = 'sep=;\n"Kind";Ref;Name;Street;"My ""odd""; name"\nD;A-1;Ann;1 Main;"x\ny"\n\nD;A-2;Bo;2 Main;\n'
  const check = (fields: object) =>
    post(`${home}/import`, { form: session.form, csv, step: 'check', ...fields }, session.cookie)
  const first = await check({})
  t.equal(first.status, 422)
  t.match(plain(first.html), /The column Kind is unknown/)
  t.match(first.html, /<details class="columns" open>/)
  const chosenIn = (html: string) => [...html.matchAll(/value="([^"]*)" selected/g)].map(([, column]) => column)
  t.same(chosenIn(first.html), ['', '', 'delivery.name', 'delivery.address.street', ''], 'as their names say')
  const column = ['type', 'reference', 'delivery.name', 'delivery.address.street', '-']
  const of = [...first.html.matchAll(/name="of" value="([^"]*)"/g)].map(([, name = '']) => resolved(name))
  t.same(of, ['Kind', 'Ref', 'Name', 'Street', 'My "odd"; name'])
  const checked = await check({ column, of })
  t.match(plain(checked.html), /2 orders would be created, and 0 lines would be refused/)
  t.match(plain(checked.html), /3 A-1 D · Ann · 1 Main Good[\s\S]*6 A-2 D · Bo/, 'what would be made of each line')
  const kept = checked.headers.get('set-cookie')?.split(';')[0]
  t.match(kept, /^otep_import_\d+=/)
  const later = await post(
    `${home}/import`,
    { form: session.form, csv: csv.replaceAll('A-', 'B-'), step: 'do' },
    `${session.cookie}; ${kept}`,
  )
  t.match(plain(later.html), /2 orders created/, 'what was chosen is remembered')
  t.same((await order(1)).reference, 'B-1')
  const other = 'Street,"Name, full",Ref,Kind,Colour\n3 Main,Cy,C-1,D,red\n'
  const next = await check({ csv: other.replaceAll(',', ';').replace('e; f', 'e, f'), column, of })
  t.same(
    chosenIn(next.html)[0],
    'delivery.address.street',
    'what was chosen for another file does not hold for this one',
  )
  t.match(plain(next.html), /Name, full/, 'a comma in a name separates nothing where semicolons do')
  for (const odd of ['otep_import_2=x', 'otep_import_2=%5B1%5D', 'otep_import_2=%7B%22ref%22%3A%22__proto__%22%7D'])
    t.equal((await post(`${home}/import`, { form: session.form, csv }, `${session.cookie}; ${odd}`)).status, 422)
})

t.test(
  'given a file with wrong lines, then they are downloaded with their problems, and the template has no lines',
  async (t) => {
    const { get, post, signIn } = await orders()
    const session = await signIn('client_admin')
    const csv =
      'Type,Reference,Delivery Name,Delivery Address Street,\nD,A,Ann,1 Main,\nX,=B,Bob,2 Main,\nD,9.4E+21,Cy,3 Main,\n'
    const file = await post(`${home}/import`, { form: session.form, csv, step: 'refused' }, session.cookie)
    t.match(file.headers.get('content-disposition'), 'attachment; filename="refused.csv"')
    const [head, ...lines] = file.html.replace('\ufeff', '').trimEnd().split('\r\n')
    t.equal(head, 'line,problem,type,reference,delivery.name,delivery.address.street')
    t.match(lines, [/^3,.*type.*,X,'=B,Bob,2 Main$/, /^4,.*shortened this number.*,D,9\.4E\+21,Cy,3 Main$/])
    t.equal(lines.length, 2)
    const corrected = file.html.replace(',X,', ',D,').replace('9.4E+21', '9400000000000000000000')
    const made = await post(`${home}/import`, { form: session.form, csv: corrected, step: 'do' }, session.cookie)
    t.match(plain(made.html), /2 orders created, 0 lines refused/)
    const template = await get(`${home}/import/template.csv`, session.cookie)
    t.match(template.html, /^type,reference,tracking_number,[^\n]*price\.tax\r\n$/)
    const customer = await signIn('customer')
    const own = await get(`${home}/import/template.csv`, customer.cookie)
    t.match(own.html, /^type,reference,external_tracking_number,schedule_date,[^\n]*,delivery_instruction\r\n$/)
    t.equal((await get(`${home}/import/template.csv`, (await signIn('driver')).cookie)).status, 403)
  },
)

t.test('given many lines of CSV, then they are imported in the background, and their page says how far', async (t) => {
  const { get, post, signIn } = await orders()
  const session = await signIn('client_admin')
  const csv = `type,delivery.name,delivery.address.street\n${'D,Ann,1 Main\n'.repeat(120)}`
  const checked = await post(`${home}/import`, { form: session.form, csv }, session.cookie)
  t.match(plain(checked.html), /120 orders would be created/)
  const accepted = await post(
    `${home}/import`,
    { ...hiddenIn(checked), form: session.form, csv, step: 'do' },
    session.cookie,
  )
  t.equal(accepted.headers.get('location'), `${home}/import/1`)
  t.match(plain((await get(`${home}/import/1`, session.cookie)).html), /0 of 120 lines are done/)
  const stranger = await signIn('client_admin', 'two')
  t.equal((await get(`${home}/import/1`, stranger.cookie)).status, 404)
})

t.test('given open pages, when orders change, then those who may see them are told, until they sign out', async (t) => {
  const { app, signIn, create, send, tokens, ids, post } = await orders()
  const listen = async ({ cookie }: Session) => {
    const response = await app.request(`${home}/live`, { headers: { cookie } })
    t.match(response.headers.get('content-type'), 'text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    /** Reads on until it has this; undefined once the stream has ended. */
    const until = async (wanted: RegExp) => {
      while (!wanted.test(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true }
        if (done) return undefined
        text += value
      }
      return text
    }
    return { until, text: () => text, close: () => reader?.cancel() }
  }
  const [admin, customer] = [await signIn('client_admin'), await signIn('customer')]
  const [all, own] = [await listen(admin), await listen(customer)]
  await all.until(/retry/)
  await own.until(/retry/)
  await create()
  await create({ customer_id: ids.customer })
  t.match(await all.until(/event: orders\ndata: \[1,2\]/), /orders/)
  t.match(await own.until(/event: orders/), /data: \[2\]/)
  await post(`${home}/sign-out`, { form: admin.form }, admin.cookie)
  await send('POST', '/api/v1/orders/1/hold', { token: tokens.client_admin })
  t.equal(await all.until(/never/), undefined, 'the stream ends with the session')
  await own.close()
})

t.test(
  'given a staff role that leaves the list alone, when other pages are opened, then they are refused',
  async (t) => {
    const { get, signIn, send, create, tokens, ids } = await orders()
    await create()
    const admin = (method: string, path: string, body: object) =>
      send(method, path, { token: tokens.client_admin, body })
    const narrow = { name: 'Board', scopes: ['orders:read'], operations: ['get_orders'] }
    const { staff_role_id } = (await admin('POST', '/api/v1/staff-roles', narrow)).body
    await admin('PATCH', `/api/v1/accounts/${ids.client_employee}`, { staff_role_id })
    const { cookie } = await signIn('client_employee')
    t.same(numbersIn(await get(home, cookie)), [1])
    for (const path of ['?q=Ann', '/1', '/1/labels.pdf', '/export.csv', '/import', '/import/1', '/1/do/cancel_order'])
      t.ok([403, 404, 409].includes((await get(`${home}${path}`, cookie)).status), path)
  },
)

/** What the area makes of names in English: of actions, members, values, events and statuses. */
function englishNames(): readonly string[] {
  const names = memberNames('en')
  const keysOf = (area: string) => Object.keys(textsAt('de', area) ?? {})
  const operations = domains
    .flatMap(({ operations = [] }) => operations)
    .filter(({ name }) => keysOf('operation').includes(name))
  const said = [
    ...operations.flatMap((operation) => [actionTitle(operation, 'en'), String(actionLead(operation, 'en'))]),
    ...keysOf('field').map(names.member),
    ...keysOf('hint'),
    ...keysOf('choice').map((value) => names.value(value)),
    ...keysOf('event').map((type) => String(eventTitle(type, 'en'))),
    ...Object.keys(orderStatuses).map((status) => orderStatusIn('en', status)),
  ]
  return said.filter((text) => text.length > 12)
}

/** Addresses of these pages to which a page leads or sends a form, that do not have its language. */
function withoutLanguage(html: string, language: string): readonly string[] {
  const forms = [...html.matchAll(/<form[^>]*>(?:(?!<\/form>)[\s\S])*/g)].filter(
    ([form]) => !form.includes(`name="lang" value="${language}"`),
  )
  const linked = [
    ...html.matchAll(/<a [^>]*href="(\/[^"]+)"/g),
    ...forms.flatMap(([form]) => [...form.matchAll(/action="([^"]+)"/g)]),
  ]
  return linked.map(([, address = '']) => address).filter((address) => !address.includes(`lang=${language}`))
}

t.test(
  'given a reader of German or Arabic, then no page says anything in English, and each keeps the language',
  async (t) => {
    const { get, post, send, signIn, create, tokens, ids } = await orders()
    const session = await signIn('client_admin')
    const change = (path: string, body: object = {}) =>
      send('POST', `/api/v1/orders/1/${path}`, { token: tokens.client_admin, body })
    await create({ price: { shipping_price: '12.50', currency: 'CAD' }, note: 'x', schedule_date: '2026-06-09' })
    await change('assign-driver', { driver_id: ids.driver })
    await change('pick-up')
    await change('fail', { reason: 'deliver_later' })
    for (let order = 2; order <= 52; order++) await create()
    const english = englishNames()
    t.ok(english.length > 100)
    const csv = 'type,delivery.name,delivery.address.street\r\nD,Ann,1 Main\r\nD,Bob,2 Main\r\n'
    for (const language of ['de', 'ar'] as const) {
      const judge = (path: string, { status, html }: Page) => {
        t.equal(status, 200, path)
        t.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
        const seen = plain(html)
        untold(t, resolved(html), ownTexts(language), ownTexts('en'), path)
        t.same(
          english.filter((text) => seen.includes(text)),
          [],
          `${path} in ${language}`,
        )
        t.same(withoutLanguage(html, language), [], `${path} in ${language}`)
      }
      const operations = [
        'update_order',
        'cancel_order',
        'set_order_price',
        'assign_driver',
        'plan_route',
        'add_proof_file',
      ]
      const actions = operations.map((operation) => `${home}/${operation === 'cancel_order' ? 2 : 1}/do/${operation}`)
      for (const path of [
        home,
        `${home}?status=HOLD&status=FAILED`,
        `${home}?q=Ann`,
        `${home}/1`,
        `${home}/1/do/replace_proof_file?file_id=f1`,
        `${home}/import`,
        ...actions,
      ]) {
        const address = `${path}${path.includes('?') ? '&' : '?'}lang=${language}`
        const page = await get(address, session.cookie)
        judge(path, page)
        const kept = /<a href="\?([^"]*)lang=ar"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&')
        t.equal(
          `?${kept}`,
          path.includes('?') ? `${path.slice(path.indexOf('?'))}&` : '?',
          'another language has the same query',
        )
      }
      const fields = { form: session.form, csv, step: 'check' }
      judge('a checked import', await post(`${home}/import?lang=${language}`, fields, session.cookie))
      const cancelling = `${home}/2/do/cancel_order?lang=${language}`
      const preview = { ...hiddenIn(await get(cancelling, session.cookie)), form: session.form, step: 'preview' }
      judge('a preview', await post(cancelling, preview, session.cookie))
    }
  },
)

t.test(
  'given a reader of German, when an action is taken, then its result is said in German, a refusal, too',
  async (t) => {
    const { get, signIn, create, act, follow, post } = await orders()
    const session = await signIn('client_admin')
    await create()
    t.match((await get(`${home}/1?lang=de`)).html, /action="\/orders\/sign-in\?lang=de"/)
    t.match(
      (await get(`${home}/1`, session.cookie, { 'accept-language': 'de-AT' })).html,
      /<html lang="de"[\s\S]*Neuer Auftrag/,
    )
    const done = await act('1/do/mark_order_ready?lang=de', { step: 'do' }, session)
    t.match(done.headers.get('location'), /^\/orders\/1\?.*&lang=de$/)
    const { html } = await follow(done, session)
    t.match(
      plain(html),
      /Erledigt: Als bereit melden\.[\s\S]*Bereit zur Abholung[\s\S]*client_admin of one Administrator/,
    )
    const refused = await act('1/do/assign_driver?lang=de', { step: 'do', driver_id: '99' }, session)
    t.match(refused, { status: 409, html: /role="alert"[^>]*>Es gibt keinen Fahrer 99\.</ })
    const arabic = await act('1/do/assign_driver?lang=ar', { step: 'do', driver_id: '99' }, session)
    t.match(arabic.html, /role="alert"[^>]*>السائق 99 غير موجود\.</)
    const missing = await act('1/do/fly_order?lang=de', { step: 'do' }, session)
    t.match(missing, { status: 404, html: /Diese Aktion gibt es nicht/ })
    const wrong = { form: session.form, csv: 'type,delivery.name,delivery.address.street\nX,Ann,1 Main', step: 'check' }
    t.match(
      (await post(`${home}/import?lang=de`, wrong, session.cookie)).html,
      /0 Aufträge würden angelegt, und 1 Zeile würde abgelehnt/,
    )
  },
)

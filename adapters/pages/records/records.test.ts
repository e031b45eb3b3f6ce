import t from 'tap'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { runPoliciesOnce } from '../../policies/index.ts'
import { plain } from '../html.test.fixture.ts'
import { site } from '../signed-in/site.test.fixture.ts'
import { formTexts } from '../texts/forms.ts'
import { untold } from '../texts.test.fixture.ts'
import { recordTexts } from './texts.ts'

const home = '/records'

function textsIn(language: string) {
  return { ...recordTexts(language), ...formTexts(language) }
}
const packages = `${home}/carrier-package`
const create = `${packages}/new/advise_carrier_package`

const advice = {
  package_number: 'PACKAGE-5',
  provider: 'acme',
  member_number: 'M-1001',
  'destination.location_name': 'Locker Main St',
  'destination.location_id': '9',
}

/** The pages, a provider, and a signed-in administrator. */
async function records() {
  const made = await site(home)
  const body = { name: 'acme' }
  const { status } = await made.send('POST', '/api/v1/providers', { token: made.tokens.client_admin, body })
  if (status !== 200) throw new Error('There is no provider.')
  const admin = await made.signIn('client_admin')
  const send = (path: string, fields: object, session = admin) =>
    made.post(path, { form: session.form, step: 'do', ...fields }, session.cookie)
  return { ...made, admin, submit: send }
}

t.test(
  'given things that have a table, when their pages are opened, then each kind that the account may see has a list',
  async (t) => {
    const { get, admin, signIn } = await records()
    const { html } = await get(home, admin.cookie)
    for (const kind of ['route', 'carrier-package', 'handoff']) {
      t.match(html, `href="/records/${kind}"`)
      t.match(await get(`${home}/${kind}`, admin.cookie), { status: 200, html: /Nothing fits\./ })
    }
    t.notMatch(html, '/records/device-order', 'its module is off')
    t.equal((await get(`${home}/device-order`, admin.cookie)).status, 404)
    t.match(html, 'href="/records" aria-current="page">Records<', 'the navigation leads there')
    const customer = await signIn('customer')
    t.equal((await get(packages, customer.cookie)).status, 404, 'a customer may not see packages')
  },
)

t.test(
  'given a carrier package, when it is moved by its forms, then its page has its fields, its status and what can follow',
  async (t) => {
    const { get, admin, submit } = await records()
    const form = (await get(create, admin.cookie)).html
    t.match(form, /<label for="package_number">Package number<\/label><input [^>]*maxlength="100" required/)
    const missing = await submit(create, { ...advice, package_number: '' })
    t.match(missing, { status: 422, html: /id="package_number-wrong"/ }, 'a refusal is beside its field')
    t.match(missing.html, 'value="Locker Main St"', 'what was entered stays')
    const created = await submit(create, advice)
    t.equal(created.status, 303)
    const seen = await get(created.headers.get('location') ?? '', admin.cookie)
    t.match(seen.html, 'Done: Advise carrier package.')
    for (const [field, value] of [
      ['Package number', 'PACKAGE-5'],
      ['Destination', '9'],
    ])
      t.match(seen.html, new RegExp(`<dt>${field}</dt><dd><bdi class="text">${value}`))
    t.match(seen.html, '/records/carrier-package/1/do/receive_carrier_package')
    t.notMatch(seen.html, '/do/shelve_carrier_package', 'its status does not allow it')
    t.equal((await get(`${packages}/1/do/shelve_carrier_package`, admin.cookie)).status, 404)
    const preview = await submit(`${packages}/1/do/receive_carrier_package`, {
      step: 'preview',
      'origin.location_name': 'North',
    })
    t.match(preview, { status: 200, html: /This is what would be recorded/ })
    t.match((await get(`${packages}/1`, admin.cookie)).html, '>Advised<', 'nothing has been done')
    await submit(`${packages}/1/do/receive_carrier_package`, { 'origin.location_name': 'North' })
    const { html } = await get(packages, admin.cookie)
    t.match(html, /href="\/records\/carrier-package\/1">1<\/a><\/th><td><span class="badge"[^>]*>Listed</)
    t.match((await get(`${packages}?status=advised`, admin.cookie)).html, 'Nothing fits.')
    t.match((await get(`${packages}?status=nonsense`, admin.cookie)).status, 422)
  },
)

t.test(
  'given what cannot be undone, when its form is sent, then it is shown first, and done by the second form alone',
  async (t) => {
    const { get, admin, submit } = await records()
    await submit(create, advice)
    const erase = `${packages}/1/do/erase_carrier_package`
    t.match(plain((await get(erase, admin.cookie)).html), 'so it is shown before it is done')
    t.match(await submit(erase, {}), { status: 200, html: /This is what would be recorded/ })
    t.match((await get(`${packages}/1`, admin.cookie)).html, 'M-1001')
    t.equal((await submit(erase, { confirm: '1' })).status, 303)
    t.notMatch((await get(`${packages}/1`, admin.cookie)).html, 'M-1001')
  },
)

t.test(
  'given forms that are sent twice, late or to be changed, then nothing is lost and nothing is done twice',
  async (t) => {
    const { get, admin, submit } = await records()
    await submit(create, advice)
    const receive = `${packages}/1/do/receive_carrier_package`
    const filled = { 'origin.location_name': 'North', key: 'one-key-of-a-form' }
    for (let time = 0; time < 2; time++) t.equal((await submit(receive, filled)).status, 303, 'a double click')
    const late = await submit(receive, { ...filled, key: 'another-key-of-a-form' })
    t.match(late, { status: 409, html: /value="North"/ }, 'the status has changed: it says so, and the entries stay')
    const preview = await submit(create, { ...advice, step: 'preview' })
    t.match(preview.html, 'name="step" value="change"')
    const changing = await submit(create, { ...advice, package_number: '', step: 'change' })
    t.match(changing, { status: 200, html: /value="Locker Main St"/ }, 'the form has what was entered')
    t.notMatch((await get(packages, admin.cookie)).html, '/records/carrier-package/2"')
  },
)

t.test(
  'given an action whose answer alone has a secret, when it is done, then the page shows the secret once',
  async (t) => {
    const { get, admin, submit, send, tokens } = await records()
    const modules = { modules: { device_orders: 'on' } }
    await send('PUT', '/api/v1/business/modules', { token: tokens.client_admin, body: modules })
    const orders = `${home}/device-order`
    const deposit = { kind: 'delivery', device_type: 'locker', device_id: '4', device_name: 'Locker Main St' }
    t.equal((await submit(`${orders}/new/create_device_order`, deposit)).status, 303)
    const preview = await submit(`${orders}/1/do/store_device_order`, { step: 'preview' })
    t.match(preview, { status: 200, html: /Pickup code issued/ })
    t.notMatch(preview.html, 'code_hash', 'nobody reads that')
    const stored = await submit(`${orders}/1/do/store_device_order`, {})
    t.match(stored, { status: 200, html: /Copy this now/ })
    const code = /<dt>Pickup code<\/dt><dd><code>(\d+)</.exec(stored.html)?.[1] ?? ''
    t.not(code, '')
    t.notMatch((await get(`${orders}/1`, admin.cookie)).html, code)
    const collected = await submit(`${orders}/1/do/collect_device_order`, { pickup_code: code })
    t.equal(collected.status, 303, 'it is the code')
  },
)

t.test(
  'given numbers in one field, when they are typed with commas, then they are taken, and a wrong one is said there',
  async (t) => {
    const { submit } = await records()
    const plan = `${home}/route/new/plan_route`
    const wrong = await submit(plan, { schedule_date: '2026-06-12', order_ids: '7, x' })
    t.match(wrong, { status: 422, html: /id="order_ids-wrong"/ })
    const missing = await submit(plan, { schedule_date: '2026-06-12', order_ids: '98, 99' })
    t.match(plain(missing.html), /There is no order 98\./)
  },
)

t.test('given a form with a list, when more rows are asked for, then it has them with what was entered', async (t) => {
  const { get, admin, submit } = await records()
  const form = `${home}/locker-delivery/new/create_locker_delivery`
  const { html } = await get(form, admin.cookie)
  const member = /name="parcels\.1\.(\w+)"/.exec(html)?.[1] ?? ''
  t.notMatch(html, `name="parcels.2.${member}"`)
  t.match(html, 'value="change" class="plain" formnovalidate>More rows<')
  const more = await submit(form, { [`parcels.0.${member}`]: 'One', [`parcels.1.${member}`]: '', step: 'change' })
  t.match(more, { status: 200, html: `name="parcels.3.${member}"` })
  t.match(more.html, 'value="One"')
  const gap = await submit(form, { [`parcels.0.${member}`]: 'One', [`parcels.3.${member}`]: 'Two', step: 'preview' })
  t.match(gap.html, 'value="Two"', 'a row after an empty one is not lost')
})

t.test(
  'given filters of other kinds than text, when they are used, then they work, and what is wrong stays',
  async (t) => {
    const { get, admin, submit, send, tokens } = await records()
    const token = tokens.client_admin
    await send('PUT', '/api/v1/business/modules', { token, body: { modules: { device_orders: 'on' } } })
    const orders = `${home}/device-order`
    await submit(`${orders}/new/create_device_order`, {
      ...{ kind: 'delivery', device_type: 'locker', device_id: '4', device_name: 'Locker Main St' },
    })
    t.match((await get(`${orders}?overdue=false`, admin.cookie)).html, '/records/device-order/1"')
    const overdue = (await get(`${orders}?overdue=true`, admin.cookie)).html
    t.match(overdue, '<option value="true" selected>Yes</option>')
    t.notMatch(overdue, '/records/device-order/1"')
    const wrong = await get(`${orders}?device_id=four`, admin.cookie)
    t.match(wrong, { status: 422, html: /name="device_id" type="text" value="four"/ })
    t.notMatch(wrong.html, 'Nothing fits')
  },
)

t.test('given what answers have beside a record, when its page is opened, then it has that too', async (t) => {
  const { get, admin, submit, send, tokens } = await records()
  const token = tokens.client_admin
  await send('PUT', '/api/v1/business/modules', { token, body: { modules: { device_orders: 'on' } } })
  const body = { kind: 'delivery', device_type: 'locker', device_id: 4, device_name: 'Locker Main St' }
  await send('POST', '/api/v1/device-orders', { token, body })
  const report = { type: 'deposit_unverified', note: 'It rattles' }
  t.equal((await submit(`${home}/device-order/1/do/open_device_exception`, report)).status, 303)
  const { html } = await get(`${home}/device-order/1`, admin.cookie)
  t.match(html, '<dt>Type</dt><dd><span>Deposit unverified</span></dd>')
  t.notMatch(html, 'exceptions[0]')
})

t.test('given a package on the way to an order, when its page is opened, then it leads to the order', async (t) => {
  const { get, admin, submit, send, tokens } = await records()
  const body = { type: 'D', delivery: { name: 'Ann Lee', address: { street: '1 Main Street' } } }
  await send('POST', '/api/v1/orders', { token: tokens.client_admin, body })
  await submit(create, advice)
  await submit(`${packages}/1/do/receive_carrier_package`, { 'origin.location_name': 'North' })
  const distributed = await submit(`${packages}/1/do/distribute_carrier_package`, { order_id: '1' })
  t.equal(distributed.status, 303)
  for (const path of [packages, `${packages}/1`])
    t.match((await get(`${path}?lang=de`, admin.cookie)).html, '<a href="/orders/1?lang=de">1</a>', path)
  const refused = await submit(`${packages}/1/do/distribute_carrier_package`, { order_id: '99' })
  t.equal(refused.status, 409, 'it is on an order already')
})

t.test(
  'given texts that look like times and are none, when pages are opened, then they show them as they are',
  async (t) => {
    const { get, admin, submit } = await records()
    for (const package_number of ['2026-99-99T99:99', '2026-06-10T09:00 box', '2026-02-30T09:00:00Z'])
      await submit(create, { ...advice, package_number })
    for (const path of [packages, `${packages}/1`, `${packages}/2`, `${packages}/3`])
      t.equal((await get(path, admin.cookie)).status, 200, path)
    t.match((await get(packages, admin.cookie)).html, '>2026-06-10T09:00 box</bdi>')
  },
)

t.test('given another business, or nobody, when a page is asked for, then it tells nothing of it', async (t) => {
  const { get, admin, submit, signIn, post } = await records()
  await submit(create, advice)
  const stranger = await signIn('client_admin', 'two')
  for (const path of [`${packages}/1`, `${packages}/1/do/erase_carrier_package`, `${packages}/2`, `${home}/none`])
    t.equal((await get(path, stranger.cookie)).status, 404, path)
  t.notMatch((await get(packages, stranger.cookie)).html, 'PACKAGE-5')
  t.match((await get(`${packages}/1`)).html, 'type="password"')
  t.equal((await post(create, { ...advice, step: 'do' }, admin.cookie)).status, 403, 'a form from elsewhere')
})

t.test(
  'given a reader of another language, then the pages are in it, names of the interface are marked, and links keep it',
  async (t) => {
    const { get, admin, submit } = await records()
    await submit(create, advice)
    for (const language of ['de', 'ar'])
      for (const path of [home, packages, `${packages}/1`, `${packages}/1/do/receive_carrier_package`, create]) {
        const { html } = await get(`${path}?lang=${language}`, admin.cookie)
        t.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
        untold(t, html, textsIn(language), textsIn('en'), `${path} in ${language}`)
        t.notMatch(
          html.replace(/<title>.*?<\/title>|<bdi lang="en">.*?<\/bdi>|<[^>]*>/g, ''),
          /Carrier package|Receive/,
        )
        for (const [, address = ''] of html
          .replace(/<form class="filter"[^>]*>/, '')
          .matchAll(/(?:href|action)="(\/(?!assets)[^"]+)"/g))
          if (address !== '/') t.match(address, `lang=${language}`, `${address} keeps the language`)
      }
  },
)

t.test(
  'given things without a table, when an operation lists them for pages, then they are begun, shown and ended there',
  async (t) => {
    const { get, admin, submit, signIn } = await records()
    const rates = `${home}/exchange-rate`
    t.match((await get(home, admin.cookie)).html, `href="${rates}"`)
    const set = `${rates}/new/set_exchange_rate`
    t.match(await submit(set, { from: 'USD', to: 'USD', rate: '1.37' }), { status: 422, html: /id="to-wrong"/ })
    const made = await submit(set, { from: 'USD', to: 'CAD', rate: '1.37' })
    t.match(made.headers.get('location'), new RegExp(`^${rates}/1\\?`))
    const { html } = await get(`${rates}/1`, admin.cookie)
    t.match(html, '<dt>Rate</dt><dd><bdi class="text">1.37</bdi></dd>')
    t.match(html, `href="${rates}/1/do/end_exchange_rate"`)
    t.match((await get(`${rates}?from=USD`, admin.cookie)).html, `<a href="${rates}/1">1</a>`)
    t.equal((await submit(`${rates}/1/do/end_exchange_rate`, {})).status, 303)
    const employee = await signIn('client_employee')
    t.notMatch((await get(rates, employee.cookie)).html, 'set_exchange_rate', 'who may not set one is offered nothing')
    const stranger = await signIn('client_admin', 'two')
    for (const path of [`${rates}/1`, `${rates}/1/do/end_exchange_rate`, `${rates}/none`])
      t.equal((await get(path, stranger.cookie)).status, 404, path)
  },
)

t.test('given what a carrier needs of an account, when it is written a line each, then it is added', async (t) => {
  const { get, admin, submit } = await records()
  const accounts = `${home}/carrier-account`
  const add = `${accounts}/new/add_carrier_account`
  t.match(await submit(add, { carrier: 'sandbox', credentials: 'secret: x' }), { status: 422 })
  t.equal((await submit(add, { carrier: 'sandbox', credentials: 'account: acme: one\r\n' })).status, 303)
  const { html } = await get(`${accounts}/1`, admin.cookie)
  t.match(html, '<dt>Carrier</dt><dd><bdi class="text">sandbox</bdi></dd>')
  t.notMatch(html, 'acme: one', 'credentials are not shown')
  const remove = `${accounts}/1/do/remove_carrier_account`
  t.match(
    await submit(remove, {}),
    { status: 200, html: /Nothing has been done yet/ },
    'what takes away is shown first',
  )
  const removed = await submit(remove, { confirm: '1' })
  t.match(removed.headers.get('location'), new RegExp(`^${accounts}\\?`), 'its page is gone')
})

t.test('given lists, times and yes or no, when a form has them, then they are ticked and chosen', async (t) => {
  const { get, admin, submit, send, tokens, ids } = await records()
  const rules = `${home}/assignment-rule`
  const form = (await get(`${rules}/new/create_assignment_rule`, admin.cookie)).html
  t.match(form, '<input type="checkbox" name="rule.when.weekdays" value="sunday"')
  t.match(form, '<select id="rule.is_on" name="rule.is_on"')
  const weekend = {
    ...{ 'rule.name': 'Weekend', 'rule.target': 'drivers', 'rule.is_on': 'false' },
    'rule.when.weekdays': ['saturday', 'sunday'],
  }
  const previewed = await submit(`${rules}/new/create_assignment_rule`, { ...weekend, step: 'preview' })
  t.match(previewed.html, 'name="rule.when.weekdays" value="saturday\nsunday"')
  // Browsers send the lines of a hidden field with CRLF.
  const back = { ...weekend, 'rule.when.weekdays': 'saturday\r\nsunday', step: 'change' }
  const again = (await submit(`${rules}/new/create_assignment_rule`, back)).html
  for (const day of ['saturday', 'sunday']) t.match(again, `value="${day}" checked`)
  t.equal((await submit(`${rules}/new/create_assignment_rule`, weekend)).status, 303)
  const { rule } = (await send('GET', '/api/v1/assignment-rules/1', { token: tokens.client_admin })).body
  t.match(rule, { is_on: false, when: { weekdays: ['saturday', 'sunday'] } })
  const board = `${home}/route-board`
  await submit(`${board}/new/post_route_board`, { seats: '1' })
  const assign = (await get(`${board}/1/do/assign_board_driver`, admin.cookie)).html
  t.match(assign, new RegExp(`<option value="${ids.driver}">`), 'people are chosen by name')
  const times = `${home}/pickup/new/request_pickup`
  t.match((await get(times, admin.cookie)).html, /name="ready_at" type="datetime-local" required/)
  const refused = await submit(times, { order_ids: '1', ready_at: '2026-06-11T09:00', closes_at: '2026-06-11T08:00' })
  t.match(
    refused.html,
    /name="ready_at" type="datetime-local" required value="2026-06-11T09:00"/,
    'what was entered stays',
  )
})

t.test('given accounts, when one is added and changed by forms, then they begin with what is there', async (t) => {
  const { get, admin, submit, send, tokens, post } = await records()
  const accounts = `${home}/account`
  const add = `${accounts}/new/add_account`
  t.match((await get(add, admin.cookie)).html, /name="password" type="password"[^>]* required/)
  const person = { role: 'driver', email: 'Zoe@one.example', name: 'Zoe', password: 'correct battery horse' }
  const previewed = await submit(add, { ...person, step: 'preview' })
  t.equal(previewed.status, 200)
  t.notMatch(previewed.html.replaceAll(/<input type="hidden"[^>]*>/g, ''), 'correct battery horse')
  t.notMatch(
    (await get(`${accounts}/1`, admin.cookie)).html,
    'set_hidden_prices',
    'it could not begin with what is there',
  )
  const made = await submit(add, person)
  const own = (made.headers.get('location') ?? '').split('?')[0] ?? ''
  t.match(own, new RegExp(`^${accounts}/[0-9]+$`))
  const update = `${own}/do/update_account`
  const { html } = await get(update, admin.cookie)
  t.match(html, /name="name" [^>]*value="Zoe"/)
  const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(html) ?? []
  t.equal((await submit(update, { name: 'Zoe Q.', seen })).status, 303)
  const late = await submit(update, { name: 'Zoe R.', seen })
  t.match(late, { status: 409, html: /changed while this form was open/ }, 'nothing that others did is undone')
  const { accounts: found } = (await send('GET', '/api/v1/accounts?role=driver', { token: tokens.client_admin })).body
  t.match(found.at(-1), { name: 'Zoe Q.', role: 'driver' })
  t.equal((await post(update, { step: 'do', name: 'x', seen }, admin.cookie)).status, 403, 'a form from elsewhere')
})

t.test('given a label, when it is bought by a form, then its document is a file, and it is voided there', async (t) => {
  const { get, admin, submit } = await records()
  const labels = `${home}/label`
  await submit(`${home}/carrier-account/new/add_carrier_account`, {
    carrier: 'sandbox',
    credentials: 'account: acme',
  })
  const party = (place: string, name: string) => ({
    ...{ [`${place}.name`]: name, [`${place}.street`]: '1 Main Street', [`${place}.country`]: 'CA' },
    [`${place}.postal_code`]: 'M5V 1A1',
  })
  const shipment = { ...party('from', 'Acme'), ...party('to', 'Joe'), 'parcels.0.weight_grams': '800' }
  const bought = await submit(`${labels}/new/quote_and_ship`, shipment)
  t.match(bought.headers.get('location'), new RegExp(`^${labels}/1\\?`))
  const { html } = await get(`${labels}/1`, admin.cookie)
  t.match(html, '<span class="badge">Purchased</span>')
  const file = `${labels}/1/file/download_shipping_label`
  t.match(html, `href="${file}">Document of a label<`)
  const document = await get(file, admin.cookie)
  t.match(document, { status: 200, html: /^%PDF-/ })
  t.match(document.headers.get('content-disposition'), 'attachment; filename="label-1.pdf"')
  t.equal((await get(`${labels}/1/file/get_manifest_document`, admin.cookie)).status, 404)
  const form = (await get(`${labels}/1/do/cancel_shipping_label`, admin.cookie)).html
  t.notMatch(form, 'name="tracking_number"', 'the page says which label it is')
  t.equal((await submit(`${labels}/1/do/cancel_shipping_label`, { confirm: '1' })).status, 303)
  t.match((await get(`${labels}?status=LABEL_VOIDED`, admin.cookie)).html, `<a href="${labels}/1">1</a>`)
})

t.test('given an invitation, when it is previewed, then nobody gets a message before it is sent', async (t) => {
  const box = mailbox()
  const { signIn, post } = await site(home, { mail: box.mail })
  const { cookie, form } = await signIn('client_admin')
  const invite = `${home}/account/new/invite_account`
  const fields = { form, role: 'driver', email: 'dee@b.example', name: 'Dee' }
  t.match(await post(invite, { ...fields, step: 'preview' }, cookie), {
    status: 200,
    html: /Nothing has been done yet/,
  })
  t.equal((await post(invite, { ...fields, step: 'do' }, cookie)).status, 303)
  t.match(await box.next(), { to: ['dee@b.example'] })
  t.equal(box.taken.length, 1)
})

t.test(
  'given two parcels under the number of an order, when its page is opened, then staff see both journeys and split them',
  async (t) => {
    const { get, send, parts, admin, submit, tokens, clock } = await records()
    const own = { token: tokens.client_admin }
    const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'FR' } }
    const { body: order } = await send('POST', '/api/v1/orders', { ...own, body: { type: 'D', delivery } })
    const subject = { tracking_number: order.tracking_number }
    const report = async (name: string, days: number, status_code: string, country: string) => {
      const known =
        name === 'acme' ? 'acme' : (await send('POST', '/api/v1/providers', { ...own, body: { name } })).body
      const { key } =
        known === 'acme' ? (await send('POST', '/api/v1/providers/acme/rotate', { ...own, body: {} })).body : known
      const occurred_at = new Date(clock.now + days * 86_400_000).toISOString()
      const event = { event_id: `${name} ${days}`, occurred_at, status_code, location: { address: { country } } }
      const { status } = await send('POST', '/api/v1/otep/ingest', { token: key, body: { subject, events: [event] } })
      t.equal(status, 200)
    }
    await report('acme', -9, 'delivered', 'FR')
    await report('osaka-post', -5, 'in_transit', 'JP')
    await runPoliciesOnce(parts)
    const list = `${home}/shared-number`
    const page = `${list}/${order.tracking_number}`
    t.match((await get(list, admin.cookie)).html, new RegExp(`href="${page}"`))
    const both = plain((await get(page, admin.cookie)).html)
    t.match(both, /delivered FR[\s\S]*osaka-post[\s\S]*in_transit JP/)
    const form = `${page}/do/split_timeline`
    t.match((await get(form, admin.cookie)).html, /name="providers"/)
    t.match((await submit(form, { providers: 'osaka-post' })).html, /name="confirm"/, 'it is shown first')
    t.equal((await submit(form, { providers: 'osaka-post', confirm: '1' })).status, 303)
    t.notMatch(plain((await get(page, admin.cookie)).html), /in_transit JP/)
    await runPoliciesOnce(parts)
    t.notMatch((await get(list, admin.cookie)).html, new RegExp(`href="${page}"`))
  },
)

t.test(
  'given goods in the form of a label, then they are no parcels in any language, and rows are numbered',
  async (t) => {
    const { get, admin } = await records()
    const form = async (language: string) =>
      (await get(`${home}/label/new/quote_and_ship?lang=${language}`, admin.cookie)).html
    const [english, german] = [await form('en'), await form('de')]
    const legendsIn = (html: string) => [...html.matchAll(/<legend>([^<]*)<\/legend>/g)].map(([, words]) => words)
    const goods = (name: string) => [name, '1.', '2.']
    t.same(legendsIn(english).slice(2), [
      ...['Parcels', '1.', ...goods('Items'), '2.', ...goods('Items')],
      ...['Customs', ...goods('Items')],
    ])
    t.equal(legendsIn(german).filter((words) => words === 'Waren').length, 3)
    for (const words of ['HS code', 'Sender EORI', 'Sender VAT number', 'IOSS number', 'SKU'])
      t.ok(english.includes(words), words)
  },
)

t.test(
  'given a shop, when it is connected and tested by its forms, then its page says so without its credentials',
  async (t) => {
    const { get, admin, submit } = await records()
    const shops = `${home}/shop`
    const form = (await get(`${shops}/new/connect_shop`, admin.cookie)).html
    t.match(form, /WooCommerce|Woocommerce/)
    t.match(form, /name="credentials/)
    const fields = { kind: 'magento', name: 'Spring books', address: 'https://93.184.215.14', sends: 'true' }
    const made = await submit(`${shops}/new/connect_shop`, {
      ...fields,
      credentials: 'access_token: mg_0123456789abcdef',
    })
    t.equal(made.status, 303)
    const { html } = await get(`${shops}/1`, admin.cookie)
    t.match(html, /Spring books/)
    t.match(html, /test_shop/)
    t.notMatch(html, 'mg_0123456789abcdef')
  },
)

import { readFileSync, rmSync } from 'node:fs'
import t from 'tap'
import type * as sites from '../../adapters/pages/signed-in/site.test.fixture.ts'
import type * as pages from '../../docs/generate/pages.ts'
import type * as engine from '../../engine/index.ts'
import { parcel } from '../../profiles/index.ts'
import { projectFile } from '../program/files.ts'
import { compiled, type Edit, editedCopy } from './copy.ts'
import { family } from './family.ts'

/** A field of an order with a price. */
const priced: Edit = {
  file: 'engine/domains/orders/order.ts',
  before: '  source: {\n',
  text: `  cod_amount: {
    ...fact,
    about: 'Cash that the driver collects on delivery.',
    type: amount,
    example: '99.00',
    set: { create: 'optional' },
    price: 'local_delivery',
    setBy: staff,
    webhooks: ['order.created'],
  },
`,
}

/** A personal field of an order. */
const erasable: Edit = {
  file: 'engine/domains/orders/order.ts',
  before: '  source: {\n',
  text: `  door_code: {
    ...personal,
    about: 'Code of the street door.',
    type: text(20),
    example: '4711#',
    set: { create: 'optional' },
    webhooks: ['order.created'],
  },
`,
}

const status: Edit = {
  file: 'engine/kernel/order-status.ts',
  before: '  FAILED: {',
  text: "  INSPECTED: { id: 12, meaning: 'Inspected by its driver.' },\n",
}

/** The move that leads to the status. */
const move: Edit = {
  file: 'engine/domains/orders/moves.ts',
  before: '  depart: {\n',
  text: `  inspect: {
    from: ['PICKED_UP'],
    to: 'INSPECTED',
    event: 'OrderInspected',
    statusChange: { type: 1010, description: 'The driver inspected it.' },
    step: withCircumstances,
    call: {
      operation: 'inspect_order',
      verb: 'inspect',
      summary: 'The driver has inspected an order.',
      by: driverOrStaff,
      errors,
    },
    webhook: { event: 'order.inspected', summary: 'The driver inspected the order.' },
  },
`,
}

const customsCleared = `  customs_cleared: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'Customs have released the parcel.',
    like: 'in_transit',
    webhook: { statusId: 21, key: 'customs-cleared', type: 'T' },
    phrases: { en: 'Cleared by customs' },
  },
`

/** The parcel profile with a code more: its meaning, and in the table a column and a row. */
function withCode(source: string): string {
  const column = (line: string) => {
    const [, code] = /^ {2}([a-z_]+) .*[-o.x]$/.exec(line) ?? []
    return code === undefined ? line : `${line} ${code === 'in_transit' ? 'o' : '.'}`
  }
  const lines = source
    .replace('} as const satisfies Record', `${customsCleared}} as const satisfies Record`)
    .split('\n')
  const end = lines.indexOf('`')
  const row = `  customs_cleared ${'o '.repeat(Object.keys(parcel.codes).length)}-`
  return [...lines.slice(0, end).map(column), row, ...lines.slice(end)].join('\n')
}

const file = 'profiles/parcel.ts'
const code: readonly Edit[] = [{ file, text: withCode(readFileSync(projectFile(file), 'utf8')) }]

/** A language for recipients: Danish, as far as this test looks, which is otherwise Dutch. */
const language: Edit = {
  file: 'adapters/locales/da.json',
  text: readFileSync(projectFile('adapters/locales/nl.json'), 'utf8').replaceAll('Bezorgd', 'Leveret'),
}

/** The pages of what an operation lists. */
const page: Edit = {
  file: 'engine/domains/providers/own.ts',
  before: '  input: v.strictObject({}),\n  output: v.strictObject({ result: v.literal(true), providers:',
  text: "  page: 'delivery partner',\n",
}

/** The code of a refusal. */
const refusal: Edit = {
  file: 'engine/domains/orders/messages.ts',
  before: '    order_not_found: ',
  text: "    order_lost: 'Nobody can find order {order}.',\n",
}

t.test(
  'given fields, a status, a move, codes, a page and a language in one place each, when the tree is built, then all surfaces have them',
  async (t) => {
    const copy = editedCopy([priced, erasable, status, move, language, page, refusal, ...code, ...family])
    t.teardown(() => rmSync(copy, { recursive: true, force: true }))
    const { site } = await compiled<typeof sites>(copy, 'adapters/pages/signed-in/site.test.fixture.js')
    const { descriptionFiles, referencePages } = await compiled<typeof pages>(copy, 'docs/generate/pages.js')
    const { addProvider, call, domains, en, withoutPrices } = await compiled<typeof engine>(copy, 'engine/index.js')
    const { send, tokens, ids, parts, get, post, signIn } = await site('/orders')
    const [staff, customer] = [tokens.client_admin, tokens.customer]
    const reference = new Map([...referencePages(), ...descriptionFiles()])
    const ann = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
    const given = { cod_amount: '817.26', door_code: '4711#' }
    const order = { type: 'D', delivery: ann, customer_id: ids.customer, ...given }
    const created = await send('POST', '/api/v1/orders', { token: staff, body: order })
    t.equal(created.status, 200, JSON.stringify(created.body))
    const id = Number(created.body.order_id)
    const read = async (token: string, path = '') => (await send('GET', `/api/v1/orders/${id}${path}`, { token })).body
    const hide = (families: readonly string[]) =>
      send('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { token: staff, body: { families } })
    /** The webhook data of the order, for each event. */
    async function told(stream: string) {
      const found: { type: string; data: (reader: engine.Reader) => unknown; schema: unknown }[] = []
      const eventTypes = domains.flatMap((domain) => domain.webhookEventTypes ?? [])
      for await (const event of parts.store.readAll())
        for (const source of domains.flatMap((domain) => domain.webhookEventSources ?? []))
          if (event.stream === stream && source.category === 'order' && source.types.includes(event.type))
            for (const one of await source.webhookEventsOf({ ...parts, ...parts.ports }, event))
              found.push({ ...one, schema: eventTypes.find(({ name }) => name === one.type)?.data })
      return found
    }

    t.test(
      'then a price is shown to staff and the customer, hidden with its family, and given by staff alone',
      async (t) => {
        t.match((await read(staff)).order, given)
        t.match((await read(customer)).order, given)
        const mine = await send('POST', '/api/v1/orders', {
          token: customer,
          body: { ...order, customer_id: undefined },
        })
        t.match(mine.body.errors, [{ path: 'cod_amount', code: 'only_staff' }])
        await hide(['local_delivery'])
        t.notMatch(JSON.stringify([await read(customer), await read(customer, '/operation-events')]), /817\.26/)
        t.match((await read(staff)).order, given)
        const [one] = await told(`order-${id}`)
        t.match(one?.data('business'), given, 'order.created carries both')
        const hidden = withoutPrices(one?.schema as never, one?.data('customer'), ['local_delivery'])
        t.match(hidden, { door_code: '4711#' })
        t.notMatch(JSON.stringify(hidden), /817\.26/)
        await hide([])
      },
    )

    t.test('then the audit trail, OpenAPI, the tools of agents and the reference pages have both', async (t) => {
      const { events } = await read(staff, '/operation-events')
      t.match(events[0].changes, { cod_amount: { to: '817.26' }, door_code: { to: '4711#' } })
      for (const page of ['openapi.json', 'asyncapi-webhooks.json', 'rest/client-objects.md', 'fields.md'])
        for (const name of Object.keys(given)) t.match(reference.get(page), name, page)
      const list = await send('POST', '/mcp', {
        token: staff,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        headers: { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json, text/event-stream' },
      })
      const tools: { name: string; inputSchema: { properties: object } }[] = list.body.result.tools
      const create = tools.find(({ name }) => name === 'create_order')
      for (const name of Object.keys(given)) t.ok(name in (create?.inputSchema.properties ?? {}), name)
    })

    t.test('then the page of the order shows both, named as the fields are', async (t) => {
      const { cookie } = await signIn('client_admin')
      const { html } = await get(`/orders/${id}`, cookie)
      t.match(html, /<dt>Cod amount<\/dt><dd>.*817\.26/)
      t.match(html, /<dt>Door code<\/dt><dd>.*4711#/)
    })

    t.test('then a reroute carries both, and an erasure takes the personal one alone', async (t) => {
      const address = { street: '2 Other Road', country: 'CA' }
      const rerouted = await send('POST', `/api/v1/orders/${id}/reroute`, { token: staff, body: { address } })
      const path = `/api/v1/orders/${rerouted.body.order_id}`
      t.match((await send('GET', path, { token: staff })).body.order, given)
      const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
      const context = { ...parts, caller, messages: en, requestId: 'test' }
      const forget = domains.flatMap(({ operations }) => operations).find(({ name }) => name === 'forget_order')
      await call(forget as engine.Operation, context, { order_id: rerouted.body.order_id })
      const { body } = await send('GET', path, { token: staff })
      t.match(body.order, { cod_amount: '817.26', personal_data_erased: true })
      t.notMatch(
        JSON.stringify([body, (await send('GET', `${path}/operation-events`, { token: staff })).body]),
        /4711#/,
      )
    })

    t.test('then the new move leads to the new status on every surface', async (t) => {
      const next = (await send('POST', '/api/v1/orders', { token: staff, body: order })).body.order_id
      const step = async (verb: string, body: object = {}) =>
        (await send('POST', `/api/v1/orders/${next}/${verb}`, { token: staff, body })).body
      t.match(await step('inspect'), { code: 'order_status_forbids' })
      await step('assign-driver', { driver_id: ids.driver })
      await step('pick-up')
      t.match(await step('inspect', { note: 'fine' }), { result: true, status: 'INSPECTED', order_status_id: 12 })
      const listed = await send('GET', '/api/v1/orders?status=INSPECTED', { token: staff })
      t.match(listed.body, { total: 1, orders: [{ order_id: next, status: 'INSPECTED' }] })
      const names = (await told(`order-${next}`)).map(({ type }) => type)
      t.same(names.slice(-2), ['order.status_change', 'order.inspected'])
      const events = (await send('GET', `/api/v1/orders/${next}/operation-events`, { token: staff })).body.events
      t.match(events.at(-1), { type: 'OrderInspected', from: 'PICKED_UP', to: 'INSPECTED', note: 'fine' })
      t.match(reference.get('openapi.json'), '/api/v1/orders/{order_id}/inspect')
      t.match(reference.get('asyncapi-webhooks.json'), 'order.inspected')
      for (const word of ['INSPECTED', '/inspect']) t.match(reference.get('order-statuses.md'), word)
    })

    t.test('then the language is offered, chosen by browsers, and has the phrases of webhooks', async (t) => {
      const event = { event_id: 'd1', status_code: 'delivered', occurred_at: '2026-06-10T09:00:00Z' }
      const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
      const context = { ...parts, caller, messages: en, requestId: 'test' }
      const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
      const document = { subject: { tracking_number: 'DANISH1' }, events: [event] }
      t.equal((await send('POST', '/api/v1/otep/ingest', { token: String(key), body: document })).status, 200)
      const { html } = await get('/track/DANISH1', '', { 'accept-language': 'da-DK, en;q=0.5' })
      for (const part of ['<html lang="da" dir="ltr">', 'Leveret', '>Dansk<']) t.match(html, part)
      t.match((await get('/track/DANISH1')).html, 'href="?lang=da" lang="da"')
      t.match((await get('/orders?lang=da')).html, '<html lang="en"', 'pages that it lacks are in English')
    })

    t.test(
      'then a family of orders is one folder and one line: it moves, tells webhooks, hides prices, is documented and has pages in two languages',
      async (t) => {
        const jobs = '/api/v1/garden-jobs'
        const ask = async (method: string, path: string, body?: object) =>
          (await send(method, `${jobs}${path}`, { token: staff, ...(body && { body }) })).body
        const booked = await ask('POST', '', { garden: '1 Rose Lane', due_on: '2026-06-12', fee: '40.00' })
        t.match(booked, { result: true, job_id: 1, status: 'booked' })
        t.match(await ask('POST', '/1/begin', {}), { code: 'garden_job_status_forbids' })
        for (const verb of ['confirm', 'begin', 'finish'])
          t.match(await ask('POST', `/1/${verb}`, {}), { result: true })
        t.match(await ask('GET', '/1'), { job: { status: 'done', garden: '1 Rose Lane', fee: '40.00' } })
        t.match(await ask('GET', '?status=done'), { total: 1, jobs: [{ job_id: 1, due_on: '2026-06-12' }] })
        t.match(await ask('GET', '/2'), { code: 'garden_job_not_found', message: 'There is no garden job 2.' })
        const eventTypes = domains.flatMap(({ webhookEventTypes = [] }) => webhookEventTypes)
        const done = eventTypes.find(({ name }) => name === 'garden_job.done')
        const priceless = withoutPrices(done?.data as never, done?.example, ['local_delivery'])
        t.match(priceless, { job_id: 5 })
        t.notOk('fee' in (priceless as object), 'its price is hidden with its family')
        t.match(reference.get('openapi.json'), '/api/v1/garden-jobs/{job_id}/call-off')
        t.match(reference.get('asyncapi-webhooks.json'), 'garden_job.booked')
        for (const page of ['fields.md', 'statuses.md']) t.match(reference.get(page), /garden.job/i, page)
        const { cookie } = await signIn('client_admin')
        t.match((await get('/records/garden-job', cookie)).html, '/records/garden-job/1')
        t.match((await get('/records/garden-job/1', cookie)).html, /<dt>Fee<\/dt><dd>.*40\.00/)
        t.match((await get('/records/garden-job/new/book_garden_job', cookie)).html, /for="due_on"/)
        const { html } = await get('/records/garden-job?lang=de', cookie)
        for (const word of ['Gartenaufträge', 'Gepflegt']) t.match(html, word, 'a second language is words in its file')
        t.ok(family.filter(({ before }) => before === undefined).every(({ text }) => text.split('\n').length < 160))
      },
    )

    t.test('then what is listed has pages: it is begun there, its secret is shown once, and it is ended', async (t) => {
      const partners = '/records/delivery-partner'
      const { cookie, form } = await signIn('client_admin')
      const submit = (path: string, fields: object = {}) => post(path, { form, step: 'do', ...fields }, cookie)
      t.match((await get('/records', cookie)).html, `<a href="${partners}">`)
      const made = await submit(`${partners}/new/add_own_provider`, { name: 'swift' })
      const [, key = ''] = /<dt>Key<\/dt><dd><code>(\w{30,})<\/code>/.exec(made.html) ?? []
      t.not(key, '', made.html)
      t.match((await get(partners, cookie)).html, `<a href="${partners}/swift">swift</a>`)
      const { html } = await get(`${partners}/swift`, cookie)
      for (const action of ['rotate_key_of_own_provider', 'revoke_own_provider'])
        t.match(html, `${partners}/swift/do/${action}`)
      t.notOk(html.includes(key), 'nothing shows it again')
      t.equal((await submit(`${partners}/swift/do/revoke_own_provider`, { confirm: '1' })).status, 303)
      t.match((await get(partners)).html, 'type="password"', 'nobody sees it without signing in')
    })

    t.test('then the new refusal is explained, by its status', async (t) => {
      t.match(reference.get('errors.md'), /\| 404 \| `order_lost` \| Nobody can find order/)
    })

    t.test('then the new code is valid, read in another format, and explained', async (t) => {
      const event = { event_id: 'c1', status_code: 'customs_cleared', occurred_at: '2026-06-10T09:00:00Z' }
      const document = {
        ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'CUSTOMS1' } },
        events: [event],
      }
      const validated = await send('POST', '/api/v1/otep/validate', { body: document })
      t.match(validated.body, { conformant: true, errors: [] }, JSON.stringify(validated.body))
      for (const page of ['codebook.md', 'transitions.md', 'formats/epcis.md', 'formats/shopify.md'])
        t.match(reference.get(page), 'customs_cleared', page)
    })
  },
)

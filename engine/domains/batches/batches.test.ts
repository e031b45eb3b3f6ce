import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { call } from '../../kernel/call.ts'
import { csvLine, csvRecordsIn } from '../../kernel/csv.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { runs } from '../../testing/runs.test.fixture.ts'
import { specificationOf } from '../../testing/spec.ts'
import { ann, haveSecret, operator, people, world } from '../../testing/world.test.fixture.ts'
import { en } from '../of-all.ts'
import { csvColumns, givenColumns, importedRows } from '../orders/csv.ts'
import { newOrder } from '../orders/draft.ts'
import { exportOrders, getOrderDetail, getOrders } from '../orders/read.ts'
import { bulkCreateOrdersAsync as createdLater, getAsyncBatchResult } from './async.ts'
import { bulkCreateOrders as createdAtOnce } from './bulk.ts'
import { batches, chunkSize } from './decider.ts'
import type { BatchEvent, RowResult } from './events.ts'
import { importOrders as importedFrom } from './import.ts'
import { batchesDomain } from './index.ts'
import { batchWebhookEventSource, batchWebhookEventTypes, orderCreateAsync } from './webhook-events.ts'
import { workOnBatch } from './work.ts'

const bulkCreateOrders = createdAtOnce(newOrder)
const bulkCreateOrdersAsync = createdLater(newOrder)
const importOrders = importedFrom(importedRows)

const order = { type: 'D', delivery: ann } as const
const at = '2026-06-10T16:00:00.000Z'
const { given } = specificationOf(t, batches)

const accepted: BatchEvent = { type: 'BatchAccepted', data: { at, by: 1, batch_id: 4, business_id: 1, rows: 2 } }
const one: RowResult = { index: 0, result: true, order_id: 9, tracking_number: 'A' }
const two: RowResult = { index: 1, result: false, code: 'tracking_number_taken', params: { number: 'A' } }

t.test('the decider of a batch', (t) => {
  const orders = Array.from({ length: chunkSize + 1 }, (_, index) => ({ index }))
  given()
    .when({ type: 'AcceptBatch', at, by: 1, batch_id: 4, business_id: 1, orders })
    .then(
      { type: 'BatchAccepted', data: { at, by: 1, batch_id: 4, business_id: 1, rows: chunkSize + 1 } },
      { type: 'BatchRowsGiven', data: { from: 0, rows: chunkSize, personal: { orders: orders.slice(0, chunkSize) } } },
      { type: 'BatchRowsGiven', data: { from: chunkSize, rows: 1, personal: { orders: orders.slice(chunkSize) } } },
    )
  given(accepted)
    .when({ type: 'RecordRows', at, from: 0, results: [one] })
    .then({ type: 'BatchRowsDone', data: { from: 0, results: [one] } })
  const done: BatchEvent = { type: 'BatchRowsDone', data: { from: 0, results: [one] } }
  given(accepted, done)
    .when({ type: 'RecordRows', at, from: 0, results: [one] })
    .thenNothing()
  given(accepted, done)
    .when({ type: 'RecordRows', at, from: 1, results: [two] })
    .then(
      { type: 'BatchRowsDone', data: { from: 1, results: [two] } },
      {
        type: 'BatchFinished',
        data: { at, batch_id: 4, business_id: 1, by: 1, created: 1, failed: 1, results: [one, two] },
      },
    )
  given()
    .when({ type: 'RecordRows', at, from: 0, results: [one] })
    .thenRefused('batch_not_found')
  t.end()
})

t.test(
  'given orders of which some are wrong, when they are created in one call, then each has its result',
  async (t) => {
    const { ask, create } = world()
    await create({ tracking_number: 'TAKEN' })
    const answer = await ask(people.admin, bulkCreateOrders, {
      orders: [
        { ...order, reference: 'R1', tracking_number: 'MINE' },
        { ...order, tracking_number: 'taken' },
        { type: 'D', delivery: { name: 'Ann' }, reference: 'R3' },
        { ...order, tracking_number: 'mine' },
        { ...order, customer_id: people.admin.id },
        { ...order, customer_id: people.customer.id },
      ],
    })
    t.match(answer, { result: true, total: 6, created: 2, failed: 4 })
    t.match(answer.orders, [
      { index: 0, result: true, reference: 'R1', order_id: 2, tracking_number: 'MINE' },
      { index: 1, result: false, code: 'tracking_number_taken', message: /belongs to another order/ },
      { index: 2, result: false, code: 'invalid_input', reference: 'R3', errors: [{ path: 'delivery.address' }] },
      { index: 3, result: false, code: 'tracking_number_taken' },
      { index: 4, result: false, code: 'customer_not_found' },
      { index: 5, result: true, order_id: 3 },
    ])
    t.match(await ask(people.admin, getOrders, {}), { total: 3 })
    t.equal(await create(), 4, 'no id is taken for nothing')
    t.notMatch(JSON.stringify(answer), 'Ann ')
  },
)

t.test('given somebody who takes an order meanwhile, when many are created, then that is done again', async (t) => {
  const around = world()
  let isLate = false
  const store = {
    ...around.store,
    last: async (...given: Parameters<typeof around.store.last>) => {
      if (given[0].startsWith('order-') && !isLate) {
        isLate = true
        await around.create()
      }
      return around.store.last(...given)
    },
  }
  const answer = await call(bulkCreateOrders, { ...around.context(people.admin), store }, { orders: [order, order] })
  t.match(answer, { created: 2, orders: [{ order_id: 2 }, { order_id: 3 }] })
})

t.test('given an invalid order, when the call is all or nothing, then none is created', async (t) => {
  const { ask } = world()
  const orders = [order, { type: 'D' }]
  const answer = await ask(people.admin, bulkCreateOrders, { orders, all_or_nothing: true })
  t.match(answer, { result: false, created: 0, failed: 2 })
  t.match(answer.orders, [{ code: 'batch_row_withheld' }, { code: 'invalid_input' }])
  t.match(await ask(people.admin, getOrders, {}), { total: 0 })
  t.match(await ask(people.admin, bulkCreateOrders, { orders: [order], all_or_nothing: true }), { created: 1 })
})

t.test(
  'given each kind of account, when it creates many orders, then only those may that may create one',
  async (t) => {
    const { ask, refused } = world()
    t.match(await ask(people.customer, bulkCreateOrders, { orders: [order, { ...order, note: 'mine' }] }), {
      created: 1,
      orders: [{ result: true }, { code: 'invalid_input', errors: [{ path: 'note', code: 'only_staff' }] }],
    })
    t.match(await ask(people.customer, getOrders, {}), { total: 1 })
    for (const who of [people.driver, people.contractor]) {
      t.equal(await refused(who, bulkCreateOrders, { orders: [order] }), 'wrong_account')
      t.equal(await refused(who, bulkCreateOrdersAsync, { orders: [order] }), 'wrong_account')
    }
    t.match(await refused(people.admin, bulkCreateOrders, { orders: Array(101).fill(order) }), 'orders')
    t.match(await refused(people.admin, bulkCreateOrdersAsync, { orders: Array(501).fill(order) }), 'orders')
    const long = { ...order, delivery_instruction: 'x'.repeat(17_000) }
    t.equal(await refused(people.admin, bulkCreateOrdersAsync, { orders: [order, long] }), 'orders[1] too_long')
    t.match(await refused(people.admin, bulkCreateOrders, { orders: [] }), 'orders')
  },
)

/** Does what follows from the events of batches that stand, as far as `works` lets it. */
async function work({ store, context }: ReturnType<typeof world>, works: () => boolean = () => true) {
  for await (const event of store.readAll(undefined, { category: 'batch' }))
    if (works()) await workOnBatch(context(operator), event as RecordedEvent<BatchEvent>)
}

t.test(
  'given a batch, when it is worked on, then its results are told on the way and its input is erased',
  async (t) => {
    const around = world()
    const { ask, store, plain } = around
    const orders = Array.from({ length: 2 * chunkSize + 3 }, (_, index) =>
      index === 7 ? { type: 'X' } : { ...order, reference: `R${index}` },
    )
    const { asyncId } = await ask(people.employee, bulkCreateOrdersAsync, { orders })
    const result = () => ask(people.admin, getAsyncBatchResult, { id: asyncId })
    t.match(await result(), { status: 'accepted', total: orders.length, done: 0, orders: [] })
    let left = 2
    await work(around, () => left-- > 0)
    t.match(await result(), { status: 'running', done: chunkSize, created: chunkSize - 1, failed: 1 })
    await work(around)
    const last = await store.latest()
    await work(around)
    t.equal(await store.latest(), last, 'again does nothing')
    const done = await result()
    t.match(done, { status: 'finished', done: orders.length, created: orders.length - 1, failed: 1 })
    t.match(done.finished_at, /-04:00$/)
    const rows: { index: number; order_id?: number; reference?: string }[] = done.orders
    t.same(
      rows.map(({ index }) => index),
      orders.map((_, index) => index),
    )
    const first = await ask(people.admin, getOrderDetail, { order_id: rows[0]?.order_id })
    t.match(first.order, { reference: 'R0', delivery: { name: ann.name } })
    t.match(await ask(people.admin, getOrders, { per_page: 1 }), { total: orders.length - 1 })
    const history = (await store.read(`batch-${asyncId}`)) as readonly RecordedEvent<BatchEvent>[]
    t.match(history.at(-1), { type: 'BatchFinished', data: { created: orders.length - 1, failed: 1 } })
    t.notMatch(JSON.stringify(history), 'Ann ', 'what was given can be read no more')
    t.notMatch(JSON.stringify(await plain.read(`batch-${asyncId}`)), /Ann |Main Street/)
  },
)

t.test("given an invalid order, when its result is read, then its problems are in the reader's language", async (t) => {
  const around = world()
  const { ask, context, store } = around
  const orders = [{ type: 'Ann Lee', items: 'Bob Lee', delivery: ann }]
  const errors = [
    { path: 'type', code: 'unknown_value', message: '… is not one of: D, P, P2P.' },
    { path: 'items', code: 'wrong_type', message: 'Expected number, got string.' },
  ]
  t.same((await ask(people.admin, bulkCreateOrders, { orders })).orders[0]?.errors, errors)
  const { asyncId: id } = await ask(people.admin, bulkCreateOrdersAsync, { orders })
  await work(around)
  t.same((await ask(people.admin, getAsyncBatchResult, { id })).orders[0]?.errors, errors)
  const german = { ...en, unknown_value: 'Unbekannt: {received}', wrong_type: 'Erhalten: {received}' }
  const read = await call(getAsyncBatchResult, { ...context(people.admin), messages: german }, { id })
  t.match(read.orders, [
    {
      errors: [
        { message: messageOf('unknown_value', { received: '…', expected: 'D, P, P2P' }, german) },
        { message: messageOf('wrong_type', { received: 'string', expected: 'number' }, german) },
      ],
    },
  ])
  t.notMatch(JSON.stringify(await store.read(`batch-${id}`)), /Ann |Bob /, 'what was given is not kept')
})

t.test('given a batch, when another account requests it, then it does not exist', async (t) => {
  const { ask, refused } = world()
  const { asyncId: id } = await ask(people.customer, bulkCreateOrdersAsync, { orders: [order] })
  for (const who of [people.customer, people.admin, people.employee])
    t.match(await ask(who, getAsyncBatchResult, { id }), { asyncId: id, status: 'accepted' })
  for (const who of [people.otherCustomer, people.driver, people.contractor, people.stranger])
    t.equal(await refused(who, getAsyncBatchResult, { id }), 'batch_not_found')
  t.equal(await refused(people.admin, getAsyncBatchResult, { id: 77 }), 'batch_not_found')
})

t.test('given a disabled account, when its batch is processed, then every order is refused', async (t) => {
  const around = world()
  const gone = { ...people.goneDriver, role: 'customer' } as const
  const { asyncId: id } = await around.ask(gone, bulkCreateOrdersAsync, { orders: [order, order] })
  await work(around)
  t.match(await around.ask(people.admin, getAsyncBatchResult, { id }), {
    ...{ status: 'finished', created: 0, failed: 2 },
    orders: [
      { index: 0, code: 'account_required' },
      { index: 1, code: 'account_required' },
    ],
  })
})

t.test('given batches that are interrupted anywhere, when they go on, then each order is created once', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.array(fc.nat(12), { maxLength: 5 }), async (count, breaks) => {
      const around = world()
      const orders = Array.from({ length: count }, (_, index) => ({ ...order, reference: `R${index}` }))
      const { asyncId: id } = await around.ask(people.admin, bulkCreateOrdersAsync, { orders })
      for (const limit of breaks) {
        let left = limit
        const broken = {
          ...around,
          context: (...who: Parameters<typeof around.context>) => ({
            ...around.context(...who),
            store: {
              ...around.store,
              read: async (...given: Parameters<typeof around.store.read>) => {
                if (left-- <= 0) throw new Error('gone')
                return around.store.read(...given)
              },
              appendMany: async (...given: Parameters<typeof around.store.appendMany>) => {
                const answer = await around.store.appendMany(...given)
                if (left-- <= 0) throw new Error('gone after it was written')
                return answer
              },
            },
          }),
        }
        await work(broken).catch(() => {})
      }
      await work(around)
      t.match(await around.ask(people.admin, getAsyncBatchResult, { id }), { status: 'finished', created: count })
      t.match(await around.ask(people.admin, getOrders, { per_page: 1 }), { total: count })
    }),
    { numRuns: runs(t, 2) },
  )
})

t.test('given the webhook event of batches, then it is registered, and only a header has its id', async (t) => {
  t.notOk('idMember' in orderCreateAsync)
  t.match(batchesDomain(newOrder, importedRows), {
    webhookEventTypes: batchWebhookEventTypes,
    webhookEventSources: [batchWebhookEventSource],
  })
})

t.test('given an asynchronous batch, when it is finished, then its sender is notified once, row by row', async (t) => {
  for (const [who, customerId] of [
    [people.customer, 3],
    [people.employee, undefined],
  ] as const) {
    const around = world()
    const orders = [{ ...order, reference: 'A' }, { type: 'D' }]
    const { asyncId } = await around.ask(who, bulkCreateOrdersAsync, { orders })
    await work(around)
    const all = await around.webhookEvents()
    const [told, ...more] = all.filter(({ type }) => type === 'order.create_async')
    if (told === undefined) throw new Error('nothing is told')
    t.same(more, [])
    t.match(told, { subject: `batch/${asyncId}`, audience: { kind: 'tenant', businessId: 1 }, occurredAt: at })
    t.equal(told.audience.kind === 'tenant' && told.audience.customerId, customerId)
    t.match(told.id, /^EVT-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    for (const reader of ['business', 'customer'] as const)
      t.match(v.parse(orderCreateAsync.data, told.data(reader)), {
        ...{ batch_id: asyncId, total: 2, created: 1, failed: 1 },
        results: [
          { index: 0, result: true, reference: 'A', order_id: 1 },
          { index: 1, result: false, code: 'invalid_input', errors: [{ path: 'delivery', message: String }] },
        ],
      })
    t.notMatch(JSON.stringify(told.data('business')), 'Ann ')
    const created = all.filter(({ type }) => type === 'order.created')
    t.match(created, [{ skippedBy: 'order_create_async_postback_url' }])
    t.equal(created.length, 1)
  }
})

t.test(
  'given callbacks of a batch and of its orders, when it is worked on, then each is told what became of its own',
  async (t) => {
    const around = world()
    const { ask, store, context } = around
    await haveSecret(store, context(people.admin), 'customer.3')
    const [whole, good, bad] = ['whole', 'good', 'bad'].map((path) => ({ url: `https://shop.example/${path}` }))
    const orders = [
      { ...order, reference: 'A', callback: good },
      { type: 'D', reference: 'B', callback: bad, callback_signature: 'standard' },
      { type: 'D', reference: 'C' },
      { ...order, callback: { url: 'ftp://shop.example' } },
    ]
    const { asyncId } = await ask(people.customer, bulkCreateOrdersAsync, { orders, callback: whole })
    await work(around)
    const told = (await around.webhookEvents()).filter(({ type }) => type.startsWith('open.'))
    t.same(told.map(({ type, audience }) => [type, audience.kind]).sort(), [
      ['open.batch_finished', 'callback'],
      ['open.order_accepted', 'callback'],
      ['open.order_rejected', 'callback'],
    ])
    t.equal(new Set(told.map(({ audience }) => audience.kind === 'callback' && audience.owner)).size, 3)
    t.match(told.find(({ type }) => type === 'open.order_rejected')?.data('customer'), {
      ...{ batch_id: asyncId, index: 1, order_ref: 'B', code: 'invalid_input', message: String },
      errors: [{ path: 'delivery', code: 'required' }],
    })
    for (const { type, data } of told) {
      const eventType = batchWebhookEventTypes.find(({ name }) => name === type)
      if (eventType !== undefined) t.ok(v.parse(eventType.data, data('customer')), type)
    }
    t.match(told.find(({ type }) => type === 'open.batch_finished')?.data('customer'), { total: 4, created: 1 })
    const { orders: rows } = await ask(people.customer, getAsyncBatchResult, { id: asyncId })
    t.notMatch(JSON.stringify(rows), /callback\.1/, 'answers do not name it')
  },
)

t.test('given any cells, when they are written as CSV and read, then they are the same, and no formula', async (t) => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '=1+1',
      '＝1+1',
      "'＠x",
      "'=1",
      "'0123",
      "''+1 (2)",
      '="0123"',
      '="a"',
      "''@x",
      '+33 6',
      '-79.38',
      '\t',
      'a;b',
      'say "no"',
      'two\r\nlines',
      "'",
    ),
  )
  // A record without anything is passed over.
  const records = fc.array(
    fc.array(cell, { minLength: 3, maxLength: 3 }).filter((cells) => cells.some((one) => one !== '')),
  )
  fc.assert(
    fc.property(records, (given) => {
      const text = given.map(csvLine).join('')
      const found = csvRecordsIn('csv', `a,b,c\r\n${text}`, 1000).slice(1)
      t.strictSame(
        found.map(({ cells }) => cells),
        given,
      )
      let line = 2
      for (const [place, { line: at }] of found.entries()) {
        t.equal(at, line)
        line += csvLine(given[place] ?? []).match(/\r\n|\n|\r/g)?.length ?? 0
      }
      for (const cells of text === '' ? [] : csvRecordsIn('csv', text.replaceAll("'", '_'), 1000))
        for (const one of cells.cells) t.notMatch(one, /^([=+@＝＋－＠]|-(?!\d+(\.\d+)?$))/)
    }),
    { numRuns: runs(t, 20) },
  )
})

t.test('given CSV of a spreadsheet, when it is imported, then each line has its result, by its number', async (t) => {
  const { ask, create } = world()
  await create({ tracking_number: 'TAKEN' })
  const csv = [
    '\ufefftype;reference;items;delivery.name;delivery.phone;delivery.address.street;delivery.address.country;tracking_number;delivery_instruction',
    'D;R-1;2;"Ann; ""the"" Lee";\'+33 6;1 Main Street;CA;;"Ring\ntwice"',
    '',
    'D;R-2;many;Bo;;2 Side Street;CA;;',
    'D;R-3;1;;;;;;',
    'D;R-4;;Cy;;3 Hill;FR;ta\u200bken\u202c;',
  ].join('\r\n')
  const wanted = [
    { line: 2, index: 0, result: true, reference: 'R-1' },
    { line: 5, index: 1, result: false, code: 'invalid_input', errors: [{ path: 'items', code: 'wrong_type' }] },
    { line: 6, index: 2, result: false, errors: [{ path: 'delivery', code: 'required' }] },
    { line: 7, index: 3, result: false, code: 'tracking_number_taken' },
  ]
  t.match(await ask(people.admin, importOrders, { csv, dry_run: true }), { created: 0, failed: 3, orders: wanted })
  t.match(await ask(people.admin, getOrders, {}), { total: 1 })
  const answer = await ask(people.admin, importOrders, { csv })
  t.match(answer, { result: true, total: 4, created: 1, failed: 3, orders: wanted })
  const { order: made } = await ask(people.admin, getOrderDetail, { order_id: 2 })
  t.match(made, { items: 2, delivery_instruction: 'Ring\ntwice', delivery: { name: 'Ann; "the" Lee', phone: '+33 6' } })
})

t.test(
  'given cells with line ends, when orders are imported and exported, then a street has a second line',
  async (t) => {
    const { ask } = world()
    const csv = [
      'type,delivery.name,delivery.address.street',
      'D,Ann,"1 Elm\nApt 4"',
      'D,Bo,"2 Elm\r\nFloor 3\r\nDoor B"',
      'D,Cy,"3 Elm\rRear"',
    ].join('\n')
    t.match(await ask(people.admin, importOrders, { csv }), { created: 3, failed: 0 })
    const second = ['Apt 4', 'Floor 3, Door B', 'Rear']
    for (const [index, street2] of second.entries()) {
      const { order: made } = await ask(people.admin, getOrderDetail, { order_id: index + 1 })
      t.match(made, { delivery: { address: { street: `${index + 1} Elm`, street2 } } })
    }
    const head = 'type,delivery.name,delivery.address.street,delivery.address.street2'
    t.match(await ask(people.admin, importOrders, { csv: `${head}\nD,Di,4 Elm,Apt 9\n` }), { created: 1 })
    const { order: made } = await ask(people.admin, getOrderDetail, { order_id: 4 })
    t.match(made, { delivery: { address: { street: '4 Elm', street2: 'Apt 9' } } })
  },
)

t.test(
  'given times and amounts as spreadsheets write them, when they are imported, then they are what is meant',
  async (t) => {
    const { ask } = world()
    const importOne = async (separator: string, cells: Readonly<Record<string, string>>) => {
      const all = { type: 'D', 'delivery.name': 'Ann', 'delivery.address.street': '1 Main', ...cells }
      const csv = [Object.keys(all), Object.values(all)].map((one) => one.join(separator)).join('\n')
      const { orders } = await ask(people.admin, importOrders, { csv })
      const [{ order_id, errors } = { order_id: undefined, errors: [] }] = orders
      return order_id === undefined ? errors : (await ask(people.admin, getOrderDetail, { order_id })).order
    }
    const windows = {
      ...{
        '9:00': '09:00',
        '09:00:00': '09:00',
        '9:00 AM': '09:00',
        '12:30 am': '00:30',
        '7:05': '07:05',
        ' 8:15 ': '08:15',
      },
    }
    for (const [given, start] of Object.entries(windows))
      t.match(await importOne(',', { 'time_window.start': given, 'time_window.end': '11:00 p.m.' }), {
        time_window: { start, end: '23:00' },
      })
    for (const start of ['9', '9.00', '25:00', '13:00 PM', '9:00:30'])
      t.match(await importOne(',', { 'time_window.start': start, 'time_window.end': '23:00' }), [
        { path: 'time_window.start' },
      ])
    const price = (amount: string) => ({ 'price.shipping_price': amount, 'price.currency': 'CAD' })
    for (const separator of [';', '\t'])
      t.match(await importOne(separator, price('12,50')), { shipping_price: '12.50' })
    t.match(await importOne(';', price('12.50')), { shipping_price: '12.50' })
    t.match(await importOne(';', price('1,250')), [{ path: 'price.shipping_price', code: 'not_an_amount' }])
    t.match(await importOne(',', price('"12,50"')), [{ path: 'price.shipping_price', code: 'not_an_amount' }])
    const place = { 'delivery.address.latitude': '43,6512', 'delivery.address.longitude': '-79,38' }
    t.match(await importOne(';', place), { delivery: { address: { latitude: 43.6512, longitude: -79.38 } } })
    for (const reference of ['12E5', '1E10', '1E-05', 'E+21', '9.4E+', '10E+21', '#N', '#1', "'AB", '12.0', 'PO#REF!'])
      t.match(await importOne('\t', { reference }), { reference }, 'a true reference')
  },
)

t.test('given what is no table of orders, when it is imported, then it is refused as a whole', async (t) => {
  const { ask, refused } = world()
  const line = 'D,Ann,1 Main Street\n'
  const head = 'type,delivery.name,delivery.address.street\n'
  for (const [csv, problem] of [
    ['', 'csv_rows'],
    [head, 'csv_rows'],
    [head + line.repeat(501), 'csv_rows'],
    [`type,colour\nD,red\n`, 'csv_column'],
    [`type,type\nD,D\n`, 'csv_column'],
    [`${head}D,Ann\n`, 'csv_cells'],
    [`${head}D,"Ann,1 Main\n`, 'csv_malformed'],
    [`${head}D,Ann "B",1 Main\n`, 'csv_malformed'],
    [`${head}D,"Ann" B,1 Main\n`, 'csv_malformed'],
  ] as const)
    t.equal(await refused(people.admin, importOrders, { csv }), `csv ${problem}`, csv.slice(0, 60))
  for (const who of [people.driver, people.contractor])
    t.equal(await refused(who, importOrders, { csv: head + line }), 'wrong_account')
  const priced =
    'type,delivery.name,delivery.address.street,price.shipping_price,price.currency\nD,Ann,1 Main,1.00,CAD\n'
  t.match(await ask(people.customer, importOrders, { csv: priced }), {
    orders: [{ errors: [{ path: 'price', code: 'only_staff' }] }],
  })
})

t.test('given many lines, when they are imported, then as a batch, whose places have their lines', async (t) => {
  const around = world()
  const rows = Array.from({ length: 101 }, (_, index) => `D,R${index},Ann,1 Main Street\n`)
  const csv = `type,reference,delivery.name,delivery.address.street\n${rows.join('')}`
  const answer = await around.ask(people.customer, importOrders, { csv })
  t.match(answer, { result: true, total: 101, created: 0, orders: [], lines: rows.map((_, index) => index + 2) })
  await work(around)
  const done = await around.ask(people.customer, getAsyncBatchResult, { id: answer.asyncId })
  t.match(done, { status: 'finished', created: 101, failed: 0 })
  const created = (await around.webhookEvents()).filter(({ type }) => type === 'order.created')
  t.equal(created.length, 101, 'a way in of order.created')
})

t.test('given orders, when they are exported and imported elsewhere, then they are the same', async (t) => {
  const { ask, create } = world()
  const price = { shipping_price: '12.50', currency: 'CAD', tax: '1.63' }
  const place = { latitude: 43.65, longitude: -79.38 }
  const full = {
    ...{
      type: 'P2P',
      reference: '=R-1',
      external_tracking_number: 'EXT',
      schedule_date: '2026-06-12',
      items: 3,
      price,
    },
    ...{ time_window: { start: '09:00', end: '12:00' }, delivery_instruction: 'Ring,\r\n"twice"', note: '@home' },
    tags: ['cold', 'fragile'],
    delivery: {
      ...ann,
      email: 'ann@x.example',
      address: { ...ann.address, street2: 'Apt 4', region: 'ON', postal_code: 'M5V', ...place },
    },
    pickup: ann,
    customer_id: 3,
  }
  await create(full)
  for (let made = 0; made < 120; made++) await create()
  const rows: Record<string, string | number | undefined>[] = []
  let after: { after?: number } = {}
  for (let pages = 1; ; pages++) {
    const page = await ask(people.admin, exportOrders, after)
    rows.push(...(page.orders as typeof rows))
    if (page.next_after === undefined) {
      t.equal(pages, 2)
      break
    }
    after = { after: page.next_after }
  }
  t.equal(rows.length, 121)
  const text = (all: typeof rows) =>
    [csvColumns, ...all.map((row) => csvColumns.map((column) => row[column]))].map(csvLine).join('')
  const elsewhere = world()
  const csv = text(rows.slice(0, 50))
  t.match(await elsewhere.ask(people.admin, importOrders, { csv }), { created: 50, failed: 0 })
  t.match(await elsewhere.ask(people.admin, importOrders, { csv }), {
    created: 0,
    failed: 50,
    orders: [{ code: 'tracking_number_taken' }],
  })
  const [first] = (await elsewhere.ask(people.admin, exportOrders, {})).orders as typeof rows
  t.strictSame(first, rows[0])
  t.same(
    givenColumns.filter((column) => first?.[column] === undefined && !column.startsWith('pickup.')),
    [],
  )
  const { orders: seen } = await ask(people.customer, exportOrders, {})
  t.match(seen, [{ order_id: 1, 'price.shipping_price': '12.50', note: undefined }])
  t.equal(seen.length, 1)
  t.same((await ask(people.stranger, exportOrders, {})).orders, [])
})

import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { watchDeadlines } from '../adapters/deadlines/index.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { defineCarrier, type Purchase, v } from '../adapters/plugins/index.ts'
import { type Carrier, call, en, forgetLabel, type Storage } from '../engine/index.ts'
import { ending } from './ending.test.fixture.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const labels = '/api/v1/labelservice'

/** What a carrier does with the next question: as it should, it answers too late, it breaks before or after it has done it, or it refuses the account. */
type Mood = 'well' | 'deaf' | 'broken' | 'answer lost' | 'locked'

/** A carrier that keeps books, as a real one does: it sells once for each key. */
function createPost() {
  const sold = new Map<string, Purchase>()
  const voided = new Set<string>()
  const asked = { buy: 0, void: 0, manifest: 0 }
  const mood: { now: Mood } = { now: 'well' }
  const refused = (code: 'other' | 'too_late' | 'unknown_number' | 'wrong_credentials', message: string) => ({
    refused: { code, message },
  })
  async function inMood<Answer>(act: () => Answer) {
    if (mood.now === 'locked') return refused('wrong_credentials', 'The account is locked.')
    if (mood.now === 'deaf') return new Promise<never>(() => {})
    if (mood.now === 'broken') throw new Error('no connection')
    const answer = act()
    if (mood.now === 'answer lost') throw new Error('the connection was closed')
    return answer
  }
  const carrier = defineCarrier({
    ...{ name: 'books', title: 'Books', credentials: v.strictObject({}) },
    services: [{ code: 'one', name: 'One' }],
    rate: async (_, { currency }) => ({ rates: [{ service: 'one', amount: '9.00', currency, reference: 'quote 1' }] }),
    buy: (purchase) => {
      asked.buy++
      return inMood(() => {
        if (purchase.to.name === 'Nobody') return refused('other', 'Nobody lives there.')
        sold.set(purchase.key, purchase)
        const tracking_numbers = purchase.parcels.map((_, place) => `B${purchase.key.slice(0, 8)}-${place}`)
        const { amount, currency, key } = purchase
        const document = { reference: `https://books.example/${key}`, media_type: 'application/pdf' as const }
        return { label: { reference: key, tracking_numbers, amount, currency, document } }
      })
    },
    void: ({ reference }) => {
      asked.void++
      return inMood(() => {
        if (sold.get(reference)?.to.name === 'Late') return refused('too_late', 'It is on its way.')
        voided.add(reference)
        return { voided: true as const }
      })
    },
    manifest: ({ labels }) => {
      asked.manifest++
      return inMood(() => ({ manifest: { reference: `M${labels.length}` } }))
    },
    track: async () => refused('unknown_number', 'There is none.'),
  })
  return { carrier, sold, voided, asked, mood }
}

/** The same carrier with prices in a currency that the business does not buy in. */
function dear(carrier: Carrier): Carrier {
  const rate = async () => ({ rates: [{ service: 'one', amount: '1', currency: 'JPY' }] })
  return { ...carrier, name: 'dear', title: 'Dear', rate }
}

/** A business with an account at such a carrier. */
async function shop(store?: Storage) {
  const post = createPost()
  const made = await world({
    carriers: [post.carrier, dear(post.carrier)],
    secret: secretOf('ab'.repeat(32)),
    ...(store && { store }),
  })
  const ask = async (path: string, body: object = {}, headers = {}, token = made.tokens.client_admin) =>
    (await made.send('POST', path, { token, body, headers })).body
  await ask('/api/v1/carrier-accounts', { carrier: 'books' })
  const quoted = async ({ reference: _, ...more }: { readonly reference?: string } = {}) =>
    (await ask(`${labels}/compareAllCarriers`, { ...shipment, ...more })).rates[0].rate_id
  const buy = async (more: object = {}, headers = {}) =>
    ask(`${labels}/createShippingLabel`, { ...shipment, ...more, rate_id: await quoted(more) }, headers)
  const detail = (order_id: number) => ask(`${labels}/getShippingDetail`, { order_id })
  const cancel = (named: object) => ask(`${labels}/cancelShippingLabel`, named)
  /** What a server does with carriers that are to be asked again, later on. */
  const later = async (seconds: number) => {
    made.clock.now += seconds * 1_000
    const ending = new AbortController()
    const said: unknown[] = []
    const tell = (fields: object) => void said.push(fields)
    const log = { debug: tell, info: tell, warn: tell, error: tell }
    await watchDeadlines(made.parts, { signal: ending.signal, log, wait: async () => ending.abort() }, 'carriers')
    return said
  }
  return { ...made, ...post, ask, quoted, buy, detail, cancel, later }
}

t.test('given a street of several lines, when a label is bought, then its carrier gets a second line', async (t) => {
  const { buy, sold } = await shop()
  await buy({ to: { ...ann, street: '1 Elm\r\nApt 4\r\nRing twice' } })
  t.match([...sold.values()][0]?.to, { name: 'Ann', street: '1 Elm', street2: 'Apt 4, Ring twice', country: 'CA' })
})

t.test('given a rate, when a label is bought at it, then it has tracking numbers, price and document', async (t) => {
  const { buy, detail, ask, sold } = await shop()
  const bought = await buy({ reference: 'R1', parcels: [{ weight_grams: 1 }, { weight_grams: 2 }] })
  t.match(bought, {
    ...{ result: true, order_id: 1, status: 'LABEL_PURCHASED', carrier: 'books', service: 'one', reference: 'R1' },
    ...{ currency: 'CAD', total_price: '9.00', document: { media_type: 'application/pdf' } },
  })
  t.equal(bought.tracking_numbers.length, 2)
  t.match([...sold.values()], [{ reference: 'quote 1', amount: '9.00', asked_at: '2026-06-10T10:00:00.000Z' }])
  t.same(await detail(1), bought)
  t.same(await ask(`${labels}/getShippingDetail`, { tracking_number: bought.tracking_numbers[1] }), bought)
  for (const named of [{}, { order_id: 1, tracking_number: 'x' }])
    t.match(await ask(`${labels}/getShippingDetail`, named), { errors: [{ code: 'label_id_or_number' }] })
  t.match(await detail(2), { code: 'label_not_found' })
})

t.test('given a rate, when another shipment is to be bought at it, then each difference is named', async (t) => {
  const { ask, quoted, clock, sold, other, tokens } = await shop()
  const rate_id = await quoted()
  const buy = (more: object, token?: string) =>
    ask(`${labels}/createShippingLabel`, { ...shipment, rate_id, ...more }, {}, token)
  t.match(await buy({ to: { ...ann, postal_code: 'V6B' }, parcels: [{ weight_grams: 900 }] }), {
    code: 'invalid_input',
    errors: [
      { path: 'to.postal_code', code: 'rate_differs' },
      { path: 'parcels[0].weight_grams', code: 'rate_differs' },
    ],
  })
  t.match(await buy({ to: { country: 'CA' } }), { errors: [{ path: 'to.name' }, { path: 'to.street' }] })
  const changed = `${rate_id.slice(0, -2)}${rate_id.at(-2) === 'A' ? 'B' : 'A'}${rate_id.slice(-1)}`
  const spelled = { ...ann, postal_code: 'm5v-1a1', locality: 'Toronto' }
  t.match(await buy({ to: spelled }), { status: 'LABEL_PURCHASED' }, 'the same place in other words')
  for (const rate_id of [changed, 'label_', 'rate_x.y'])
    t.match(await buy({ rate_id }), { code: 'rate_invalid' }, rate_id)
  t.match(await buy({}, other.tokens.client_admin), { code: 'rate_invalid' })
  t.match(await buy({}, tokens.customer), { result: false })
  clock.now += 3_600_000
  t.match(await buy({}), { code: 'rate_expired' })
  t.equal(sold.size, 1)
})

t.test(
  'given a carrier that refuses, when a label is bought, then it has failed and says why, and no one asks again',
  async (t) => {
    const { buy, later, asked, cancel } = await shop()
    const failed = await buy({ to: { ...ann, name: 'Nobody' } })
    t.match(failed, { result: true, status: 'LABEL_PURCHASE_FAILED', refusal: { message: 'Nobody lives there.' } })
    await later(3_600)
    t.equal(asked.buy, 1)
    t.match(
      await cancel({ order_id: 1 }),
      { status: 'LABEL_CANCELLED', refusal: undefined },
      'it is not wanted any more',
    )
  },
)

t.test('given an idempotency key, when a purchase is sent again, also at once, then one label is bought', async (t) => {
  const { ask, quoted, sold } = await shop()
  const body = { ...shipment, rate_id: await quoted() }
  const send = () => ask(`${labels}/createShippingLabel`, body, { 'Idempotency-Key': 'k1' })
  const [one, ...others] = await Promise.all([send(), send(), send()])
  t.match(one, { status: 'LABEL_PURCHASED' })
  for (const other of [...others, await send()]) t.same(other, one)
  t.equal(sold.size, 1)
})

t.test('given an account that is removed at the moment of a purchase, then the label has failed', async (t) => {
  const { send, tokens, ask, quoted, later, sold, parts, detail } = await shop()
  const { appendMany } = parts.store
  const rate_id = await quoted()
  let isFirst = true
  Object.assign(parts.store, {
    appendMany: async (appends: Parameters<typeof appendMany>[0]) => {
      const isAsked = appends.some(({ events }) => events.some(({ type }) => type === 'LabelAsked'))
      if (isAsked && isFirst) {
        isFirst = false
        await send('DELETE', '/api/v1/carrier-accounts/1', { token: tokens.client_admin })
      }
      return appendMany(appends)
    },
  })
  t.match(await ask(`${labels}/createShippingLabel`, { ...shipment, rate_id }), { status: 'LABEL_PURCHASE_FAILED' })
  await later(60)
  t.match(await detail(1), { status: 'LABEL_PURCHASE_FAILED', refusal: { code: 'wrong_credentials' } })
  t.equal(sold.size, 0)
})

/** What goes wrong at a purchase, as the carrier sees it. */
const moods: readonly Mood[] = ['broken', 'answer lost']

for (const mood of moods)
  t.test(`given a carrier (${mood}), when it is well again, then one label is bought, and none is lost`, async (t) => {
    const shopped = await shop()
    const { buy, detail, later, sold, asked, ask } = shopped
    shopped.mood.now = mood
    t.match(await buy({}, { 'Idempotency-Key': 'k1' }), { status: 'LABEL_PENDING', tracking_numbers: [] })
    t.match(
      (await shopped.send('DELETE', '/api/v1/carrier-accounts/1', { token: shopped.tokens.client_admin })).body,
      { code: 'carrier_account_in_use' },
      'without the account, nobody would know',
    )
    await later(11)
    t.equal(asked.buy, 2, 'it is asked again after five seconds')
    await later(3)
    t.equal(asked.buy, 2, 'and then later and later')
    shopped.mood.now = 'well'
    await later(30)
    t.match(await detail(1), { status: 'LABEL_PURCHASED' })
    t.equal(sold.size, 1)
    t.same(await ask(`${labels}/getShippingDetail`, { order_id: 1 }), await detail(1))
  })

t.test(
  'given a locked account, when a purchase is asked first, it fails, and when it is asked again, it stays open',
  async (t) => {
    const shopped = await shop()
    const { buy, detail, later, sold } = shopped
    shopped.mood.now = 'locked'
    t.match(await buy(), { status: 'LABEL_PURCHASE_FAILED', refusal: { code: 'wrong_credentials' } })
    shopped.mood.now = 'answer lost'
    t.match(await buy(), { status: 'LABEL_PENDING' })
    shopped.mood.now = 'locked'
    await later(11)
    t.match(await detail(2), { status: 'LABEL_PENDING' }, 'the carrier has not looked whether it has sold')
    shopped.mood.now = 'well'
    await later(60)
    t.match(await detail(2), { status: 'LABEL_PURCHASED' })
    t.equal(sold.size, 1)
  },
)

for (const [type, count] of [
  ['LabelAsked', 0],
  ['LabelTried', 1],
  ['LabelBought', 1],
] as const)
  t.test(
    `given a process that ends before ${type} is recorded, when the next one starts, then ${count} label is bought`,
    async (t) => {
      const { store, end } = ending(type)
      const { buy, later, detail, sold, asked } = await shop(store)
      t.match(await buy({}, { 'Idempotency-Key': 'k1' }), { code: 'store_unavailable' })
      end.isNow = false
      await later(4)
      t.equal(asked.buy, type === 'LabelBought' ? 1 : 0, 'as long as somebody may be asking, nobody else does')
      await later(40)
      t.equal(sold.size, count)
      if (count > 0) t.match(await detail(1), { status: 'LABEL_PURCHASED' })
      t.match(await buy({ reference: 'next' }), { order_id: count + 1, status: 'LABEL_PURCHASED' })
    },
  )

t.test('given a label, when it is voided, then the carrier takes it back once, or says why not', async (t) => {
  const shopped = await shop()
  const { buy, cancel, later, detail, voided, asked } = shopped
  const { tracking_numbers } = await buy()
  t.match(await cancel({ tracking_number: tracking_numbers[0] }), { result: true, status: 'LABEL_VOIDED' })
  t.match(await cancel({ order_id: 1 }), { result: true, status: 'LABEL_VOIDED' })
  t.equal(asked.void, 1)
  await buy({ to: { ...ann, name: 'Late' } })
  t.match(await cancel({ order_id: 2 }), { code: 'carrier_refused', message: /on its way/ })
  t.match(await detail(2), { status: 'LABEL_PURCHASED', refusal: { code: 'too_late' } })
  await buy()
  shopped.mood.now = 'answer lost'
  t.match(await cancel({ order_id: 3 }), { result: true, status: 'LABEL_VOID_PENDING' })
  shopped.mood.now = 'well'
  await later(20)
  t.match(await detail(3), { status: 'LABEL_VOIDED' })
  t.equal(voided.size, 2)
})

t.test(
  'given open labels, when the day ends, then each is in one manifest, and cannot be voided any more',
  async (t) => {
    const shopped = await shop()
    const { ask, buy, cancel, later, detail, asked } = shopped
    for (let count = 0; count < 3; count++) await buy()
    await cancel({ order_id: 2 })
    shopped.mood.now = 'broken'
    const day = () => ask(`${labels}/endofday`)
    t.match(await day(), { manifests: [{ manifest_id: 1, labels: 2, status: 'pending' }], left: 0 })
    t.match(await detail(1), { status: 'LABEL_SUBMIT_PENDING' })
    t.match(await day(), { manifests: [] }, 'what is being submitted is not submitted again')
    shopped.mood.now = 'well'
    await later(20)
    t.equal(asked.manifest, 2)
    t.match(await detail(3), { status: 'LABEL_SUBMITTED', manifest_id: 1, manifest_reference: 'M2' })
    t.match(await cancel({ order_id: 3 }), { code: 'label_status_forbids' })
    await buy()
    t.match(await day(), { manifests: [{ manifest_id: 2, labels: 1, status: 'closed', manifest_reference: 'M1' }] })
  },
)

t.test('given labels, when they are submitted by their ids, then all are, or none if one is not open', async (t) => {
  const { ask, buy, cancel, detail, asked } = await shop()
  for (let count = 0; count < 3; count++) await buy()
  await cancel({ order_id: 2 })
  const submit = (...order_ids: readonly number[]) => ask(`${labels}/submitShippingInformation`, { order_ids })
  t.match(await submit(1, 2), { code: 'label_status_forbids' })
  t.match(await submit(1, 9), { code: 'label_not_found' })
  t.match(await submit(1, 1), { errors: [{ code: 'not_unique' }] })
  t.equal(asked.manifest, 0)
  t.match(await submit(3, 1), { manifests: [{ labels: 2, status: 'closed', manifest_reference: 'M2' }] })
  for (const id of [1, 3]) t.match(await detail(id), { status: 'LABEL_SUBMITTED' })
})

t.test(
  'given several carriers, when a shipment is quoted and shipped, then by the carrier that the strategy chooses',
  async (t) => {
    const { ask, send, tokens } = await shop()
    t.match((await send('DELETE', '/api/v1/carrier-accounts/1', { token: tokens.client_admin })).body, { result: true })
    const ship = (more: object = {}) => ask(`${labels}/quoteAndShip`, { ...shipment, ...more })
    t.match(await ship(), { code: 'no_shipping_rate' })
    await ask('/api/v1/carrier-accounts', { carrier: 'sandbox', credentials: { account: 'acme' } })
    t.match(await ship(), { service: 'standard', status: 'LABEL_PURCHASED', tracking_numbers: [/^SB\d{19}$/] })
    t.match(await ship({ strategy: 'fastest' }), { service: 'express', status: 'LABEL_PURCHASED' })
    t.match(await ship({ strategy: 'best_value' }), { service: 'standard', status: 'LABEL_PURCHASED' })
    t.match(await ship({ to: { ...ann, postal_code: '00005' } }), {
      ...{ status: 'LABEL_PURCHASE_FAILED', refusal: { code: 'no_funds' } },
    })
    t.match(await ship({ to: { ...ann, postal_code: '00000' } }), { code: 'no_shipping_rate', message: /not served/ })
    t.match(await ship({ strategy: 'preferred_carrier' }), { errors: [{ path: 'preferred' }] })
    t.match(await ship({ preferred: [1] }), { errors: [{ path: 'preferred' }] })
    await ask('/api/v1/carrier-accounts', { carrier: 'books' })
    await ask('/api/v1/carrier-accounts', { carrier: 'dear' })
    const preferring = (...preferred: readonly number[]) => ship({ strategy: 'preferred_carrier', preferred })
    t.match(await preferring(9, 3, 2), { carrier: 'books', service: 'one' })
    t.match(await preferring(2, 3), { carrier: 'sandbox', service: 'standard' })
    t.match(await preferring(9), { code: 'no_shipping_rate' })
    t.match(await preferring(4), { code: 'no_shipping_rate' }, 'its rates are in another currency')
    const { rates } = await ask(`${labels}/compareAllCarriers`, shipment)
    const { rate_id } = rates.at(-1)
    t.match(rates.at(-1), { carrier: 'dear', currency: 'JPY' }, 'a rate in another currency comes last')
    t.match(await ask(`${labels}/createShippingLabel`, { ...shipment, rate_id }), { code: 'rate_currency_differs' })
  },
)

t.test(
  'given the own fleet, when its label is bought, then an order is taken once, and voiding cancels it',
  async (t) => {
    const { ask, send, tokens, cancel } = await shop()
    const token = tokens.client_admin
    const prices = [{ zone: 'all', steps: [{ up_to_grams: 5_000, price: '4.20' }] }]
    const list = { currency: 'CAD', zones: [{ code: 'all' }], services: [{ code: 'van', name: 'Van', prices }] }
    await send('PUT', '/api/v1/price-list', { token, body: list })
    await ask('/api/v1/carrier-accounts', { carrier: 'own-fleet' })
    const ship = () => ask(`${labels}/quoteAndShip`, shipment, { 'Idempotency-Key': 'k1' })
    const bought = await ship()
    t.match(bought, { carrier: 'own-fleet', status: 'LABEL_PURCHASED', total_price: '4.20' })
    t.same(await ship(), bought)
    const order = async () => (await send('GET', '/api/v1/orders/2', { token })).body.order
    t.match(await order(), {
      ...{ type: 'P2P', status: 'NEW_ORDER', tracking_number: bought.tracking_numbers[0], shipping_price: '4.20' },
      ...{ delivery: { name: 'Ann', address: { street: '1 Main Street' } }, service: 'van' },
    })
    t.equal((await send('GET', '/api/v1/orders/3', { token })).status, 404)
    t.match(
      (await send('GET', '/api/v1/orders', { token })).body,
      { total: 1, orders: [{ order_id: 2 }] },
      'it is one parcel',
    )
    t.match(await cancel({ order_id: bought.order_id }), { status: 'LABEL_VOIDED' })
    t.match(await order(), { status: 'CANCELLED' })
  },
)

t.test(
  'given a dry run or a proposal, when a label is to be bought, then nothing is bought until somebody approves',
  async (t) => {
    const { send, tokens, quoted, sold, asked, ask } = await shop()
    const given = { ...shipment, rate_id: await quoted() }
    const tool = async (name: string, given: object, headers: object) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
      const versions = { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json, text/event-stream' }
      const sent = { token: tokens.client_admin, body, headers: { ...versions, ...headers } }
      return (await send('POST', '/mcp', sent)).body.result.structuredContent
    }
    const dry = await tool('create_shipping_label', given, { 'X-MCP-Dry-Run': '1' })
    t.match(dry, { status: 'dry_run', data: { status: 'LABEL_PENDING' } })
    t.notMatch(JSON.stringify(dry.changes), /Main Street/)
    t.equal(asked.buy, 0)
    const { proposal_id } = await ask('/api/v1/approvals', { tool: 'create_shipping_label', arguments: given })
    t.equal(asked.buy, 0)
    const approved = await send('POST', `/api/v1/approvals/${proposal_id}/approve`, {
      token: tokens.client_employee,
      body: {},
    })
    t.match(approved.body, { result: true, answer: { status: 'LABEL_PURCHASED' } }, 'the carrier is asked at once')
    t.equal(sold.size, 1)
    t.match(await ask(`${labels}/createShippingLabel`, given), { code: 'rate_used' }, 'the proposal has used the rate')
    const other = { ...shipment, rate_id: await quoted() }
    t.match(await tool('create_shipping_label', other, {}), { status: 'done', data: { status: 'LABEL_PURCHASED' } })
  },
)

t.test('given a label, when its people are erased, then it is still known, and nobody for whom it was', async (t) => {
  const { buy, detail, cancel, parts, store, mood } = await shop()
  const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
  const forget = (order_id: number) =>
    call(forgetLabel, { ...parts, caller, messages: en, requestId: 'test' }, { order_id })
  const { tracking_numbers } = await buy({ reference: 'R1' })
  for await (const event of store.readAll()) t.notMatch(JSON.stringify(event), /Main Street|books\.example/)
  t.match(await forget(1), { state: 'forgotten' })
  t.match(await forget(1), { state: 'already_forgotten' })
  const told = await detail(1)
  t.match(told, { status: 'LABEL_PURCHASED', reference: 'R1', tracking_numbers, document: undefined })
  t.notMatch(JSON.stringify(await parts.store.read('label-1')), /Main Street|books\.example/)
  t.match(await cancel({ order_id: 1 }), { status: 'LABEL_VOIDED' })
  mood.now = 'broken'
  await buy()
  await t.rejects(forget(2), { code: 'label_status_forbids' }, 'a purchase needs the addresses')
})

t.test(
  'given labels and manifests, when they are listed, then by status, carrier and reference, and only to their business',
  async (t) => {
    const { buy, ask, send, tokens, other, cancel } = await shop()
    const list = async (what: string, token = tokens.client_admin) =>
      (await send('GET', `${labels}/${what}`, { token })).body
    const { result: _, ...failed } = await buy({ reference: 'R1', to: { ...ann, name: 'Nobody' } })
    const { result: __, ...bought } = await buy({ reference: 'R2' })
    await cancel({ order_id: (await buy({ reference: 'R3' })).order_id })
    t.match(await list('labels'), { total: 3, labels: [{ reference: 'R3' }, { reference: 'R2' }, { reference: 'R1' }] })
    t.match(await list('labels?status=LABEL_PURCHASE_FAILED'), { total: 1, labels: [failed] })
    t.match(await list('labels?reference=R2'), { total: 1, labels: [bought] })
    t.match(await list('labels?carrier=dear'), { total: 0, labels: [] })
    t.match(await list(`labels/${bought.order_id}`), { result: true, ...bought })
    await ask(`${labels}/endofday`)
    const { manifests } = await list('manifests?status=closed')
    t.match(manifests, [{ manifest_id: 1, labels: 1, manifest_reference: 'M1', asked_at: '2026-06-10T06:00:00-04:00' }])
    t.match(await list('manifests/1'), { result: true, ...manifests[0] })
    t.notMatch(JSON.stringify(await list('labels')), /Main Street/, 'lists tell nothing of people')
    const stranger = other.tokens.client_admin
    t.match(await list('labels', stranger), { total: 0 })
    t.match(await list('labels/1', stranger), { code: 'label_not_found' })
    t.match(await list('manifests/1', stranger), { code: 'manifest_not_found' })
    t.match(await list('labels', tokens.customer), { result: true, total: 0 })
    t.match(await list('labels', tokens.driver), { code: 'forbidden' })
  },
)

t.test('given one rate, when labels are asked for at it several times at once, then one is bought', async (t) => {
  const { ask, quoted, sold, cancel } = await shop()
  const rate_id = await quoted()
  const buy = (headers = {}) => ask(`${labels}/createShippingLabel`, { ...shipment, rate_id }, headers)
  const answers = await Promise.all([1, 2, 3].map(() => buy()))
  t.equal(answers.filter(({ status }) => status === 'LABEL_PURCHASED').length, 1)
  t.equal(answers.filter(({ code }) => code === 'rate_used').length, 2)
  t.equal(sold.size, 1)
  t.match(await buy(), { code: 'rate_used', message: /label order 1/ })
  const other = await ask(`${labels}/createShippingLabel`, { ...shipment, rate_id: `${rate_id}=` })
  t.match(other, { code: 'rate_invalid' }, 'no other text is the same rate')
  await cancel({ order_id: 1 })
  t.match(await buy(), { code: 'rate_used' }, 'nor once it is voided')
  const again = await quoted()
  const keyed = () =>
    ask(`${labels}/createShippingLabel`, { ...shipment, rate_id: again }, { 'Idempotency-Key': 'one-label' })
  const [first, second] = [await keyed(), await keyed()]
  t.match(first, { status: 'LABEL_PURCHASED' })
  t.same(second, first, 'a repeated call is answered as it was')
})

const zurich = { name: 'Zoe', street: '1 Bahnhofstrasse', postal_code: '8001', country: 'CH' }
const shirts = {
  ...{ description: 'Cotton shirts', quantity: 2, unit_value: '19.90', currency: 'CAD', weight_grams: 180 },
  ...{ hs_code: '6109.10', origin_country: 'pt' },
}
const told = { contents_type: 'merchandise', items: [shirts], signer: 'Signa Ture', sender_eori: 'DE1234567' }

t.test(
  'given a shipment abroad, when it is quoted and bought, then all that customs miss is said, and carriers get the rest',
  async (t) => {
    const { ask, buy, sold, store } = await shop()
    const asked = { ...shipment, to: zurich }
    t.match(await ask(`${labels}/compareAllCarriers`, asked), {
      ...{ result: true, customs_missing: ['customs.contents_type', 'customs.items'] },
    })
    t.match(await ask('/api/v1/uniorder/rate', { ...asked, quote_labels: true }), {
      customs_missing: ['customs.contents_type', 'customs.items'],
    })
    t.notOk('customs_missing' in (await ask(`${labels}/compareAllCarriers`, shipment)))
    const required = [
      { path: 'customs.contents_type', code: 'customs_required' },
      { path: 'customs.items', code: 'customs_required' },
    ]
    t.match(await buy({ to: zurich }), { code: 'invalid_input', errors: required })
    t.match(await ask(`${labels}/quoteAndShip`, asked), { code: 'invalid_input', errors: required })
    const { hs_code: _, ...unclassified } = shirts
    t.match(await buy({ to: zurich, customs: { ...told, items: [unclassified] } }), {
      errors: [{ path: 'customs.items[0].hs_code', code: 'customs_required' }],
    })
    t.equal(sold.size, 0)
    t.match(await ask(`${labels}/compareAllCarriers`, { ...asked, customs: { items: [{ ...shirts, quantity: 5 }] } }), {
      errors: [{ path: 'customs.items', code: 'items_too_heavy' }],
    })
    const bought = await buy({ to: zurich, customs: told })
    t.match(bought, { order_id: 1, status: 'LABEL_PURCHASED' })
    t.match([...sold.values()], [{ customs: { ...told, items: [{ hs_code: '610910', origin_country: 'PT' }] } }])
    const each = [{ weight_grams: 800, items: [shirts] }]
    t.match(await buy({ to: zurich, parcels: each, customs: { contents_type: 'gift' } }), { order_id: 2 })
    t.match([...sold.values()][1], {
      parcels: [{ weight_grams: 800, items: [{ quantity: 2 }] }],
      customs: { contents_type: 'gift' },
    })
    const facts = JSON.stringify(await store.read('label-1'))
    t.notMatch(facts, /Signa Ture|DE1234567|Cotton/, 'all of it is sealed')
  },
)

t.test(
  'given a label abroad, when its customs document is asked for, then it is made, until its people are erased',
  async (t) => {
    const { send, tokens, parts, buy } = await shop()
    const document = async (order_id: number, kind = '') =>
      (
        await send('GET', `${labels}/labels/${order_id}/customs-document${kind && `?kind=${kind}`}`, {
          token: tokens.client_admin,
        })
      ).body
    await buy({ to: zurich, customs: told })
    await buy({ to: zurich, customs: { ...told, items: [{ ...shirts, unit_value: '400' }] } })
    await buy()
    for (const [order_id, kind, made] of [
      [1, '', 'cn22'],
      [1, 'cn23', 'cn23'],
      [1, 'commercial_invoice', 'commercial_invoice'],
      [2, '', 'cn23'],
    ] as const) {
      const answer = await document(order_id, kind)
      t.match(answer, { result: true, order_id, kind: made, is_of_carrier: false, media_type: 'application/pdf' })
      t.match(Buffer.from(answer.document, 'base64').toString('latin1'), /^%PDF-/, made)
    }
    t.match(await document(2, 'cn22'), { code: 'cn22_too_much' })
    t.match(await document(3), { code: 'label_without_customs' })
    t.match(await document(9), { code: 'label_not_found' })
    const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
    await call(forgetLabel, { ...parts, caller, messages: en, requestId: 'test' }, { order_id: 1 })
    t.match(await document(1), { code: 'label_forgotten' })
  },
)

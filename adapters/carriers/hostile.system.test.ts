import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import {
  type Carrier,
  type CarrierInputs,
  type CarrierMethod,
  type Purchase,
  type Shipment,
  workOnLabel,
} from '../../engine/index.ts'
import { operator, world } from '../auth/world.test.fixture.ts'
import { secretOf } from '../node/secret.ts'
import { runPoliciesOnce } from '../policies/index.ts'
import { never, says, serveHostile } from './hostile.test.fixture.ts'
import { easypost, karrio } from './index.ts'
import { createKarrio, token } from './karrio/double.test.fixture.ts'
import type { ManyQuestions } from './many-answers.test.fixture.ts'
import { asking, httpFor } from './servers.test.fixture.ts'

const ann = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment: Shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }] }
const asked_at = '2026-06-10T10:00:00.000Z'
const purchase: Purchase = {
  ...{ ...shipment, key: 'k1', asked_at, service: 'c.s', reference: '["c","s"]', amount: '9.50', currency: 'CAD' },
}
const label = { reference: 'shp_1', tracking_numbers: ['N1'] }
const questions = (url: string): Partial<CarrierInputs> => ({
  ...{ rate: shipment, buy: purchase, void: label, manifest: { labels: [label] }, track: { tracking_number: 'N1' } },
  pickup: {
    ...{ key: 'k1', asked_at, labels: [label], place: { ...ann, phone: '1' }, time_zone: 'America/Toronto' },
    ...{ ready_at: '2026-06-11T14:00:00Z', closes_at: '2026-06-11T20:00:00Z' },
  },
  cancelPickup: { reference: 'pck_1' },
  document: { ...label, document: { reference: `${url}/label.pdf`, media_type: 'application/pdf' } },
})

t.test('given what is no answer, when a carrier is asked anything, then each question fails in time', async (t) => {
  const server = await serveHostile(t)
  const carriers = [
    asking(karrio(httpFor(t)) as Carrier, { server_url: server.url, token: 'k' }, 'CAD'),
    asking(easypost(httpFor(t), server.url) as Carrier, { api_key: 'k' }, 'CAD'),
  ]
  for (const [what, reply] of Object.entries(never)) {
    server.reply = reply
    const asked = carriers.flatMap(({ carrier, asked }) =>
      Object.entries(questions(server.url)).map(async ([method, input]) => {
        const outcome = await asked(method as CarrierMethod, input as never, 300)
        return { question: `${carrier.name} ${method}`, outcome }
      }),
    )
    const outcomes = await Promise.all(asked)
    for (const { question, outcome } of outcomes)
      if (!question.endsWith(' document') || outcome.kind !== 'refused')
        t.match(outcome, { kind: 'failed' }, `${question}: ${what}`)
  }
})

/** A rate of a Karrio, with other members, or the text of its price. */
const rateWith = (over: object, charge = '9.50') =>
  says(
    `{"rates":[${JSON.stringify({ carrier_id: 'c', carrier_name: 'c', service: 's', currency: 'CAD', ...over, total_charge: 0 }).replace('"total_charge":0', `"total_charge":${charge}`)}]}`,
  )

t.test('given rates that nobody can take, when a carrier is asked, then there is no rate', async (t) => {
  const server = await serveHostile(t)
  const { asked } = asking(karrio(httpFor(t)) as Carrier, { server_url: server.url, token: 'k' }, 'CAD')
  const amounts = ['1e400', '-5', '-1e400', '1e-7', '123456789012345678901234567890', '9.999', '1e9', 'null', '"9.50"']
  const replies = [
    ...amounts.map((amount) => [amount, rateWith({}, amount)] as const),
    ...['cad', 'CADX', '', '$', '__proto__', 'CA\n', 'CÄD'].map(
      (currency) => [currency, rateWith({ currency })] as const,
    ),
    ...['', 7, {}, null, 'x'.repeat(10_000)].map((service) => [service, rateWith({ service })] as const),
  ]
  for (const [what, reply] of replies) {
    server.reply = reply
    t.match(await asked('rate', shipment), { kind: /refused|failed/ }, JSON.stringify(what).slice(0, 40))
  }
})

/** An answer of a Karrio with so many rates. */
const ratesOf = (count: number) => {
  const rate = { carrier_id: 'c', carrier_name: 'c', service: 's', currency: 'CAD', total_charge: 9.5 }
  return JSON.stringify({
    rates: Array.from({ length: count }, (_, place) => ({ ...rate, service: `service_${place}` })),
  })
}

t.test('given too many rates, when a carrier is asked, then its answer is wrong; of many, it has 50', async (t) => {
  const server = await serveHostile(t)
  const { asked } = asking(karrio(httpFor(t)) as Carrier, { server_url: server.url, token: 'k' }, 'CAD')
  server.reply = says(ratesOf(1_001))
  t.match(await asked('rate', shipment), { kind: 'failed', failure: 'wrong_answer' })
  server.reply = says(ratesOf(1_000))
  const outcome = await asked('rate', shipment)
  t.equal(outcome.kind === 'answered' && 'rates' in outcome.answer && outcome.answer.rates.length, 50)
})

t.test('given a small heap, when many answers of 4 MB come at once, then each is refused by itself', async (t) => {
  const server = await serveHostile(t)
  const text = ratesOf(38_000)
  t.ok(text.length > 3_500_000 && text.length < 4 * 1024 * 1024)
  server.reply = says(text)
  const workerData: ManyQuestions = { server_url: server.url, shipment, count: 60 }
  const file = new URL(`./many-answers.test.fixture${extname(import.meta.url)}`, import.meta.url)
  // The texts of all answers would be twice as large as this heap.
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: 112 } })
  const [outcomes] = (await once(worker, 'message')) as [readonly { readonly failure?: string }[]]
  t.same(new Set(outcomes.map(({ failure }) => failure)), new Set(['wrong_answer']))
  t.equal(outcomes.length, 60)
})

t.test('given hostile texts in rates, when a carrier is asked, then they are one short line each', async (t) => {
  const server = await serveHostile(t)
  const { asked } = asking(karrio(httpFor(t)) as Carrier, { server_url: server.url, token: 'k' }, 'CAD')
  const texts = [
    'a\nb',
    'a\0b',
    '\u001b[2J',
    '\ud800',
    '\u{1f4a3}'.repeat(100),
    'x'.repeat(900),
    '\u2028',
    'toString',
    '__proto__',
  ]
  for (const [place, service] of texts.entries()) {
    server.reply = rateWith({ service, transit_days: 1e308, meta: { service_name: service } })
    const outcome = await asked('rate', shipment)
    const [rate] = outcome.kind === 'answered' && 'rates' in outcome.answer ? outcome.answer.rates : []
    t.match(rate, { amount: '9.50', currency: 'CAD', transit_days: undefined }, `text ${place}`)
    t.match(rate?.service, /^c\.[^\0-\x1f\u2028]{0,58}$/)
    t.ok(rate?.service.isWellFormed() && rate.service_name?.isWellFormed())
  }
})

/** A business with an account at a Karrio, which says something else of the next label that it sells. */
async function shop(t: Test) {
  const server = await createKarrio(t)
  const made = await world({ carrierAllow: ['127.0.0.0/8'], secret: secretOf('ab'.repeat(32)) })
  t.teardown(() => made.parts.carriers.close())
  const ask = async (path: string, body: object) =>
    (await made.send('POST', `/api/v1/${path}`, { token: made.tokens.client_admin, body })).body
  await ask('carrier-accounts', { carrier: 'karrio', credentials: { server_url: server.url, token } })
  const buy = async (told: object) => {
    const { rates } = await ask('labelservice/compareAllCarriers', shipment)
    server.fault = ({ path }, act) => {
      if (!path.endsWith('/purchase')) return undefined
      const sold = act()
      return { ...sold, json: { ...(sold.json as object), ...told } }
    }
    const bought = await ask('labelservice/createShippingLabel', { ...shipment, rate_id: rates[0].rate_id })
    server.fault = undefined
    await runPoliciesOnce(made.parts)
    return bought
  }
  const download = (order_id: number) => ask('shipping/getShippingLabel', { order_id })
  return { ...made, server, ask, buy, download }
}

t.test('given labels that cannot be kept, when they are bought, then they are waited for, and sold once', async (t) => {
  const { server, buy, ask, clock, parts } = await shop(t)
  const hopeless = [
    ...['a\nb', 'x'.repeat(10_000), ' ', '\ud800', 'a\0'].map((tracking_number) => ({ tracking_number })),
    ...['x'.repeat(300), 'a\r\nb'].map((id) => ({ id })),
  ]
  for (const told of hopeless) {
    const before = server.sold.length
    const { order_id, status, tracking_numbers } = await buy(told)
    t.same([status, tracking_numbers], ['LABEL_PENDING', []], JSON.stringify(told).slice(0, 40))
    clock.now += 3_600_000
    await workOnLabel(operator({ parts }), order_id)
    t.match(await ask('labelservice/getShippingDetail', { order_id }), { status: 'LABEL_PURCHASED' })
    t.equal(server.sold.length, before + 1)
  }
})

t.test(
  'given hostile numbers of labels, when they are bought, then their timelines are under these numbers',
  async (t) => {
    const { send, buy } = await shop(t)
    const numbers = [
      '\'"<script>',
      '=1+1',
      '../../etc',
      '__proto__',
      '%00',
      'a/b?c#d',
      '\u202eabc',
      '$all',
      '\u{1f4a3}'.repeat(50),
    ]
    for (const [place, tracking_number] of numbers.entries()) {
      t.match(
        await buy({ tracking_number }),
        { status: 'LABEL_PURCHASED', tracking_numbers: [tracking_number] },
        `${place}`,
      )
      const { status } = await send('GET', `/api/v1/otep/trackings/${encodeURIComponent(tracking_number)}`)
      t.equal(status, 200, `${place}`)
    }
  },
)

t.test(
  'given addresses of documents that are none, when a label is bought, then it is kept without them',
  async (t) => {
    const { buy, download } = await shop(t)
    const addresses = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      `http://x/${'a'.repeat(5_000)}`,
      'http://x/\na',
    ]
    for (const label_url of [...addresses]) {
      const { order_id, status, document } = await buy({ label_url })
      t.same([status, document], ['LABEL_PURCHASED', undefined], label_url.slice(0, 20))
      t.match(await download(order_id), { media_type: 'application/pdf' })
    }
    const { order_id } = await buy({ label_type: 'constructor' })
    t.match(await download(order_id), { media_type: 'application/pdf' })
    const elsewhere = await buy({ label_url: 'http://169.254.169.254/latest' })
    t.match(await download(elsewhere.order_id), { code: 'carrier_broken' })
  },
)

t.test('given a document that is something else, when it is fetched, then the answer is refused', async (t) => {
  const { server, buy, download } = await shop(t)
  const { order_id } = await buy({})
  for (const text of ['<html>Welcome</html>', 'MZ\0', '^XA^XZ', `${' '.repeat(2_000)}%PDF-`, '\x89PNG\r\n']) {
    server.fault = () => ({ status: 200, text })
    t.match(await download(order_id), { code: 'carrier_wrong_answer' }, JSON.stringify(text).slice(0, 30))
  }
  server.fault = undefined
  t.match(await download(order_id), { media_type: 'application/pdf' })
})

import t from 'tap'
import { carrierSuite } from '../../conformance/suites/index.ts'
import { type Account, type Caller, type Carrier, en, ownFleet, type Shipment, scopesOf } from '../../engine/index.ts'
import { type World, world } from '../auth/world.test.fixture.ts'
import { defineCarrier, v } from '../plugins/index.ts'
import { createCarriers, sandbox } from './index.ts'

const toronto = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
const shipment: Shipment = {
  from: { ...toronto, name: 'Acme', street: '2 Depot Road' },
  to: toronto,
  parcels: [{ weight_grams: 800 }, { weight_grams: 1_200 }],
}
const now = Date.parse('2026-06-10T10:00:00Z')

t.test('the sandbox', async (t) => {
  carrierSuite(
    (name, run) => t.test(name, run),
    async () => ({
      ...{ carrier: sandbox, credentials: { account: 'acme' }, clock: () => now + 3 * 60_000 },
      ...{ shipment, unserved: { ...shipment, to: { ...toronto, postal_code: '00000' } } },
    }),
  )
})

/** The admin of the first business, as a caller. */
async function adminOf({ parts, ids }: World): Promise<Caller> {
  const account = (await parts.directory.person(parts, ids.client_admin)) as Account
  return { kind: 'account', name: String(account.id), scopes: scopesOf.client_admin, account }
}

t.test('the own fleet', async (t) => {
  carrierSuite(
    (name, run) => t.test(name, run),
    async () => {
      const made = await world()
      const context = { ...made.parts, caller: await adminOf(made), messages: en, requestId: 'test' }
      const prices = [{ zone: 'country', steps: [{ up_to_grams: 5_000, price: '9.50' }] }]
      const body = {
        ...{ currency: 'CAD', zones: [{ code: 'country', countries: ['CA'] }] },
        services: [{ code: 'standard', name: 'Standard', prices }],
      }
      await made.send('PUT', '/api/v1/price-list', { token: made.tokens.client_admin, body })
      return {
        carrier: ownFleet(context, [{ code: 'standard', name: 'Standard' }]),
        ...{ credentials: {}, clock: () => made.clock.now, shipment },
        unserved: { ...shipment, to: { ...toronto, country: 'FR' } },
      }
    },
  )
})

const asking = { business: 7, credentials: { account: 'acme' }, currency: 'CAD', deadline: 40 }

/** The outcome of a question to the sandbox about a recipient in this postal code. */
function ask(method: 'rate' | 'buy', postal_code: string, carrier: Carrier = sandbox) {
  const to = { ...toronto, postal_code }
  const purchase = { key: 'k', asked_at: '2026-06-10T10:00:00Z', service: 'standard', amount: '0.01', currency: 'CAD' }
  return createCarriers([], () => now).ask(carrier, method, { ...shipment, to, ...purchase }, asking)
}

t.test('given what the sandbox does on request, when it is asked, then each is an outcome', async (t) => {
  t.match(await ask('rate', '00000'), { kind: 'refused', refusal: { code: 'not_served' } })
  t.match(await ask('rate', '00001'), { kind: 'failed', failure: 'timed_out' })
  t.match(await ask('buy', '00002'), { kind: 'failed', failure: 'timed_out' })
  t.match(await ask('rate', '00003'), { kind: 'failed', failure: 'broken' })
  t.match(await ask('buy', '00004'), { kind: 'failed', failure: 'broken' })
  t.match(await ask('buy', '00005'), { kind: 'refused', refusal: { code: 'no_funds' } })
  t.match(await ask('rate', '00006'), { kind: 'failed', failure: 'wrong_answer' })
  t.match(await ask('buy', 'M5V'), { kind: 'refused', refusal: { code: 'price_changed' } })
})

t.test(
  'given a parcel of the sandbox, when time passes, then it comes nearer, and is not voided for ever',
  async (t) => {
    const bought = { ...shipment, key: 'k', asked_at: '2026-06-10T10:00:00.000Z', service: 'express', currency: 'CAD' }
    const at = (hours: number) => createCarriers([], () => now + hours * 3_600_000)
    const rated = await at(0).ask(sandbox, 'rate', shipment, asking)
    const rates = rated.kind === 'answered' && 'rates' in rated.answer ? rated.answer.rates : []
    const { amount = '0' } = rates.find(({ service }) => service === 'express') ?? {}
    const made = await at(9).ask(sandbox, 'buy', { ...bought, amount }, asking)
    if (made.kind !== 'answered') throw new Error(made.kind)
    const { label } = made.answer
    const [tracking_number = ''] = label.tracking_numbers
    const codes = async (hours: number) => {
      const tracked = await at(hours).ask(sandbox, 'track', { tracking_number }, asking)
      return tracked.kind === 'answered' ? tracked.answer.events.map(({ status_code }) => status_code) : []
    }
    t.same(await codes(1), ['information_submitted'])
    t.same(await codes(5), ['information_submitted', 'picked_up'])
    t.equal((await codes(24 * 30)).at(-1), 'delivered')
    t.match(await at(1).ask(sandbox, 'void', label, asking), { kind: 'answered' })
    t.match(await at(5).ask(sandbox, 'void', label, asking), { kind: 'refused', refusal: { code: 'too_late' } })
    const slip = tracking_number.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    t.match(await at(1).ask(sandbox, 'track', { tracking_number: slip }, asking), { kind: 'refused' })
  },
)

t.test('given a carrier that never ends, when very many ask it, then the next are told at once', async (t) => {
  const deaf = defineCarrier({
    ...sandbox,
    credentials: v.strictObject({ account: v.string() }),
    rate: () => new Promise(() => {}),
  })
  const carriers = createCarriers([], () => now)
  const askedBy = (business: number) =>
    Array.from({ length: 101 }, () => carriers.ask(deaf, 'rate', shipment, { ...asking, business }))
  const told = (await Promise.all([7, 8].flatMap(askedBy))).map((one) => (one.kind === 'failed' ? one.failure : ''))
  const places = (failures: readonly string[]) => failures.filter((failure) => failure === 'timed_out').length
  t.equal(told.filter((failure) => failure === 'too_busy').length, 102)
  t.same([places(told.slice(0, 101)), places(told.slice(101))], [75, 25], 'one business leaves places for others')
})

t.test('given a question, when the node stops, then nobody waits for the answer', async (t) => {
  const carriers = createCarriers([], () => now)
  const far = { ...shipment, to: { ...toronto, postal_code: '00001' } }
  const asked = carriers.ask(sandbox, 'rate', far, { ...asking, deadline: 600_000 })
  await new Promise((resolve) => setImmediate(resolve))
  carriers.close()
  t.match(await asked, { kind: 'failed', failure: 'timed_out' })
})

import { safeParse } from 'valibot'
import {
  type Carrier,
  type CarrierAnswer,
  type CarrierInputs,
  type CarrierMethod,
  carrierAnswers,
  carrierFindings,
  type PickupRequest,
  type Purchase,
  type Shipment,
} from '../../engine/index.ts'
import { parcel, unregisteredCodes } from '../../profiles/index.ts'
import { assertions, type Test } from './assertions.ts'

/** A carrier for one test. */
export interface CarrierUnderTest {
  readonly carrier: Carrier
  /** Credentials that it accepts. */
  readonly credentials: unknown
  /** A shipment that it carries. */
  readonly shipment: Shipment
  /** A shipment that it does not carry. */
  readonly unserved: Shipment
  /** The currency of its prices; CAD if absent. */
  readonly currency?: string
  /** Epoch milliseconds; the time of this machine if absent. */
  readonly clock?: () => number
  readonly cleanup?: () => Promise<void>
}

/** Makes a carrier for one test. */
export type MakeCarrier = () => Promise<CarrierUnderTest>

/** Asks the carrier; the answer must have the form that the engine accepts. */
type Ask = <Method extends CarrierMethod>(
  method: Method,
  input: CarrierInputs[Method],
  signal?: AbortSignal,
) => Promise<CarrierAnswer<Method>>

type Rule = (made: CarrierUnderTest, ask: Ask) => Promise<void>

const { ok, equal, same } = assertions

/** Milliseconds within which a question ends after it is aborted. */
const patience = 1_000

const rules: Readonly<Record<string, Rule>> = {
  'its name, title, credentials and services are in order': async ({ carrier, credentials }) => {
    same(carrierFindings(carrier), [])
    ok(safeParse(carrier.credentials, credentials).success, 'its schema accepts its credentials')
    ok(!safeParse(carrier.credentials, { 'not-a-member': 1 }).success, 'its schema refuses unknown members')
  },
  'given a shipment that it carries, when its rates are asked, then each is of one of its services, or names its own':
    async (made, ask) => {
      const rates = await ratesOf(made, ask)
      ok(rates.length > 0, 'there is a rate')
      const codes = made.carrier.services.map(({ code }) => code)
      for (const { service, service_name } of rates)
        ok(
          codes.includes(service) || service_name !== undefined,
          `${service} is none of ${codes.join(', ')}, without a name`,
        )
    },
  'given a shipment that it does not carry, when its rates are asked, then there are none': async (
    { unserved },
    ask,
  ) => {
    const answer = await ask('rate', unserved)
    ok('refused' in answer || answer.rates.length === 0)
  },
  'given an abort, when its rates are asked, then the question ends': async ({ shipment }, ask) => {
    const ended = ask('rate', shipment, AbortSignal.abort()).then(
      () => true,
      () => true,
    )
    const late = new Promise((resolve) => setTimeout(resolve, patience, false).unref())
    equal(await Promise.race([ended, late]), true)
  },
  'given a rate, when it is bought, then no two parcels have one number, and the price is that of the rate': async (
    made,
    ask,
  ) => {
    const purchase = await purchaseOf(made, ask, 'one')
    const { tracking_numbers: numbers, amount, currency } = await bought(ask, purchase)
    equal(new Set(numbers).size, numbers.length)
    ok(numbers.length <= made.shipment.parcels.length, 'there are as many parcels as numbers, or more')
    same({ amount, currency }, { amount: purchase.amount, currency: purchase.currency })
  },
  'given a purchase, when it is asked again with its key, also at once, then there is one label': async (made, ask) => {
    const purchase = await purchaseOf(made, ask, 'again')
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => bought(ask, purchase)))
    for (const label of [...others, await bought(ask, purchase)]) same(label, first)
  },
  'given two keys, when the same is bought with each, then there are two labels': async (made, ask) => {
    const purchase = await purchaseOf(made, ask, 'first')
    const [one, other] = [await bought(ask, purchase), await bought(ask, { ...purchase, key: 'carrier-suite-second' })]
    ok(one.reference !== other.reference, 'the references differ')
    const shared = one.tracking_numbers.filter((number) => other.tracking_numbers.includes(number))
    same(shared, [])
  },
  'given another price than that of the rate, when it is bought, then it is refused': async (made, ask) => {
    const purchase = await purchaseOf(made, ask, 'price')
    const answer = await ask('buy', { ...purchase, amount: purchase.amount + 1 })
    ok('refused' in answer && answer.refused.code === 'price_changed')
  },
  'given a label, when its numbers are tracked, then its events are in order, known, and not of the future': async (
    made,
    ask,
  ) => {
    const { tracking_numbers: numbers } = await bought(ask, await purchaseOf(made, ask, 'track'))
    const known = [...Object.keys(parcel.codes), ...Object.keys(unregisteredCodes)]
    for (const tracking_number of numbers) {
      const answer = await ask('track', { tracking_number })
      const { events } = 'events' in answer ? answer : { events: [] }
      ok('events' in answer, `${tracking_number} is known`)
      const times = events.map(({ occurred_at }) => Date.parse(occurred_at))
      same(
        times,
        [...times].sort((one, other) => one - other),
      )
      ok(times.every((time) => time <= clockOf(made)()))
      for (const { status_code: code } of events) ok(known.includes(code), `${code} is a code of the profile parcel`)
    }
  },
  'given no label, when its number is tracked, then it is unknown': async (_, ask) => {
    const answer = await ask('track', { tracking_number: 'NO-SUCH-NUMBER-1' })
    ok('refused' in answer && answer.refused.code === 'unknown_number')
  },
  'given a label, when it is voided twice, then both say so': async (made, ask) => {
    const { reference, tracking_numbers } = await bought(ask, await purchaseOf(made, ask, 'void'))
    for (const _ of [1, 2]) same(await ask('void', { reference, tracking_numbers }), { voided: true })
  },
  'given a label with a document, when it is fetched, then it is a document': async (made, ask) => {
    const { reference, tracking_numbers, document } = await bought(ask, await purchaseOf(made, ask, 'document'))
    if (document === undefined) return
    const answer = await ask('document', { reference, tracking_numbers, document })
    ok('content' in answer && answer.content.length > 0, `${document.reference} can be fetched`)
  },
  'given a request that nobody signed, when it is received, then it is refused': async ({ carrier }, ask) => {
    if (carrier.receive === undefined) return
    for (const text of ['{}', '', 'not json']) {
      const answer = await ask('receive', { body: new TextEncoder().encode(text), headers: {} })
      ok('refused' in answer && answer.refused.code === 'wrong_credentials')
    }
  },
  'given a label, when its pickup is asked again with its key, also at once, then one driver comes': async (
    made,
    ask,
  ) => {
    if (made.carrier.pickup === undefined) return
    const request = await pickupOf(made, ask, 'again')
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => ask('pickup', request)))
    ok(first !== undefined && 'pickup' in first, `it is refused: ${JSON.stringify(first)}`)
    for (const other of [...others, await ask('pickup', request)]) same(other, first)
  },
  'given two keys, when the labels of each are picked up, then there are two pickups': async (made, ask) => {
    if (made.carrier.pickup === undefined) return
    const [one, other] = [await booked(made, ask, 'one'), await booked(made, ask, 'other')]
    ok(one.reference !== other.reference, 'the references differ')
  },
  'given a pickup, when it is called off twice, then both say so': async (made, ask) => {
    if (made.carrier.cancelPickup === undefined) return
    const { reference } = await booked(made, ask, 'off')
    for (const _ of [1, 2]) same(await ask('cancelPickup', { reference }), { cancelled: true })
  },
  'given labels, when their day is closed twice, then there is one manifest': async (made, ask) => {
    const keys = ['manifest-1', 'manifest-2']
    const labels = await Promise.all(keys.map(async (key) => bought(ask, await purchaseOf(made, ask, key))))
    const asked = labels.map(({ reference, tracking_numbers }) => ({ reference, tracking_numbers }))
    const answer = await ask('manifest', { labels: asked })
    ok('manifest' in answer)
    same(await ask('manifest', { labels: asked }), answer)
  },
}

/** Tests that an implementation is a `Carrier`, which is what `defineCarrier` takes. The built-in ones pass the same tests. */
export function carrierSuite(test: Test, makeCarrier: MakeCarrier): void {
  for (const [sentence, rule] of Object.entries(rules)) {
    test(sentence, async () => {
      const made = await makeCarrier()
      try {
        await rule(made, askerOf(made))
      } finally {
        await made.cleanup?.()
      }
    })
  }
}

function clockOf({ clock = Date.now }: CarrierUnderTest): () => number {
  return clock
}

function askerOf(made: CarrierUnderTest): Ask {
  const { carrier, credentials, currency = 'CAD' } = made
  return async (method, input, signal = new AbortController().signal) => {
    const call = { credentials: credentials as never, currency, now: clockOf(made)(), signal }
    const answer: unknown = await carrier[method]?.(input as never, call)
    const { success, output, issues = [] } = safeParse(carrierAnswers[method], answer)
    ok(success, `the answer to ${method} has another form: ${issues.map(({ message }) => message).join('; ')}`)
    return output as never
  }
}

async function ratesOf({ shipment }: CarrierUnderTest, ask: Ask) {
  const answer = await ask('rate', shipment)
  ok('rates' in answer, `the shipment is refused: ${JSON.stringify(answer)}`)
  return 'rates' in answer ? answer.rates : []
}

async function purchaseOf(made: CarrierUnderTest, ask: Ask, key: string): Promise<Purchase> {
  const [rate] = await ratesOf(made, ask)
  if (rate === undefined) return assertions.ok(false, 'there is no rate') as never
  const { transit_days: _, service_name: __, ...chosen } = rate
  const asked_at = new Date(Math.floor(clockOf(made)() / 60_000) * 60_000).toISOString()
  return { ...made.shipment, ...chosen, key: `carrier-suite-${key}`, asked_at }
}

async function bought(ask: Ask, purchase: Purchase) {
  const answer = await ask('buy', purchase)
  if (!('label' in answer)) return assertions.ok(false, `it is refused: ${JSON.stringify(answer)}`) as never
  return answer.label
}

/** A pickup tomorrow, from nine to five in universal time, of a label that is bought for it. */
async function pickupOf(made: CarrierUnderTest, ask: Ask, key: string): Promise<PickupRequest> {
  const { reference, tracking_numbers } = await bought(ask, await purchaseOf(made, ask, `pickup-${key}`))
  const now = clockOf(made)()
  const tomorrow = new Date(now + 86_400_000).toISOString().slice(0, 10)
  return {
    ...{ key: `carrier-suite-pickup-${key}`, asked_at: new Date(now).toISOString() },
    labels: [{ reference, tracking_numbers }],
    place: { name: 'Ann', street: '1 Main Street', phone: '+14165550100', ...made.shipment.from },
    ...{ ready_at: `${tomorrow}T09:00:00.000Z`, closes_at: `${tomorrow}T17:00:00.000Z`, time_zone: 'UTC' },
  }
}

async function booked(made: CarrierUnderTest, ask: Ask, key: string) {
  const answer = await ask('pickup', await pickupOf(made, ask, key))
  if (!('pickup' in answer)) return assertions.ok(false, `it is refused: ${JSON.stringify(answer)}`) as never
  return answer.pickup
}

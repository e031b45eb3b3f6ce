import * as v from 'valibot'
import {
  type CarrierAnswer,
  type CarrierInputs,
  compareAmounts,
  exactMoney,
  isoOf,
  omitUndefined,
  type PickupRequest,
} from '../../../engine/index.ts'
import { answerBy, createSingleFlight, isMissing, listOf, refusalBy, refused, shortened } from '../answers.ts'
import { type AskEasyPost, type EasyPostCall, shipmentAnswer, wordsOf } from './client.ts'
import { partyOf, silenceOf } from './shipment.ts'

type Answer = CarrierAnswer<'pickup'>

const rate = v.object({ service: v.string(), carrier: v.string(), rate: v.string(), currency: v.string() })

const pickupAnswer = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.nullish(v.string()),
  reference: v.nullish(v.string()),
  confirmation: v.nullish(v.string()),
  pickup_rates: v.nullish(listOf(rate)),
  messages: v.nullish(listOf(v.object({ carrier: v.nullish(v.string()), message: v.nullish(v.unknown()) }))),
})

type EasyPostPickup = v.InferOutput<typeof pickupAnswer>

/** The most pages of the list of pickups that are looked through for one. */
const mostPages = 10

const list = v.object({ pickups: listOf(pickupAnswer), has_more: v.nullish(v.boolean()) })

/**
 * Creates the pickups of EasyPost. One is made with our key as its reference, and then bought at its lowest rate; a repeated
 * request finds it among those that were made since, and takes the one that is bought, or else the earliest.
 */
export function createPickup(ask: AskEasyPost) {
  const once = createSingleFlight<Answer>()
  return (request: PickupRequest, call: EasyPostCall): Promise<Answer> =>
    once(JSON.stringify([call.credentials.api_key, request.key]), () => pickUpOnce(ask, request, call))
}

async function pickUpOnce(ask: AskEasyPost, request: PickupRequest, call: EasyPostCall): Promise<Answer> {
  const pickup = (await madeFor(ask, call, request)) ?? (await made(ask, call, request))
  if ('refused' in pickup) return pickup
  if (pickup.status === 'scheduled') return { pickup: toldOf(pickup) }
  const lowest = lowestOf(pickup)
  if (lowest === undefined) return refused('not_offered', silenceOf(pickup))
  const { carrier, service } = lowest
  const path = `pickups/${encodeURIComponent(pickup.id)}/buy`
  const response = await ask(call, 'POST', path, { body: { carrier, service } })
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal !== undefined) return refusal
  const bought = answerBy(pickupAnswer, response.json)
  if (bought.status !== 'scheduled') throw new Error(`The pickup is ${bought.status}.`)
  return { pickup: toldOf({ ...pickup, ...bought }) }
}

async function madeFor(ask: AskEasyPost, call: EasyPostCall, { key, asked_at }: PickupRequest) {
  const start_datetime = isoOf(Date.parse(asked_at) - 3_600_000)
  const found: EasyPostPickup[] = []
  let before_id: string | undefined
  for (let page = 1; ; page++) {
    const query = { start_datetime, page_size: '100', ...(before_id && { before_id }) }
    const response = await ask(call, 'GET', 'pickups', { query })
    const refusal = refusalBy(response, wordsOf(response.json))
    if (refusal !== undefined) return refusal
    const { pickups, has_more } = answerBy(list, response.json)
    found.push(...pickups.filter(({ reference }) => reference === key))
    before_id = pickups.at(-1)?.id
    if (has_more !== true || before_id === undefined) break
    if (page === mostPages) throw new Error('There are more pickups than can be looked through.')
  }
  return found.find(({ status }) => status === 'scheduled') ?? found.at(-1)
}

/** Makes a pickup of one label with the account of the carrier that the label was bought from. */
async function made(ask: AskEasyPost, call: EasyPostCall, request: PickupRequest) {
  const [label, another] = request.labels
  if (label === undefined || another !== undefined) return refused('other', 'With EasyPost, a pickup is for one label.')
  const known = await ask(call, 'GET', `shipments/${encodeURIComponent(label.reference)}`)
  const unknown = refusalBy(known, wordsOf(known.json))
  if (unknown !== undefined) return unknown
  const { id, selected_rate } = answerBy(shipmentAnswer, known.json)
  const { key: reference, place, ready_at: min_datetime, closes_at: max_datetime, instruction, location } = request
  const instructions = [location, instruction].filter((text) => text !== undefined).join('. ')
  const pickup = {
    ...{ reference, shipment: { id }, address: partyOf(place), min_datetime, max_datetime, is_account_address: false },
    ...omitUndefined({
      instructions: instructions === '' ? undefined : instructions,
      carrier_accounts: selected_rate == null ? undefined : [{ id: selected_rate.carrier_account_id }],
    }),
  }
  const response = await ask(call, 'POST', 'pickups', { body: { pickup } })
  return refusalBy(response, wordsOf(response.json)) ?? answerBy(pickupAnswer, response.json)
}

/** The lowest rate of a pickup; those of one carrier account have one currency. */
function lowestOf({ pickup_rates }: EasyPostPickup) {
  const priced = (pickup_rates ?? []).flatMap((one) => {
    const charge = exactMoney(one.rate, one.currency)
    return charge === undefined ? [] : [{ ...one, charge }]
  })
  return priced.sort((one, other) => compareAmounts(one.charge.amount, other.charge.amount))[0]
}

function toldOf(pickup: EasyPostPickup) {
  const lowest = lowestOf(pickup)
  return {
    reference: pickup.id,
    ...omitUndefined({ confirmation_number: shortened(pickup.confirmation ?? '', 100) || undefined }),
    ...(lowest && { charge: lowest.charge }),
  }
}

/** Calls a pickup off. */
export async function callOff(
  ask: AskEasyPost,
  { reference }: CarrierInputs['cancelPickup'],
  call: EasyPostCall,
): Promise<CarrierAnswer<'cancelPickup'>> {
  const path = `pickups/${encodeURIComponent(reference)}`
  const response = await ask(call, 'POST', `${path}/cancel`, { isHarmless: true })
  if (isMissing(response)) return refused('unknown_number', 'There is no such pickup.')
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal?.refused.code === 'wrong_credentials') return refusal
  // A pickup that was called off before is refused, too.
  const after = refusal === undefined ? response : await ask(call, 'GET', path)
  const { status } = answerBy(pickupAnswer, after.json)
  if (status === 'canceled') return { cancelled: true }
  return refused('too_late', refusal?.refused.message ?? `The pickup is ${status}.`)
}

import * as v from 'valibot'
import {
  type CarrierAnswer,
  type CarrierInputs,
  exactMoney,
  omitUndefined,
  type PickupRequest,
  zonedIso,
} from '../../../engine/index.ts'
import { answerBy, createSingleFlight, inTurn, isMissing, refusalBy, refused, shortened } from '../answers.ts'
import { type AskKarrio, type KarrioCall, pageOf, wordsOf } from './client.ts'
import { longest, partyOf, untakenOf } from './shipment.ts'

type Answer = CarrierAnswer<'pickup'>

/** The member of the metadata of a pickup that has the key of ours. */
const keyMember = 'otep_key'

const pickupAnswer = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  confirmation_number: v.string(),
  pickup_charge: v.nullish(v.object({ amount: v.nullish(v.number()), currency: v.nullish(v.string()) })),
  metadata: v.nullish(v.record(v.string(), v.unknown())),
})

type KarrioPickup = v.InferOutput<typeof pickupAnswer>

/** The most pages of the list of pickups that are looked through for one. */
const mostPages = 10

/**
 * Creates the pickups of a Karrio, which knows no keys of them: a repeated request looks through the latest thousand for the one
 * with our key in its metadata.
 */
export function createPickup(ask: AskKarrio) {
  const once = createSingleFlight<Answer>()
  return (request: PickupRequest, call: KarrioCall): Promise<Answer> => {
    const { server_url, token } = call.credentials
    return once(JSON.stringify([server_url, token, request.key]), () => pickUpOnce(ask, request, call))
  }
}

async function pickUpOnce(ask: AskKarrio, request: PickupRequest, call: KarrioCall): Promise<Answer> {
  const tooLong = untakenIn(request)
  if (tooLong !== undefined) return refused('other', tooLong)
  const before = await madeFor(ask, call, request.key)
  if (before !== undefined) return 'refused' in before ? before : { pickup: toldOf(before) }
  const carriers = await carriersOf(ask, call, request.labels)
  if ('refused' in carriers) return carriers
  const [carrier, another] = carriers
  if (carrier === undefined || another !== undefined)
    return refused('other', `A pickup is for the labels of one carrier, not of ${carriers.join(', ')}.`)
  const response = await ask(call, 'POST', `pickups/${encodeURIComponent(carrier)}/schedule`, { body: bodyOf(request) })
  const refusal = refusalBy(response, wordsOf(response.json))
  return refusal ?? { pickup: toldOf(answerBy(pickupAnswer, response.json)) }
}

async function madeFor(ask: AskKarrio, call: KarrioCall, key: string) {
  for (let page = 0; page < mostPages; page++) {
    const response = await ask(call, 'GET', 'pickups', { query: { limit: '100', offset: String(page * 100) } })
    const refusal = refusalBy(response, wordsOf(response.json))
    if (refusal !== undefined) return refusal
    const { results, next } = answerBy(pageOf(pickupAnswer), response.json)
    const found = results.find(({ metadata }) => metadata?.[keyMember] === key)
    if (found !== undefined || typeof next !== 'string') return found
  }
  return undefined
}

const carried = v.object({ carrier_name: v.nullish(v.pipe(v.string(), v.maxLength(200))) })

/** The names of the carriers of labels. */
async function carriersOf(ask: AskKarrio, call: KarrioCall, labels: PickupRequest['labels']) {
  const answers = await inTurn(labels, async ({ reference }) => {
    const response = await ask(call, 'GET', `shipments/${encodeURIComponent(reference)}`)
    return refusalBy(response, wordsOf(response.json)) ?? answerBy(carried, response.json)
  })
  const refusal = answers.find((one) => 'refused' in one)
  if (refusal !== undefined) return refusal
  return [...new Set(answers.flatMap((one) => ('refused' in one ? [] : (one.carrier_name ?? ''))))]
}

function untakenIn({ place, instruction = '', location = '' }: PickupRequest): string | undefined {
  const texts = Object.entries({ instruction, location })
  const found = [
    ...untakenOf('place', place),
    ...texts.flatMap(([member, text]) => (text.length > longest.line ? [member] : [])),
  ]
  return found.length === 0 ? undefined : `Too long for this carrier: ${found.join(', ')}.`
}

function bodyOf({ key, labels, place, ready_at, closes_at, time_zone, instruction, location }: PickupRequest) {
  const [ready, closes] = [ready_at, closes_at].map((at) => zonedIso(Date.parse(at), time_zone)) as [string, string]
  return {
    ...{ pickup_date: ready.slice(0, 10), ready_time: ready.slice(11, 16), closing_time: closes.slice(11, 16) },
    ...{ address: partyOf(place), tracking_numbers: labels.flatMap(({ tracking_numbers }) => tracking_numbers) },
    ...omitUndefined({ instruction, package_location: location }),
    metadata: { [keyMember]: key },
  }
}

function toldOf({ id, confirmation_number, pickup_charge }: KarrioPickup) {
  const charge = exactMoney(pickup_charge?.amount, pickup_charge?.currency)
  return {
    reference: id,
    ...omitUndefined({ confirmation_number: shortened(confirmation_number, 100) || undefined }),
    ...omitUndefined({ charge }),
  }
}

/** Calls a pickup off. A Karrio forgets it then, so one that is not there any more was called off before. */
export async function callOff(
  ask: AskKarrio,
  { reference }: CarrierInputs['cancelPickup'],
  call: KarrioCall,
): Promise<CarrierAnswer<'cancelPickup'>> {
  const path = `pickups/${encodeURIComponent(reference)}/cancel`
  const response = await ask(call, 'POST', path, { body: {}, isHarmless: true })
  if (isMissing(response)) return { cancelled: true }
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal === undefined) {
    answerBy(pickupAnswer, response.json)
    return { cancelled: true }
  }
  return refusal.refused.code === 'wrong_credentials' ? refusal : refused('too_late', refusal.refused.message)
}

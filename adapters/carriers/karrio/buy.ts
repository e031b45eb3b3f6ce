import { type CarrierAnswer, isoOf, type Purchase } from '../../../engine/index.ts'
import { answerBy, createSingleFlight, refusalBy, refused } from '../answers.ts'
import { type AskKarrio, type KarrioCall, type KarrioShipment, pageOf, shipmentAnswer, wordsOf } from './client.ts'
import { bodyOf, isSold, labelOf, offerOf, untaken, wayOf } from './shipment.ts'

type Answer = CarrierAnswer<'buy'>

/** Members of the metadata of a shipment: the key of our purchase, and when its label was last asked for. */
const [keyMember, triedMember] = ['otep_key', 'otep_tried_at'] as const

/**
 * Milliseconds in which a shipment whose label was asked for is left alone: a Karrio that still waits for its carrier has not yet
 * said so, and would ask the carrier a second time.
 */
const quiet = 300_000

/**
 * Creates the purchase at a Karrio, which knows no keys of purchases: a draft with our key in its metadata is made, and then its
 * label is bought. A repeated request finds what was made with that key, and takes the one that is sold, or else the earliest.
 */
export function createBuy(ask: AskKarrio) {
  const once = createSingleFlight<Answer>()
  return (purchase: Purchase, call: KarrioCall): Promise<Answer> => {
    const { server_url, token } = call.credentials
    return once(JSON.stringify([server_url, token, purchase.key]), () => buyOnce(ask, purchase, call))
  }
}

async function madeFor(ask: AskKarrio, call: KarrioCall, key: string) {
  const query = { metadata_key: keyMember, metadata_value: key, limit: '100' }
  const response = await ask(call, 'GET', 'shipments', { query })
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal !== undefined) return refusal
  const { results, next } = answerBy(pageOf(shipmentAnswer), response.json)
  if (typeof next === 'string') throw new Error('There are more shipments with one key than can be.')
  return results.filter(({ metadata }) => metadata?.[keyMember] === key).sort(byAge)
}

async function draftOf(ask: AskKarrio, call: KarrioCall, purchase: Purchase) {
  const way = wayOf(purchase.reference)
  const tooLong = untaken(purchase)
  if (way === undefined) return refused('not_offered', 'The rate names no service of this carrier.')
  if (tooLong !== undefined) return refused('other', tooLong)
  const body = {
    ...bodyOf(purchase),
    ...{ carrier_ids: [way.carrier_id], services: [way.service], label_type: 'PDF' },
    metadata: { [keyMember]: purchase.key },
  }
  const response = await ask(call, 'POST', 'shipments', { body })
  return refusalBy(response, wordsOf(response.json)) ?? answerBy(shipmentAnswer, response.json)
}

async function chosenFor(ask: AskKarrio, call: KarrioCall, purchase: Purchase) {
  const before = await madeFor(ask, call, purchase.key)
  if ('refused' in before) return before
  if (before.length > 0) return chosenOf(before)
  const made = await draftOf(ask, call, purchase)
  if ('refused' in made) return made
  const now = await madeFor(ask, call, purchase.key)
  if ('refused' in now) return now
  return chosenOf(now) ?? made
}

async function buyOnce(ask: AskKarrio, purchase: Purchase, call: KarrioCall): Promise<Answer> {
  const shipment = await chosenFor(ask, call, purchase)
  if (shipment === undefined || 'refused' in shipment) return shipment ?? missing
  if (isSold(shipment)) return { label: labelOf(shipment, purchase) }
  if (shipment.status !== 'draft') return refused('other', `The shipment ${shipment.id} is ${shipment.status}.`)
  const tried = Date.parse(String(shipment.metadata?.[triedMember]))
  if (call.now < tried + quiet) throw new Error('The carrier may still be selling this label.')
  const rate = rateOf(shipment, purchase)
  if ('refused' in rate) return rate
  const metadata = { [keyMember]: purchase.key, [triedMember]: isoOf(call.now) }
  const marked = await ask(call, 'PUT', `shipments/${encodeURIComponent(shipment.id)}`, { body: { metadata } })
  const refusal = refusalBy(marked, wordsOf(marked.json))
  return refusal ?? sell(ask, call, shipment, purchase, rate.id)
}

async function sell(
  ask: AskKarrio,
  call: KarrioCall,
  { id }: KarrioShipment,
  purchase: Purchase,
  rateId: string,
): Promise<Answer> {
  const body = { selected_rate_id: rateId, label_type: 'PDF' }
  const response = await ask(call, 'POST', `shipments/${encodeURIComponent(id)}/purchase`, { body })
  // Somebody else has bought it meanwhile: the next time finds the label.
  if (response.status === 409) throw new Error('The shipment is not a draft any more.')
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal !== undefined) return refusal
  const sold = answerBy(shipmentAnswer, response.json)
  if (!isSold(sold)) throw new Error('The shipment has no label yet.')
  return { label: labelOf(sold, purchase) }
}

const missing = refused('other', 'The shipment was made and cannot be found.')

function byAge(one: KarrioShipment, other: KarrioShipment): number {
  return Date.parse(one.created_at) - Date.parse(other.created_at) || (one.id < other.id ? -1 : 1)
}

/** Of shipments with one key, in order of age, the one that counts. */
function chosenOf(shipments: readonly KarrioShipment[]): KarrioShipment | undefined {
  return shipments.find(isSold) ?? shipments.find(({ status }) => status === 'draft') ?? shipments[0]
}

/** The rate of a draft that is to be bought, at the price that was asked. */
function rateOf({ rates, id }: KarrioShipment, { reference, amount, currency }: Purchase) {
  const way = wayOf(reference)
  const found = (rates ?? []).find((one) => one.carrier_id === way?.carrier_id && one.service === way.service)
  const offer = found && offerOf(found)
  if (found?.id === undefined || offer === undefined)
    return refused('not_offered', `The carrier has no such rate for the shipment ${id}.`)
  if (offer.amount !== amount || offer.currency !== currency)
    return refused('price_changed', `The price is ${offer.amount} ${offer.currency} now.`)
  return { id: found.id }
}

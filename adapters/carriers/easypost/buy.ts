import * as v from 'valibot'
import { type CarrierAnswer, isoOf, type Purchase } from '../../../engine/index.ts'
import { answerBy, createSingleFlight, isMissing, listOf, refusalBy, refused } from '../answers.ts'
import { type AskEasyPost, type EasyPostCall, type EasyPostShipment, shipmentAnswer, wordsOf } from './client.ts'
import { bodyOf, isSold, labelOf, offerOf, referenceOf } from './shipment.ts'

type Answer = CarrierAnswer<'buy'>

const list = v.object({ shipments: listOf(shipmentAnswer), has_more: v.nullish(v.boolean()) })

/**
 * Creates the purchase at EasyPost, which sells one label for each shipment. The key of the purchase is the reference of the
 * shipment, by which a repeated request finds it.
 */
export function createBuy(ask: AskEasyPost) {
  const once = createSingleFlight<Answer>()

  /** The shipment that a reference or an id leads to, if there is one. */
  async function shipmentNamed(call: EasyPostCall, name: string) {
    const response = await ask(call, 'GET', `shipments/${encodeURIComponent(name)}`)
    if (isMissing(response)) return undefined
    return refusalBy(response, wordsOf(response.json)) ?? answerBy(shipmentAnswer, response.json)
  }

  /**
   * The shipment with a reference that was bought since. EasyPost does not promise that references are unique: if two requests to
   * make the shipment got through, the reference may lead to the one that was not bought.
   */
  async function soldFor(call: EasyPostCall, { key, asked_at }: Purchase) {
    const start = isoOf(Date.parse(asked_at) - 3_600_000)
    let before_id: string | undefined
    for (;;) {
      const query = { start_datetime: start, purchased: 'true', page_size: '100', ...(before_id && { before_id }) }
      const response = await ask(call, 'GET', 'shipments', { query })
      const refusal = refusalBy(response, wordsOf(response.json))
      if (refusal !== undefined) return refusal
      const { shipments, has_more } = answerBy(list, response.json)
      const found = shipments.find((one) => one.reference === key && isSold(one))
      if (found !== undefined) return found
      before_id = shipments.at(-1)?.id
      if (has_more !== true || before_id === undefined) return undefined
    }
  }

  async function chosenFor(call: EasyPostCall, purchase: Purchase) {
    const before = await shipmentNamed(call, purchase.key)
    if (before !== undefined && 'refused' in before) return before
    if (before !== undefined) return isSold(before) ? before : ((await soldFor(call, purchase)) ?? before)
    const response = await ask(call, 'POST', 'shipments', { body: bodyOf(purchase, purchase.key) })
    return refusalBy(response, wordsOf(response.json)) ?? answerBy(shipmentAnswer, response.json)
  }

  async function buyOnce(purchase: Purchase, call: EasyPostCall): Promise<Answer> {
    if (purchase.parcels.length > 1) return oneParcel
    const shipment = await chosenFor(call, purchase)
    if ('refused' in shipment) return shipment
    if (isSold(shipment)) return { label: labelOf(shipment, purchase) }
    const rate = rateOf(shipment, purchase)
    if ('refused' in rate) return rate
    const path = `shipments/${encodeURIComponent(shipment.id)}/buy`
    const response = await ask(call, 'POST', path, { body: { rate: { id: rate.id } } })
    const refusal = refusalBy(response, wordsOf(response.json))
    // A shipment that is bought is refused like one that cannot be bought.
    const after =
      refusal === undefined ? answerBy(shipmentAnswer, response.json) : await shipmentNamed(call, shipment.id)
    if (after !== undefined && !('refused' in after) && isSold(after)) return { label: labelOf(after, purchase) }
    if (refusal === undefined) throw new Error('The shipment has no label yet.')
    return refusal
  }

  return (purchase: Purchase, call: EasyPostCall): Promise<Answer> =>
    once(JSON.stringify([call.credentials.api_key, purchase.key]), () => buyOnce(purchase, call))
}

/** A label of EasyPost is for one parcel. */
export const oneParcel = refused('not_offered', 'With EasyPost, a shipment has one parcel.')

/** The rate of a shipment that is to be bought, at the price that was asked. */
function rateOf({ rates, id }: EasyPostShipment, { reference, amount, currency }: Purchase) {
  const found = (rates ?? []).find((one) => referenceOf(one) === reference)
  const offer = found && offerOf(found)
  if (found === undefined || offer === undefined)
    return refused('not_offered', `EasyPost has no such rate for the shipment ${id}.`)
  if (offer.amount !== amount || offer.currency !== currency)
    return refused('price_changed', `The price is ${found.rate} ${found.currency} now.`)
  return { id: found.id }
}

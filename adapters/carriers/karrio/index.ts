import * as v from 'valibot'
import { type Carrier, type CarrierAnswer, type CarrierInputs, type Shipment, sha256 } from '../../../engine/index.ts'
import { answerBy, inTurn, isMissing, rated, refusalBy, refused } from '../answers.ts'
import type { CarrierHttp } from '../http.ts'
import { createBuy } from './buy.ts'
import {
  type AskKarrio,
  createAskKarrio,
  credentials,
  type KarrioCall,
  pageOf,
  rateAnswer,
  shipmentAnswer,
  wordsOf,
} from './client.ts'
import { callOff, createPickup } from './pickup.ts'
import { offerOf, rateBodyOf, untaken } from './shipment.ts'
import { createTrack } from './track.ts'

/**
 * All carriers that a Karrio of the business is connected to. Nobody says how it signs what it sends by itself, so parcels are asked
 * for.
 */
export function karrio(http: CarrierHttp): Carrier<v.InferOutput<typeof credentials>> {
  const ask = createAskKarrio(http)
  const track = createTrack(ask)
  return {
    name: 'karrio',
    title: 'Karrio',
    credentials,
    services: [],
    rate: (shipment, call) => rate(ask, shipment, call),
    buy: createBuy(ask),
    void: (label, call) => cancel(ask, label, call),
    manifest: ({ labels }, call) => manifest(ask, labels, call),
    track: ({ tracking_number }, call) => track(tracking_number, call),
    pickup: createPickup(ask),
    cancelPickup: (pickup, call) => callOff(ask, pickup, call),
    document: (label, call) => document(http, label, call),
  }
}

async function rate(ask: AskKarrio, shipment: Shipment, call: KarrioCall): Promise<CarrierAnswer<'rate'>> {
  const tooLong = untaken(shipment)
  if (tooLong !== undefined) return refused('other', tooLong)
  const response = await ask(call, 'POST', 'proxy/rates', { body: rateBodyOf(shipment), isHarmless: true })
  const words = wordsOf(response.json)
  const refusal = refusalBy(response, words)
  if (refusal !== undefined) return refusal
  const { rates } = answerBy(rateAnswer, response.json)
  if (rates.length === 0) return refused('not_served', words)
  return rated(rates, offerOf)
}

async function cancel(ask: AskKarrio, { reference }: CarrierInputs['void'], call: KarrioCall) {
  const path = `shipments/${encodeURIComponent(reference)}`
  const response = await ask(call, 'POST', `${path}/cancel`, { isHarmless: true })
  if (isMissing(response)) return refused('unknown_number', 'There is no such shipment.')
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal?.refused.code === 'wrong_credentials') return refusal
  // A shipment that was cancelled before is refused, too.
  const asked = await ask(call, 'GET', path)
  const { status } = answerBy(shipmentAnswer, asked.json)
  if (status === 'cancelled') return { voided: true } as const
  if (refusal === undefined) throw new Error(`The shipment is ${status}.`)
  return refused('too_late', refusal.refused.message)
}

const word = v.nullish(v.pipe(v.string(), v.maxLength(200)))

/** What of a shipment its manifest needs. All of them are held at once, so that nothing else of them is. */
const handedIn = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  carrier_name: word,
  shipper: v.object({
    country_code: v.pipe(v.string(), v.maxLength(2)),
    ...{ postal_code: word, city: word, state_code: word, suburb: word, residential: v.nullish(v.boolean()) },
    ...{ person_name: word, company_name: word, phone_number: word, email: word },
    ...{ street_number: word, address_line1: word, address_line2: word, federal_tax_id: word, state_tax_id: word },
  }),
})

type HandedIn = v.InferOutput<typeof handedIn>

/** Closes the day at each carrier of the labels; all of these manifests have one reference, by which they are found again. */
async function manifest(
  ask: AskKarrio,
  labels: CarrierInputs['manifest']['labels'],
  call: KarrioCall,
): Promise<CarrierAnswer<'manifest'>> {
  const answers = await inTurn(labels, async ({ reference }) => {
    const response = await ask(call, 'GET', `shipments/${encodeURIComponent(reference)}`)
    return refusalBy(response, wordsOf(response.json)) ?? answerBy(handedIn, response.json)
  })
  const refusal = answers.find((one) => 'refused' in one)
  if (refusal !== undefined) return refusal
  const shipments = answers.flatMap((one) => ('refused' in one ? [] : one))
  const ids = shipments.map(({ id }) => id).sort()
  const reference = `OTEP${sha256(ids.join(' ')).slice(0, 20).toUpperCase()}`
  for (const [carrier_name, own] of byCarrier(shipments)) {
    const address = own[0].shipper
    const known = await ask(call, 'GET', 'manifests', { query: { carrier_name, limit: '100' } })
    const before = known.status < 400 ? answerBy(pageOf(made), known.json).results : []
    if (before.some((one) => one.reference === reference && one.carrier_name === carrier_name)) continue
    const body = { carrier_name, address, reference, shipment_ids: own.map(({ id }) => id) }
    const response = await ask(call, 'POST', 'manifests', { body })
    const refusal = refusalBy(response, wordsOf(response.json))
    if (refusal !== undefined) return refused(refusal.refused.code, `${carrier_name}: ${refusal.refused.message}`)
    answerBy(made, response.json)
  }
  return { manifest: { reference } }
}

/** The shipments of each carrier. */
function byCarrier(shipments: readonly HandedIn[]) {
  const found = new Map<string, [HandedIn, ...HandedIn[]]>()
  for (const one of shipments) {
    const name = one.carrier_name ?? ''
    const others = found.get(name)
    if (others === undefined) found.set(name, [one])
    else others.push(one)
  }
  return found
}

const made = v.object({ carrier_name: v.string(), reference: v.nullish(v.string()) })

/** The document of a label. The token goes to the server of the account only. */
async function document(
  http: CarrierHttp,
  { document: { reference } }: CarrierInputs['document'],
  { credentials: { server_url, token }, signal }: KarrioCall,
): Promise<CarrierAnswer<'document'>> {
  if (!URL.canParse(reference, server_url)) return refused('other', 'The document has no address.')
  const target = new URL(reference, server_url)
  const isOwn = target.origin === new URL(server_url).origin
  const response = await http({
    ...{ method: 'GET', url: target.href, signal },
    ...(isOwn && { authorization: `Token ${token}` }),
  })
  const { status, bytes } = response
  if (status >= 400 && status < 500)
    return refused('other', wordsOf(response.json) || `The document is answered with ${status}.`)
  if (status !== 200 || bytes.length === 0) throw new Error(`The document is answered with ${status}.`)
  return { content: Buffer.from(bytes).toString('base64') }
}

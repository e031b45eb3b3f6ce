import * as v from 'valibot'
import { type Carrier, type CarrierAnswer, type CarrierInputs, type Shipment, sha256 } from '../../../engine/index.ts'
import { inTurn, rated, refusalBy, refused } from '../answers.ts'
import type { CarrierHttp } from '../http.ts'
import { createBuy } from './buy.ts'
import {
  type AskKarrio,
  createAskKarrio,
  credentials,
  type KarrioCall,
  type KarrioShipment,
  pageOf,
  rateAnswer,
  shipmentAnswer,
  wordsOf,
} from './client.ts'
import { callOff, createPickup } from './pickup.ts'
import { bodyOf, offerOf, untaken } from './shipment.ts'
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
  const response = await ask(call, 'POST', 'proxy/rates', { body: bodyOf(shipment), isHarmless: true })
  const words = wordsOf(response.json)
  const refusal = refusalBy(response, words)
  if (refusal !== undefined) return refusal
  const { rates } = v.parse(rateAnswer, response.json)
  if (rates.length === 0) return refused('not_served', words)
  return rated(rates, offerOf)
}

async function cancel(ask: AskKarrio, { reference }: CarrierInputs['void'], call: KarrioCall) {
  const path = `shipments/${encodeURIComponent(reference)}`
  const response = await ask(call, 'POST', `${path}/cancel`, { isHarmless: true })
  if (response.status === 404) return refused('unknown_number', 'There is no such shipment.')
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal?.refused.code === 'wrong_credentials') return refusal
  // A shipment that was cancelled before is refused, too.
  const asked = await ask(call, 'GET', path)
  const { status } = v.parse(shipmentAnswer, asked.json)
  if (status === 'cancelled') return { voided: true } as const
  if (refusal === undefined) throw new Error(`The shipment is ${status}.`)
  return refused('too_late', refusal.refused.message)
}

/** Closes the day at each carrier of the labels; all of these manifests have one reference, by which they are found again. */
async function manifest(
  ask: AskKarrio,
  labels: CarrierInputs['manifest']['labels'],
  call: KarrioCall,
): Promise<CarrierAnswer<'manifest'>> {
  const answers = await inTurn(labels, ({ reference }) =>
    ask(call, 'GET', `shipments/${encodeURIComponent(reference)}`),
  )
  const refusal = answers.map((one) => refusalBy(one, wordsOf(one.json))).find((one) => one !== undefined)
  if (refusal !== undefined) return refusal
  const shipments = answers.map(({ json }) => v.parse(shipmentAnswer, json))
  const ids = shipments.map(({ id }) => id).sort()
  const reference = `OTEP${sha256(ids.join(' ')).slice(0, 20).toUpperCase()}`
  for (const [carrier_name, own] of byCarrier(shipments)) {
    const { id: _, object_type: __, validation: ___, ...address } = own[0].shipper
    const known = await ask(call, 'GET', 'manifests', { query: { carrier_name, limit: '100' } })
    const before = known.status < 400 ? v.parse(pageOf(made), known.json).results : []
    if (before.some((one) => one.reference === reference && one.carrier_name === carrier_name)) continue
    const body = { carrier_name, address, reference, shipment_ids: own.map(({ id }) => id) }
    const response = await ask(call, 'POST', 'manifests', { body })
    const refusal = refusalBy(response, wordsOf(response.json))
    if (refusal !== undefined) return refused(refusal.refused.code, `${carrier_name}: ${refusal.refused.message}`)
    v.parse(made, response.json)
  }
  return { manifest: { reference } }
}

/** The shipments of each carrier. */
function byCarrier(shipments: readonly KarrioShipment[]) {
  const found = new Map<string, [KarrioShipment, ...KarrioShipment[]]>()
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
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal !== undefined) return refusal
  if (status !== 200 || bytes.length === 0) throw new Error(`The document is answered with ${status}.`)
  return { content: Buffer.from(bytes).toString('base64') }
}

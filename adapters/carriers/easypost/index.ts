import * as v from 'valibot'
import type { Carrier, CarrierAnswer, CarrierInputs, Shipment } from '../../../engine/index.ts'
import { answerBy, inTurn, isMissing, listOf, rated, refusalBy, refused } from '../answers.ts'
import type { CarrierHttp } from '../http.ts'
import { createBuy, oneParcel } from './buy.ts'
import {
  type AskEasyPost,
  createAskEasyPost,
  credentials,
  type EasyPostCall,
  shipmentAnswer,
  wordsOf,
} from './client.ts'
import { callOff, createPickup } from './pickup.ts'
import { bodyOf, offerOf, silenceOf } from './shipment.ts'
import { newsOf, reportsOf, tracker } from './track.ts'

/** All carriers of an account at EasyPost. */
export function easypost(
  http: CarrierHttp,
  baseUrl = 'https://api.easypost.com/v2',
): Carrier<v.InferOutput<typeof credentials>> {
  const ask = createAskEasyPost(http, baseUrl)
  return {
    name: 'easypost',
    title: 'EasyPost',
    credentials,
    services: [],
    rate: (shipment, call) => rate(ask, shipment, call),
    buy: createBuy(ask),
    void: (label, call) => refund(ask, label, call),
    manifest: ({ labels }, call) => manifest(ask, labels, call),
    track: ({ tracking_number }, call) => track(ask, tracking_number, call),
    pickup: createPickup(ask),
    cancelPickup: (pickup, call) => callOff(ask, pickup, call),
    receive: async (request, { credentials: { webhook_secret }, now }) => {
      const reports = reportsOf(request, webhook_secret, now)
      return reports === undefined ? refused('wrong_credentials', 'The request is not signed.') : { reports }
    },
    document: ({ document }, call) => fetched(http, document.reference, call),
  }
}

async function rate(ask: AskEasyPost, shipment: Shipment, call: EasyPostCall): Promise<CarrierAnswer<'rate'>> {
  if (shipment.parcels.length > 1) return oneParcel
  const response = await ask(call, 'POST', 'shipments', { body: bodyOf(shipment), isHarmless: true })
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal !== undefined) return refusal
  const made = answerBy(shipmentAnswer, response.json)
  const rates = made.rates ?? []
  if (rates.length === 0) return refused('not_served', silenceOf(made))
  return rated(rates, offerOf)
}

/** The states of a refund that EasyPost has taken on. */
const refunding = ['submitted', 'refunded']

async function refund(ask: AskEasyPost, { reference }: CarrierInputs['void'], call: EasyPostCall) {
  const path = `shipments/${encodeURIComponent(reference)}`
  const response = await ask(call, 'POST', `${path}/refund`, { isHarmless: true })
  if (isMissing(response)) return refused('unknown_number', 'There is no such shipment.')
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal?.refused.code === 'wrong_credentials') return refusal
  // A shipment that was refunded before is refused, too.
  const asked = refusal === undefined ? response : await ask(call, 'GET', path)
  const { refund_status } = answerBy(shipmentAnswer, asked.json)
  if (refunding.includes(refund_status ?? '')) return { voided: true } as const
  return refused('too_late', refusal?.refused.message ?? `The refund is ${refund_status}.`)
}

const scanForm = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.nullish(v.string()),
  message: v.nullish(v.string()),
})

const word = v.pipe(v.string(), v.maxLength(200))

/** What of a shipment its scan form needs. All of them are held at once, so that nothing else of them is. */
const handedIn = v.object({
  id: v.pipe(word, v.minLength(1)),
  selected_rate: v.nullish(v.object({ carrier_account_id: word })),
  scan_form: v.nullish(v.object({ id: word, status: v.nullish(word) })),
})

/** Makes a scan form for each account of a carrier that labels have none of. A shipment knows its scan form, so there is one only. */
async function manifest(
  ask: AskEasyPost,
  labels: CarrierInputs['manifest']['labels'],
  call: EasyPostCall,
): Promise<CarrierAnswer<'manifest'>> {
  const answers = await inTurn(labels, async ({ reference }) => {
    const response = await ask(call, 'GET', `shipments/${encodeURIComponent(reference)}`)
    return refusalBy(response, wordsOf(response.json)) ?? answerBy(handedIn, response.json)
  })
  const refusal = answers.find((one) => 'refused' in one)
  if (refusal !== undefined) return refusal
  const shipments = answers.flatMap((one) => ('refused' in one ? [] : one))
  const accountOf = (one: (typeof shipments)[number]) => one.selected_rate?.carrier_account_id ?? ''
  const isOpen = ({ scan_form }: (typeof shipments)[number]) => scan_form == null || scan_form.status === 'failed'
  const forms = new Set(shipments.flatMap((one) => (isOpen(one) ? [] : String(one.scan_form?.id))))
  for (const account of new Set(shipments.filter(isOpen).map(accountOf))) {
    const own = shipments.filter((one) => isOpen(one) && accountOf(one) === account)
    const response = await ask(call, 'POST', 'scan_forms', { body: { shipments: own.map(({ id }) => ({ id })) } })
    const refusal = refusalBy(response, wordsOf(response.json))
    if (refusal !== undefined) return refusal
    const { id, status, message } = answerBy(scanForm, response.json)
    if (status === 'failed') return refused('other', message ?? '')
    forms.add(id)
  }
  const reference = [...forms].sort().join(' ')
  return reference.length <= 200
    ? { manifest: { reference } }
    : refused('other', 'Labels of so many carriers are closed by several manifests: submit those of each carrier.')
}

const trackers = v.object({ trackers: listOf(tracker) })

async function track(ask: AskEasyPost, tracking_number: string, call: EasyPostCall): Promise<CarrierAnswer<'track'>> {
  const response = await ask(call, 'GET', 'trackers', { query: { tracking_code: tracking_number, page_size: '5' } })
  const refusal = refusalBy(response, wordsOf(response.json))
  if (refusal !== undefined) return refusal
  const found = answerBy(trackers, response.json).trackers.find((one) => one.tracking_code === tracking_number)
  if (found === undefined) return refused('unknown_number', 'There is no such number.')
  return newsOf(found, call.now)
}

/** The document of a label, which lies at an address that nobody can guess: the key is not sent there. */
async function fetched(http: CarrierHttp, url: string, { signal }: EasyPostCall): Promise<CarrierAnswer<'document'>> {
  const response = await http({ method: 'GET', url, signal })
  if (response.status >= 400 && response.status < 500)
    return refused('other', `The document is answered with ${response.status}.`)
  if (response.status !== 200 || response.bytes.length === 0)
    throw new Error(`The document is answered with ${response.status}.`)
  return { content: Buffer.from(response.bytes).toString('base64') }
}

import * as v from 'valibot'
import type { CarrierCall } from '../../../engine/index.ts'
import { listOf, untilWrong } from '../answers.ts'
import type { CarrierHttp, CarrierQuestion, CarrierRequest, CarrierResponse } from '../http.ts'

/** How a business reaches its Karrio. */
export const credentials = v.strictObject({
  server_url: v.pipe(
    v.string(),
    v.maxLength(500),
    v.check((text) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) && isBase(new URL(text)), 'not_a_url'),
    v.description('Where the server answers, as https://karrio.example.com.'),
  ),
  token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,200}$/), v.description('An API key of the server.')),
})

function isBase({ search, hash, username, password }: URL): boolean {
  return search + hash + username + password === ''
}

export type KarrioCall = CarrierCall<v.InferOutput<typeof credentials>>

/** Asks a Karrio. */
export type AskKarrio = (
  call: KarrioCall,
  method: CarrierRequest['method'],
  path: string,
  more?: CarrierQuestion,
) => Promise<CarrierResponse>

/** Creates the function on HTTP. */
export function createAskKarrio(http: CarrierHttp): AskKarrio {
  return ({ credentials: { server_url, token }, signal }, method, path, more) => {
    const url = `${server_url.replace(/\/+$/, '')}/v1/${path}`
    return http({ method, url, authorization: `Token ${token}`, signal, ...more })
  }
}

const said = listOf(v.object({ message: v.nullish(v.unknown()), carrier_id: v.nullish(v.unknown()) }))

/** What a Karrio says of an error, or of carriers that do not answer. */
export function wordsOf(json: unknown): string {
  const { success, output } = v.safeParse(
    v.object({ errors: v.nullish(said), messages: v.nullish(said) }),
    json,
    untilWrong,
  )
  if (!success) return ''
  return [...(output.errors ?? []), ...(output.messages ?? [])]
    .flatMap(({ message, carrier_id }) => {
      const words = typeof message === 'string' ? message : JSON.stringify(message ?? '')
      return typeof carrier_id === 'string' ? `${carrier_id}: ${words}` : words
    })
    .join('; ')
}

const rate = v.object({
  id: v.exactOptional(v.string()),
  carrier_id: v.string(),
  carrier_name: v.string(),
  service: v.nullish(v.string()),
  currency: v.exactOptional(v.nullable(v.string())),
  total_charge: v.exactOptional(v.number()),
  transit_days: v.nullish(v.number()),
  meta: v.nullish(v.object({ service_name: v.nullish(v.unknown()) })),
})

/** What a Karrio answers to a question about rates. */
export const rateAnswer = v.object({ rates: listOf(rate) })

/** A rate of a Karrio. */
export type KarrioRate = v.InferOutput<typeof rate>

const party = v.looseObject({ country_code: v.string() })

/** A shipment of a Karrio. */
export const shipmentAnswer = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.string(),
  created_at: v.string(),
  carrier_name: v.nullish(v.string()),
  tracking_number: v.nullish(v.string()),
  rates: v.nullish(listOf(rate)),
  selected_rate: v.nullish(rate),
  shipper: party,
  label_url: v.nullish(v.string()),
  label_type: v.nullish(v.string()),
  invoice_url: v.nullish(v.string()),
  metadata: v.nullish(v.record(v.string(), v.unknown())),
})

/** A shipment of a Karrio. */
export type KarrioShipment = v.InferOutput<typeof shipmentAnswer>

/** A page of a list of a Karrio. */
export const pageOf = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ next: v.nullish(v.string()), results: listOf(item) })

import * as v from 'valibot'
import type { CarrierCall } from '../../../engine/index.ts'
import { listOf, untilWrong } from '../answers.ts'
import type { CarrierHttp, CarrierQuestion, CarrierRequest, CarrierResponse } from '../http.ts'

/** The account of a business at EasyPost. A test key buys test labels, and a production key real ones. */
export const credentials = v.strictObject({
  api_key: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,200}$/)),
  webhook_secret: v.exactOptional(v.pipe(v.string(), v.minLength(16), v.maxLength(200))),
})

export type EasyPostCall = CarrierCall<v.InferOutput<typeof credentials>>

/** Asks EasyPost. */
export type AskEasyPost = (
  call: EasyPostCall,
  method: CarrierRequest['method'],
  path: string,
  more?: CarrierQuestion,
) => Promise<CarrierResponse>

/** Creates the function on HTTP, for an address of the interface. */
export function createAskEasyPost(http: CarrierHttp, baseUrl: string): AskEasyPost {
  return ({ credentials: { api_key }, signal }, method, path, more) => {
    const authorization = `Basic ${Buffer.from(`${api_key}:`).toString('base64')}`
    return http({ method, url: `${baseUrl}/${path}`, authorization, signal, ...more })
  }
}

const problem = v.object({
  message: v.nullish(v.unknown()),
  errors: v.nullish(listOf(v.unknown())),
})

/** What EasyPost says of an error. */
export function wordsOf(json: unknown): string {
  const { success, output } = v.safeParse(v.object({ error: problem }), json, untilWrong)
  if (!success) return ''
  const { message, errors } = output.error
  return [message, ...(errors ?? [])].flatMap(partsOf).join('; ')
}

function partsOf(said: unknown): readonly string[] {
  if (typeof said === 'string') return [said]
  if (typeof said !== 'object' || said === null) return []
  const { field, message } = said as { readonly field?: unknown; readonly message?: unknown }
  if (typeof message !== 'string') return [JSON.stringify(said)]
  return [typeof field === 'string' ? `${field}: ${message}` : message]
}

const rate = v.object({
  id: v.string(),
  carrier: v.string(),
  service: v.string(),
  carrier_account_id: v.string(),
  rate: v.string(),
  currency: v.string(),
  delivery_days: v.nullish(v.number()),
  est_delivery_days: v.nullish(v.number()),
})

/** A rate of EasyPost. */
export type EasyPostRate = v.InferOutput<typeof rate>

/** A shipment of EasyPost. */
export const shipmentAnswer = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  reference: v.nullish(v.string()),
  rates: v.nullish(listOf(rate)),
  messages: v.nullish(listOf(v.object({ carrier: v.nullish(v.string()), message: v.nullish(v.unknown()) }))),
  selected_rate: v.nullish(rate),
  tracking_code: v.nullish(v.string()),
  postage_label: v.nullish(v.object({ label_url: v.nullish(v.string()), label_file_type: v.nullish(v.string()) })),
  forms: v.nullish(listOf(v.object({ form_type: v.nullish(v.string()), form_url: v.nullish(v.string()) }))),
  refund_status: v.nullish(v.string()),
  scan_form: v.nullish(v.object({ id: v.string(), status: v.nullish(v.string()) })),
})

/** A shipment of EasyPost. */
export type EasyPostShipment = v.InferOutput<typeof shipmentAnswer>

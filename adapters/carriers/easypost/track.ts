import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import {
  type CarrierInputs,
  type CarrierScan,
  instantProblem,
  isoOf,
  omitUndefined,
  sha256,
} from '../../../engine/index.ts'
import { answerBy, shortened } from '../answers.ts'

const text = v.nullish(v.string())

/** A tracker of EasyPost. */
export const tracker = v.object({
  tracking_code: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  tracking_details: v.nullish(
    v.array(
      v.object({
        ...{ message: text, description: text, status: text, status_detail: text, datetime: text },
        tracking_location: v.nullish(v.object({ city: text, country: text })),
      }),
    ),
  ),
})

type Detail = NonNullable<NonNullable<v.InferOutput<typeof tracker>['tracking_details']>[number]>

/** The codes of the details of a status, where they say more than the status. */
const detailCodes: Readonly<Record<string, string>> = {
  arrived_at_destination: 'arrival_scan',
  arrived_at_facility: 'arrival_scan',
  received_at_destination_facility: 'arrival_scan',
  received_at_origin_facility: 'received',
  departed_facility: 'package_outbound',
  departed_origin_facility: 'package_outbound',
  arrived_at_pickup_location: 'x-available_for_pickup',
  delayed: 'x-delayed',
  weather_delay: 'x-delayed',
  damaged: 'x-damaged',
  lost: 'x-lost',
  expired: 'x-expired',
  refused: 'rejected_by_recipient',
  transit_exception: 'x-exception',
}

/** The codes of statuses; the others say nothing of the parcel. */
const statusCodes: Readonly<Record<string, string>> = {
  pre_transit: 'information_submitted',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  available_for_pickup: 'x-available_for_pickup',
  return_to_sender: 'return_to_sender',
  failure: 'delivery_failed',
  cancelled: 'cancelled',
}

/** What a tracker says of its parcel, in order of time. */
export function eventsOf({ tracking_details }: v.InferOutput<typeof tracker>, now: number): CarrierScan[] {
  return (tracking_details ?? [])
    .flatMap((detail) => eventOf(detail) ?? [])
    .filter(({ occurred_at }) => Date.parse(occurred_at) <= now)
    .sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at))
    .slice(-500)
}

function eventOf(detail: Detail): CarrierScan | undefined {
  const { datetime, status, status_detail, description, message, tracking_location: place } = detail
  const status_code = codeOf(status ?? '', status_detail ?? '')
  if (status_code === undefined || typeof datetime !== 'string' || instantProblem(datetime) !== undefined)
    return undefined
  const name = JSON.stringify([datetime, status, status_detail, message, place?.city])
  const more = omitUndefined({
    description: shortened(description || message || '', 250) || undefined,
    locality: shortened(place?.city ?? '', 100) || undefined,
    country: /^[A-Z]{2}$/.test(place?.country ?? '') ? String(place?.country) : undefined,
  })
  return { event_id: sha256(name), status_code, occurred_at: isoOf(Date.parse(datetime)), ...more }
}

/** A detail counts only for a parcel under way: what was delivered stays delivered, however the carrier words it. */
function codeOf(status: string, detail: string): string | undefined {
  const isUnderWay = status === 'in_transit' || status === 'failure'
  if (isUnderWay && Object.hasOwn(detailCodes, detail)) return detailCodes[detail]
  return Object.hasOwn(statusCodes, status) ? statusCodes[status] : undefined
}

const event = v.object({ result: v.nullish(v.looseObject({ object: text })) })

/** What EasyPost tells by itself; undefined where it is not signed with the secret (HMAC-SHA256 of the body, in its own form). */
export function reportsOf({ body, headers }: CarrierInputs['receive'], secret: string | undefined, now: number) {
  if (secret === undefined || !isSigned(body, headers['x-hmac-signature'] ?? '', secret)) return undefined
  const { result } = answerBy(event, JSON.parse(new TextDecoder().decode(body)))
  if (result?.object !== 'Tracker') return []
  const told = answerBy(tracker, result)
  return [{ tracking_number: told.tracking_code, events: eventsOf(told, now) }]
}

function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const digest = createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')
  const [given, right] = [Buffer.from(signature), Buffer.from(`hmac-sha256-hex=${digest}`)]
  return given.length === right.length && timingSafeEqual(given, right)
}

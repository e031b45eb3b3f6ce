import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { type CarrierInputs, instantProblem, omitUndefined, readExpected } from '../../../engine/index.ts'
import { answerBy, wordsIn } from '../answers.ts'
import { codeIn, trackedBy } from '../told.ts'

const text = v.nullish(v.string())

/** A tracker of EasyPost. */
export const tracker = v.object({
  tracking_code: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  ...{ status: text, status_detail: text, signed_by: text },
  est_delivery_date: v.nullish(v.unknown()),
  carrier_detail: v.nullish(
    v.object({
      est_delivery_date_local: text,
      est_delivery_time_local: text,
      destination_tracking_location: v.nullish(v.object({ country: text })),
    }),
  ),
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
  delivery_exception: 'x-exception',
  address_correction: 'x-exception',
  held: 'x-exception',
  missorted: 'x-exception',
  return: 'x-returning',
}

/** The reasons that details of a status give. */
const reasons: Readonly<Record<string, string>> = {
  weather_delay: 'weather',
  address_correction: 'address_incorrect',
  held: 'held',
  missorted: 'missorted',
  refused: 'refused',
}

/** The codes of statuses; the others say nothing of the parcel. One that goes back is not back yet. */
const statusCodes: Readonly<Record<string, string>> = {
  pre_transit: 'information_submitted',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  available_for_pickup: 'x-available_for_pickup',
  return_to_sender: 'x-returning',
  failure: 'delivery_failed',
  cancelled: 'cancelled',
}

/** What a tracker says of its parcel, in order of time. */
export function newsOf(told: v.InferOutput<typeof tracker>, now: number) {
  const { tracking_details, status, signed_by } = told
  const scans = (tracking_details ?? []).flatMap((detail) => scanOf(detail) ?? [])
  return trackedBy({ scans, status: status ?? '', codes: statusCodes, ...expectedOf(told), signed_by }, now)
}

function scanOf(detail: Detail) {
  const { datetime, status, status_detail, description, message, tracking_location: place } = detail
  if (typeof datetime !== 'string' || instantProblem(datetime) !== undefined) return undefined
  const more = omitUndefined({
    description: wordsIn(description || message || '', 250) || undefined,
    locality: wordsIn(place?.city ?? '', 100) || undefined,
    country: /^[A-Z]{2}$/.test(place?.country ?? '') ? String(place?.country) : undefined,
    incident_reason: codeIn(reasons, status_detail ?? ''),
  })
  const name = [datetime, status, status_detail, message, place?.city]
  const code = codeOf(status ?? '', status_detail ?? '')
  return { at: Date.parse(datetime), name, status: status ?? '', code, more }
}

/** A detail counts only for a parcel under way: what was delivered stays delivered, however the carrier words it. */
function codeOf(status: string, detail: string): string | undefined {
  const isUnderWay = status === 'in_transit' || status === 'failure'
  // What goes back has arrived where it goes to.
  if (status === 'return_to_sender' && detail === 'arrived_at_destination') return 'return_to_sender'
  return (isUnderWay ? codeIn(detailCodes, detail) : undefined) ?? codeIn(statusCodes, status)
}

/** The day and time at the destination if the carrier names them, or else the time in UTC, which is midnight for a day. */
function expectedOf({ est_delivery_date: value, carrier_detail }: v.InferOutput<typeof tracker>) {
  const {
    est_delivery_date_local: day,
    est_delivery_time_local: time,
    destination_tracking_location: place,
  } = carrier_detail ?? {}
  const country = place?.country ?? undefined
  const path = day ? 'carrier_detail.est_delivery_date_local' : 'est_delivery_date'
  const local = day && time ? `${day.slice(0, 10)}T${time}` : day
  return { expected: readExpected({ path, value: local || value }, country), expectedAt: path }
}

const event = v.object({ result: v.nullish(v.looseObject({ object: text })) })

/** What EasyPost tells by itself; undefined where it is not signed with the secret (HMAC-SHA256 of the body, in its own form). */
export function reportsOf({ body, headers }: CarrierInputs['receive'], secret: string | undefined, now: number) {
  if (secret === undefined || !isSigned(body, headers['x-hmac-signature'] ?? '', secret)) return undefined
  const { result } = answerBy(event, JSON.parse(new TextDecoder().decode(body)))
  if (result?.object !== 'Tracker') return []
  const told = answerBy(tracker, result)
  return [{ tracking_number: told.tracking_code, ...newsOf(told, now) }]
}

function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const digest = createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')
  const [given, right] = [Buffer.from(signature), Buffer.from(`hmac-sha256-hex=${digest}`)]
  return given.length === right.length && timingSafeEqual(given, right)
}

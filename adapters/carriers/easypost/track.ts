import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { type CarrierInputs, instantProblem, omitUndefined, readExpected } from '../../../engine/index.ts'
import { easypostBack, easypostDetails, easypostStatuses } from '../../../projections/dialects/easypost.ts'
import { noNews } from '../../../projections/shared/back.ts'
import { answerBy, listOf, wordsIn } from '../answers.ts'
import { codesIn, reasonIn, trackedBy } from '../told.ts'

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
    listOf(
      v.object({
        ...{ message: text, description: text, status: text, status_detail: text, datetime: text },
        tracking_location: v.nullish(v.object({ city: text, country: text })),
      }),
    ),
  ),
})

type Detail = NonNullable<NonNullable<v.InferOutput<typeof tracker>['tracking_details']>[number]>

/** The codes of statuses; the others say nothing of the parcel. */
const statusCodes = codesIn(easypostStatuses)

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
    incident_reason: reasonIn(easypostDetails, status_detail ?? ''),
  })
  const name = [datetime, status, status_detail, message, place?.city]
  const back = easypostBack(status, status_detail)
  const code = back === undefined || back === noNews ? undefined : back.code
  return { at: Date.parse(datetime), name, status: status ?? '', code, more }
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

import * as v from 'valibot'
import { type CarrierAnswer, omitUndefined, readExpected } from '../../../engine/index.ts'
import { clockOf, karrioStatuses } from '../../../projections/dialects/karrio.ts'
import { answerBy, listOf, refusalBy, refused, shortened, wordsIn } from '../answers.ts'
import { codeIn, codesIn, trackedBy } from '../told.ts'
import { type AskKarrio, type KarrioCall, pageOf, shipmentAnswer, wordsOf } from './client.ts'

const text = v.nullish(v.string())

const tracker = v.object({
  tracking_number: v.string(),
  status: text,
  events: v.nullish(
    listOf(
      v.object({
        ...{ date: text, time: text, timestamp: text },
        ...{ description: text, location: text, code: text, status: text, reason: text },
      }),
    ),
  ),
  estimated_delivery: v.nullish(v.unknown()),
  info: v.nullish(
    v.object({ expected_delivery: v.nullish(v.unknown()), shipment_destination_country: text, signed_by: text }),
  ),
})

type KarrioEvent = NonNullable<NonNullable<v.InferOutput<typeof tracker>['events']>[number]>

/** The codes of the statuses of trackers and their events; the others say nothing. */
const codes = codesIn(karrioStatuses)

/**
 * Creates the tracking of a Karrio. Each event has a status, and its carrier's own code. Of a Karrio whose events have none, the
 * latest event has the status of the parcel; nobody can read the codes of the others.
 */
export function createTrack(ask: AskKarrio) {
  /** Makes a tracker for the shipment with a number. */
  async function begun(call: KarrioCall, tracking_number: string) {
    const listed = await ask(call, 'GET', 'shipments', { query: { tracking_number, limit: '1' } })
    const refusal = refusalBy(listed, wordsOf(listed.json))
    if (refusal !== undefined) return refusal
    const [shipment] = answerBy(pageOf(shipmentAnswer), listed.json).results
    if (shipment?.tracking_number !== tracking_number || !shipment.carrier_name)
      return refused('unknown_number', 'There is no such number.')
    const body = { tracking_number, carrier_name: shipment.carrier_name }
    const query = { pending_pickup: 'true' }
    const response = await ask(call, 'POST', 'trackers', { query, body, isHarmless: true })
    return refusalBy(response, wordsOf(response.json)) ?? response
  }

  return async (tracking_number: string, call: KarrioCall): Promise<CarrierAnswer<'track'>> => {
    const known = await ask(call, 'GET', `trackers/${encodeURIComponent(tracking_number)}`)
    const response = known.status === 404 ? await begun(call, tracking_number) : known
    if ('refused' in response) return response
    const refusal = refusalBy(response, wordsOf(response.json))
    return refusal ?? newsOf(answerBy(tracker, response.json), call.now)
  }
}

/** What a tracker says. The events of a Karrio have no zone; they are taken for UTC, and one of the future is not told yet. */
function newsOf({ status, events, estimated_delivery, info }: v.InferOutput<typeof tracker>, now: number) {
  const scans = (events ?? []).flatMap((event) => {
    const at = timeOf(event)
    if (at === undefined) return []
    const { description, location, code, status, reason } = event
    const more = omitUndefined({
      description: wordsIn(description ?? '', 250) || undefined,
      locality: wordsIn(location ?? '', 100) || undefined,
      incident_reason: shortened(reason ?? '', 100) || undefined,
    })
    const name = [at, code, description, location]
    return [{ at, name, status: status || undefined, code: codeIn(codes, status ?? ''), more }]
  })
  const path = estimated_delivery ? 'estimated_delivery' : 'info.expected_delivery'
  const expected = readExpected(
    { path, value: estimated_delivery || info?.expected_delivery },
    info?.shipment_destination_country ?? undefined,
  )
  return trackedBy({ scans, status: status ?? '', codes, expected, expectedAt: path, signed_by: info?.signed_by }, now)
}

/** Epoch milliseconds of `2026-06-10` and `14:05`, `14:05:30` or `02:05 PM`; without a day, of the timestamp. */
function timeOf({ date, time, timestamp }: KarrioEvent): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(date ?? '')?.[0]
  const at = Date.parse(day === undefined ? (timestamp ?? '') : `${day}${clockOf(time) || 'T00:00:00'}Z`)
  return Number.isNaN(at) ? undefined : at
}

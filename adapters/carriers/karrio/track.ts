import * as v from 'valibot'
import { type CarrierAnswer, omitUndefined, sha256 } from '../../../engine/index.ts'
import { answerBy, refusalBy, refused, shortened } from '../answers.ts'
import { type AskKarrio, type KarrioCall, pageOf, shipmentAnswer, wordsOf } from './client.ts'

const text = v.nullish(v.string())

const tracker = v.object({
  tracking_number: v.string(),
  status: v.exactOptional(v.string()),
  events: v.nullish(
    v.array(v.object({ date: text, time: text, description: text, location: text, code: text, timestamp: text })),
  ),
})

type KarrioEvent = NonNullable<NonNullable<v.InferOutput<typeof tracker>['events']>[number]>

/** The codes of the statuses of a tracker; the others say nothing. */
const codes: Readonly<Record<string, string>> = {
  pending: 'information_submitted',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  ready_for_pickup: 'x-available_for_pickup',
  delivery_delayed: 'x-delayed',
  delivery_failed: 'delivery_failed',
  return_to_sender: 'return_to_sender',
  delivered: 'delivered',
  cancelled: 'cancelled',
  on_hold: 'x-exception',
}

/**
 * Creates the tracking of a Karrio. It has a status of the parcel, and events in the codes of each carrier, which nobody can
 * read; so the status is reported, at the time of the latest event.
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
    return refusal ?? { events: newsOf(answerBy(tracker, response.json), call.now) }
  }
}

/** What is new of a parcel. The events of a Karrio have no zone; they are taken for UTC, and one of the future is not told yet. */
function newsOf({ status = '', events }: v.InferOutput<typeof tracker>, now: number) {
  const timed = (events ?? []).flatMap((event) => {
    const at = timeOf(event)
    return at === undefined ? [] : [{ event, at }]
  })
  const latest = timed.reduce<(typeof timed)[number] | undefined>(
    (one, other) => (one === undefined || other.at > one.at ? other : one),
    undefined,
  )
  const status_code = Object.hasOwn(codes, status) ? codes[status] : undefined
  if (latest === undefined || status_code === undefined || latest.at > now) return []
  const { description, location, code } = latest.event
  const name = JSON.stringify([latest.at, code, description, location])
  const more = omitUndefined({
    description: shortened(description ?? '', 250) || undefined,
    locality: shortened(location ?? '', 100) || undefined,
  })
  return [{ event_id: sha256(name), status_code, occurred_at: new Date(latest.at).toISOString(), ...more }]
}

/** Epoch milliseconds of `2026-06-10` and `14:05`, `14:05:30` or `02:05 PM`. */
function timeOf({ date, time }: KarrioEvent): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(date ?? '')?.[0]
  const [, hour = '0', minute = '00', second = '00', half = ''] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?$/i.exec((time ?? '').trim()) ?? []
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  const at =
    day === undefined ? Number.NaN : Date.parse(`${day}T${String(hours).padStart(2, '0')}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : at
}

import type { Timeline } from '../../../engine/index.ts'
import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { isMeant } from '../meant.ts'
import { trackingSchema } from './schema.ts'

interface Event {
  readonly eventCode?: string
  readonly eventTime?: string
  readonly shipmentType?: string
}

interface Answer {
  readonly payload?: {
    readonly trackingId?: string
    readonly eventHistory?: readonly Event[]
    readonly summary?: {
      readonly status?: string
      readonly trackingDetailCodes?: { readonly forward?: readonly string[]; readonly returns?: readonly string[] }
    }
  }
}

/** The judges of Amazon documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'shape of Shipping v2 (hand-written)', format: 'amazon', schema: () => trackingSchema }),
  rulesJudge<Answer>('rules of histories and summaries', 'amazon', ({ payload = {} }, { timeline }) => {
    const eventHistory = payload.eventHistory ?? []
    const summary = payload.summary ?? {}
    const times = eventHistory.map(({ eventTime = '' }) => Date.parse(eventTime))
    const { forward = [], returns = [] } = summary.trackingDetailCodes ?? {}
    const legs = new Set(eventHistory.map(({ shipmentType }) => shipmentType))
    const had = (...codes: readonly string[]) =>
      timeline.events.some(({ status_code }) => isMeant(timeline, status_code, codes))
    const wasReceived = had('delivered')
    return [
      !numbersOf(timeline).includes(payload.trackingId ?? '') && 'The tracking id is no number of the parcel itself.',
      !isWithin(times, timeline) && 'The events are not when things happened, in order.',
      timeline.events.length > 0 &&
        wasReceived !== claims(eventHistory, 'Delivered', 'FORWARD') &&
        'What was delivered and what the history says is delivered differ.',
      legs.has('RETURNS') && !had('return_to_sender', 'x-returning') && 'A way back without a return.',
      claims(eventHistory, 'ReturnInitiated', 'FORWARD') && 'A return is initiated on the way back.',
      claims(eventHistory, 'PickupCancelled') &&
        wasCarried(timeline) &&
        'Its pick-up was not cancelled: the carrier had it.',
      summary.status === 'Delivered' && !timeline.delivered && 'It is not delivered.',
      timeline.delivered && summary.status !== 'Delivered' && 'It is delivered.',
      eventHistory.length > 0 &&
        summary.status === undefined &&
        !had('delivery_rescheduled') &&
        'A history has a status.',
      timeline.events.length === 0 && summary.status !== undefined && 'A status without an event.',
      returns.length > 0 && !legs.has('RETURNS') && 'Details of a way back that there is not.',
      forward.length > 0 && !legs.has('FORWARD') && 'Details of a way there that there is not.',
    ]
  }),
]

/** The valid tracking ids: a number of the parcel, or empty if it has none. */
function numbersOf({ subject }: Timeline): readonly string[] {
  const { order_id, package_id, ...numbers } = subject
  const values = Object.values(numbers)
  return values.length === 0 ? [''] : values
}

/** Whether the times are of some events of the timeline, in its order. */
function isWithin(times: readonly number[], { events }: Timeline): boolean {
  let next = 0
  for (const { occurred_at } of events) if (times[next] === Date.parse(occurred_at)) next++
  return next === times.length
}

function claims(events: readonly Event[], code: string, leg?: string): boolean {
  return events.some(({ eventCode, shipmentType }) => eventCode === code && (leg === undefined || shipmentType === leg))
}

/** Codes that imply that the carrier has, or had, the parcel. */
const carried = [
  'picked_up',
  'received',
  'arrival_scan',
  'in_transit',
  'package_outbound',
  'out_for_delivery',
  'delivered',
]

/** Whether a carrier had the parcel before it was cancelled for the first time. */
function wasCarried(timeline: Timeline): boolean {
  const { events } = timeline
  const cancelled = events.findIndex(({ status_code }) => isMeant(timeline, status_code, ['cancelled']))
  return events.slice(0, cancelled).some(({ status_code }) => isMeant(timeline, status_code, carried))
}

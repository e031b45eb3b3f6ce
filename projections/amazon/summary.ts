import {
  excerptOf,
  type Finding,
  instantOf,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  type Reading,
} from '../../engine/index.ts'
import { type CodedEvent, currentOf, isImplied, statusesBack } from './back.ts'
import { hasDetails, reasonOf, unknownCode } from './details.ts'
import { noPromise } from './schema.ts'
import { detailCodes } from './vocabulary.ts'

/** An event as far as the summary needs it. */
interface Dated extends CodedEvent {
  /** Where it stands in the history. */
  readonly index: number
  readonly time: string
}

/**
 * The readings with what the result tells beside its history: the promise was there from the first event, the details
 * explain the event that gives the status, and a status that no event gives is a reading of its own.
 */
export function summarized(
  path: string,
  readings: readonly Reading[],
  result: Members & { readonly eventHistory: readonly unknown[] },
  subject: Members,
): readonly Reading[] {
  const events = datedEvents(result.eventHistory)
  const summary = isObject(result.summary) ? result.summary : {}
  const whole = [...readings, ...statusReading(pathTo(path, 'summary'), summary.status, events, subject)]
  const first = events[0]?.index ?? readings.length
  const promise = promiseOf(result.promisedDeliveryDate)
  const details = isObject(summary.trackingDetailCodes) ? summary.trackingDetailCodes : {}
  const returns = { at: explained(events, 'RETURNS'), detail: knownDetail(details.returns) }
  const isOfStatus = whole.length > readings.length && hasDetails(String(summary.status))
  const forward = {
    at: isOfStatus ? readings.length : explained(events, 'FORWARD'),
    detail: knownDetail(details.forward) ?? (isOfStatus ? returns.detail : undefined),
  }
  return whole.map((reading, index) => {
    if (reading.event === undefined) return reading
    const { detail } = [forward, returns].find(({ at }) => at === index) ?? {}
    const estimate = index === first && promise !== undefined && { estimated_delivery_at: promise }
    return { ...reading, event: { ...reading.event, ...estimate, ...explaining(reading, detail) } }
  })
}

/** The events that have a time, in its order: one without is refused, and gives no status. */
function datedEvents(history: readonly unknown[]): readonly Dated[] {
  const dated = history.flatMap((event, index): readonly Dated[] => {
    const { eventCode, shipmentType, eventTime } = isObject(event) ? event : {}
    if (typeof eventCode !== 'string' || !isInstant(eventTime)) return []
    return [{ eventCode, leg: shipmentType, index, time: eventTime }]
  })
  return dated.sort((one, other) => instantOf(one.time) - instantOf(other.time))
}

/**
 * The status of the summary, where the history does not give it: at the time of the latest event, so that it stands
 * behind what was told and before whatever comes; without a history it counts from now.
 */
function statusReading(path: string, status: unknown, events: readonly Dated[], subject: Members): readonly Reading[] {
  if (typeof status !== 'string' || status === '' || isImplied(events, status)) return []
  const known = Object.hasOwn(statusesBack, status) ? statusesBack[status as keyof typeof statusesBack] : undefined
  const decided = known ?? unknownCode(status)
  const meant = decided.startsWith('x-') ? 'code_missing' : 'code_decided'
  const warning: Finding = {
    path: pathTo(path, 'status'),
    code: known === undefined ? 'meaning_unknown' : meant,
    params: { received: excerptOf(status), decided },
  }
  const last = events.at(-1)
  return [
    {
      path,
      subject,
      status: true,
      places: { current_status: 'status', 'source.code': 'status' },
      event: {
        ...(last !== undefined && { occurred_at: last.time }),
        status_code: decided,
        source: { type: 'carrier_tracking', ...(status.length <= 100 && { code: status }) },
      },
      warnings: [warning],
    },
  ]
}

/** A promise is no reason to refuse an event: one that is no moment is not taken. */
function promiseOf(value: unknown): string | undefined {
  return isInstant(value) && value !== noPromise ? value : undefined
}

/**
 * Where the event stands that the details of a leg explain: the one that gives the status, or the last of the other leg
 * that can have details.
 */
function explained(events: readonly Dated[], leg: string): number | undefined {
  const isOf = (event: CodedEvent | undefined) =>
    event !== undefined && (event.leg ?? 'FORWARD') === leg && hasDetails(event.eventCode)
  const current = events[currentOf(events).at]
  return (isOf(current) ? current : events.findLast(isOf))?.index
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && instantProblem(value) === undefined
}

function knownDetail(list: unknown): string | undefined {
  return detailCodes.find((code) => Array.isArray(list) && list.includes(code))
}

/** How a delivery was made is its proof; why something else happened is its reason. */
function explaining({ event }: Reading, detail: string | undefined): Members | undefined {
  if (detail === undefined) return undefined
  const { status_code } = event as { readonly status_code?: string }
  return status_code === 'delivered' ? { pod: { note: detail } } : { incident_reason: reasonOf(detail) }
}

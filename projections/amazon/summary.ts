import {
  excerptOf,
  type Finding,
  instantOf,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  type ReadExpected,
  type Reading,
  readExpected,
} from '../../engine/index.ts'
import { aMomentAfter } from '../shared/time.ts'
import { type CodedEvent, currentOf, isImplied, statusesBack } from './back.ts'
import { hasDetails, reasonOf, unknownCode } from './details.ts'
import { noPromise } from './schema.ts'
import { detailCodes } from './vocabulary.ts'

const noEstimate: ReadExpected = { warnings: [] }

/** The members of an event that the summary depends on. */
interface Dated extends CodedEvent {
  /** Its index in the history. */
  readonly index: number
  readonly time: string
}

/**
 * The readings, completed from the summary: the promise belongs to the first event, the details explain the event that
 * gives the status, and a status that no event gives becomes a separate reading.
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
  const { promisedDeliveryDate: value } = result
  const { expected, warnings } =
    value === noPromise ? noEstimate : readExpected({ path: pathTo(path, 'promisedDeliveryDate'), value })
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
    const event = { ...reading.event, ...(index === first && expected), ...explaining(reading, detail) }
    const isOdd = index === first && warnings.length > 0
    return { ...reading, event, ...(isOdd && { warnings: [...(reading.warnings ?? []), ...warnings] }) }
  })
}

/** The events that have a time, in chronological order; events without one are refused and give no status. */
function datedEvents(history: readonly unknown[]): readonly Dated[] {
  const dated = history.flatMap((event, index): readonly Dated[] => {
    const { eventCode, shipmentType, eventTime } = isObject(event) ? event : {}
    if (typeof eventCode !== 'string' || !isInstant(eventTime)) return []
    return [{ eventCode, leg: shipmentType, index, time: eventTime }]
  })
  return dated.sort((one, other) => instantOf(one.time) - instantOf(other.time))
}

/**
 * The status of the summary, if the history does not give it. It takes place a moment after the latest event, so that
 * it follows the history and precedes whatever comes next; without a history it takes place now.
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
        ...(last !== undefined && { occurred_at: aMomentAfter(last.time) }),
        status_code: decided,
        source: { type: 'carrier_tracking', ...(status.length <= 100 && { code: status }) },
      },
      warnings: [warning],
    },
  ]
}

/**
 * The index of the event that the details of a leg explain: the one that gives the status, or for the other leg the
 * last one that can have details.
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

/** The details of a delivery say how it was made; those of other events give the reason. */
function explaining({ event }: Reading, detail: string | undefined): Members | undefined {
  if (detail === undefined) return undefined
  const { status_code } = event as { readonly status_code?: string }
  return status_code === 'delivered' ? { pod: { note: detail } } : { incident_reason: reasonOf(detail) }
}

import type { Judged } from '../judge.ts'
import { eventRules, type Reported } from './events.ts'
import { isInstant, isJsonObject, type Json, type JsonObject, objectsOf } from './read.ts'

const codeMembers: ReadonlySet<string> = new Set([
  'reportedConditionTypeCode',
  'logisticsStatusConditionCode',
  'logisticsStatusReasonCode',
])

/** What the vocabulary leaves open. */
export function vocabularyRules(document: JsonObject, judged: Judged): readonly string[] {
  const events = objectsOf(document.transportEvent)
  const ids = new Set(events.map(({ id }) => id))
  return [
    ...(Array.isArray(document.transportEvent) ? [] : ['transportEvent is no list.']),
    ...(ids.size === events.length ? [] : ['Two events have the same id.']),
    ...idRules(document, events, judged),
    ...eventRules(events.map(reportedOf), judged),
    ...walk(document, ''),
    ...statusRules(document, judged),
  ]
}

function reportedOf(event: JsonObject, at: number): Reported {
  const { reportedConditionTypeCode: code, reasonTypeCode: reason } = event
  return {
    path: `transportEvent[${at}]`,
    id: event.identifier,
    code: typeof code === 'string' ? code.slice(code.indexOf('#') + 1) : undefined,
    reason: typeof reason === 'string' ? reason : undefined,
    occurred: event.actualOccurrenceDateTime,
    recorded: event.receivedDateTime,
    status: event.typeCode,
  }
}

function idRules(document: JsonObject, events: readonly JsonObject[], { target, timeline }: Judged): readonly string[] {
  const lies = (id: Json | undefined) => typeof id === 'string' && id.startsWith(`${target.baseUrl}/`)
  const references = [...objectsOf(document.pickUpEvent), ...objectsOf(document.deliveryTransportEvent)]
  const known = new Set(events.map(({ id }) => id))
  const identifiers = new Set(Object.values(timeline.subject).map(String))
  return [
    ...[document, ...events].flatMap(({ id }) => (lies(id) ? [] : [`${id} does not lie under the server's address.`])),
    ...references.flatMap(({ id }) =>
      id === undefined || known.has(id) ? [] : [`${id} is no event of the document.`],
    ),
    ...(identifiers.size === 0 || identifiers.has(String(document.identifier))
      ? []
      : [`${document.identifier} does not identify the subject.`]),
  ]
}

function statusRules(document: JsonObject, { timeline }: Judged): readonly string[] {
  const [status] = objectsOf(document.specifiedLogisticsStatus)
  if (status === undefined) return []
  const events = objectsOf(document.transportEvent)
  const at = timeline.events.findLastIndex(({ status_code }) => status_code === timeline.current_status)
  const same = events[at]?.reportedConditionTypeCode === status.logisticsStatusConditionCode
  const then = events[at]?.actualOccurrenceDateTime === status.referenceDateTime
  return same && then ? [] : ['The status of the consignment is not the current one.']
}

/** Bare numbers, dates and coordinates, wherever they occur. */
function walk(value: Json | undefined, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json, at) => walk(one, `${path}[${at}]`))
  if (typeof value === 'number') return [`${path} is a number; members of the vocabulary are texts.`]
  if (value === null) return [`${path} is null.`]
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...walk(member, `${path}.${name}`),
    ...memberRules(name, member, `${path}.${name}`),
  ])
}

function memberRules(name: string, value: Json | undefined, path: string): readonly string[] {
  if (codeMembers.has(name) && !String(value).startsWith('unece:LogisticsStatusCodeList#')) {
    return [`${path} is a code without its list: ${value}.`]
  }
  if (name.endsWith('DateTime') && !isInstant(value)) return [`${path} is no date with a time and a zone: ${value}.`]
  if (name !== 'latitudeMeasure' && name !== 'longitudeMeasure') return []
  const [measure] = objectsOf(isJsonObject(value) ? value['unece:MeasureTypeValue'] : undefined)
  const limit = name === 'latitudeMeasure' ? 90 : 180
  return Math.abs(Number(measure?.['@value'])) <= limit ? [] : [`${path} is out of range.`]
}

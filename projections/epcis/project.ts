import { instantOf, type Target, type Timeline, type TimelineEvent, type Withdrawal } from '../../engine/index.ts'
import { offsetOf } from '../shared/time.ts'
import { rowFor } from './codes.ts'
import type { Context, EpcisDocument, ErrorDeclaration, ObjectEvent } from './document.ts'
import { type Extension, extended, extendedValue, otepNamespace } from './extension.ts'
import { eventHash, type SharedTexts, sharedTexts } from './hash.ts'
import { isGlnOf, type Named, named, placeUri } from './identifiers.ts'

const context: Context = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { otep: otepNamespace }]

/** The timeline as the answer to a query (EPCIS 2.0, SimpleEventQuery), or with `as=capture` as a document to be captured. */
export function project(timeline: Timeline, { baseUrl, options }: Target): EpcisDocument {
  const subject = extended(timeline.subject)
  const names = named(timeline.subject, baseUrl)
  const told = { names, subject, timeline, baseUrl, texts: sharedTexts(names, subject) }
  const events = inOrder(timeline)
  const eventList = events.map((event) => objectEvent(event, told))
  const head = { schemaVersion: '2.0', creationDate: latest(events) } as const
  if (options.as === 'capture') return { '@context': context, type: 'EPCISDocument', ...head, epcisBody: { eventList } }
  const queryResults = { queryName: 'SimpleEventQuery', resultsBody: { eventList } } as const
  return { '@context': context, type: 'EPCISQueryDocument', ...head, epcisBody: { queryResults } }
}

/** What all events of a timeline have in common. */
interface Told {
  readonly names: Named
  readonly subject: Extension
  readonly timeline: Timeline
  readonly baseUrl: string
  readonly texts: SharedTexts
}

/** Events in force and withdrawn ones together, in order of occurrence. */
function inOrder({ events, withdrawn_events }: Timeline): readonly TimelineEvent[] {
  if (withdrawn_events === undefined || withdrawn_events.length === 0) return events
  const dated = [...events, ...withdrawn_events].map((event) => ({ event, at: instantOf(event.occurred_at) }))
  return dated.sort((one, other) => one.at - other.at).map(({ event }) => event)
}

/** The moment after which nothing in the document was recorded or declared. */
function latest(events: readonly TimelineEvent[]): string {
  let last = '1970-01-01T00:00:00Z'
  let at = Number.NEGATIVE_INFINITY
  for (const { recorded_at, withdrawn } of events) {
    for (const time of withdrawn === undefined ? [recorded_at] : [recorded_at, withdrawn.declared_at]) {
      const instant = instantOf(time)
      if (instant > at) {
        at = instant
        last = time
      }
    }
  }
  return last
}

type Draft = { -readonly [Member in keyof ObjectEvent]: ObjectEvent[Member] }

function objectEvent(event: TimelineEvent, { names, subject, timeline, baseUrl, texts }: Told): ObjectEvent {
  const { action, bizStep, disposition, atDestination } = rowFor(timeline.profile, event.status_code)
  const place = placeUri(event.location, baseUrl)
  const draft: Draft = {
    type: 'ObjectEvent',
    // Its place; the hash is taken when all is said.
    eventID: '',
    eventTime: event.occurred_at,
    recordTime: event.recorded_at,
    eventTimeZoneOffset: offsetOf(event.occurred_at),
    epcList: names.epcList,
    action,
    bizStep,
  }
  if (disposition !== undefined) draft.disposition = disposition
  if (place !== undefined) draft.readPoint = { id: place }
  if (place !== undefined && isGlnOf(event.location, place) && staysAt(bizStep)) draft.bizLocation = { id: place }
  if (names.bizTransactionList !== undefined) draft.bizTransactionList = names.bizTransactionList
  if (place !== undefined && atDestination) draft.destinationList = [{ type: 'location', destination: place }]
  if (event.withdrawn !== undefined) draft.errorDeclaration = errorDeclaration(event.withdrawn)
  draft['otep:event_id'] = event.event_id
  draft['otep:otep_version'] = event.otep_version
  draft['otep:profile'] = timeline.profile
  draft['otep:subject'] = subject
  for (const name of ownMembers) {
    const value = event[name]
    if (value !== undefined) draft[`otep:${name}`] = extendedValue(value)
  }
  draft.eventID = eventHash(draft, texts)
  return draft
}

/** What no standard member tells, or tells exactly. */
const ownMembers = [
  ...(['status_code', 'location', 'source', 'incident_reason', 'description', 'pod'] as const),
  ...(['estimated_delivery_at', 'synthesized'] as const),
]

/** Where it may be found afterwards is known only of what has not left (EPCIS 2.0, business location). */
function staysAt(bizStep: string): boolean {
  return bizStep !== 'departing' && bizStep !== 'transporting' && bizStep !== 'shipping'
}

function errorDeclaration({ declared_at, reason }: Withdrawal): ErrorDeclaration {
  if (reason === undefined) return { declarationTime: declared_at }
  if (reason === 'did_not_occur' || reason === 'incorrect_data') return { declarationTime: declared_at, reason }
  return { declarationTime: declared_at, 'otep:reason': reason }
}

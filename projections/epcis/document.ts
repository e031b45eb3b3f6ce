import type { otepNamespace } from './extension.ts'
import type { BizTransaction } from './identifiers.ts'

/** The terms of EPCIS and CBV, and the prefix of OTEP's own (EPCIS 2.0, JSON-LD context). */
export type Context = readonly [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  { readonly otep: typeof otepNamespace },
]

/** That an event is taken back; its reason where it is a word of CBV (EPCIS 2.0, ErrorDeclaration). */
export interface ErrorDeclaration {
  readonly declarationTime: string
  readonly reason?: 'did_not_occur' | 'incorrect_data'
  /** The reason in the producer's own words. */
  readonly 'otep:reason'?: string
}

/** Where the event's transfer ends: the place itself (EPCIS 2.0, Destination). */
export interface Destination {
  readonly type: 'location'
  readonly destination: string
}

/** One event of the timeline: what was observed of the parcel (EPCIS 2.0, ObjectEvent). */
export interface ObjectEvent {
  readonly type: 'ObjectEvent'
  /** The event hash id of what the event says (CBV 2.0); what the producer called it is `otep:event_id`. */
  readonly eventID: string
  readonly eventTime: string
  readonly recordTime: string
  readonly eventTimeZoneOffset: string
  readonly errorDeclaration?: ErrorDeclaration
  readonly epcList: readonly string[]
  readonly action: string
  readonly bizStep: string
  readonly disposition?: string
  readonly readPoint?: { readonly id: string }
  readonly bizLocation?: { readonly id: string }
  readonly bizTransactionList?: readonly BizTransaction[]
  readonly destinationList?: readonly Destination[]
  /** What the timeline says in OTEP's own words. */
  readonly [extension: `otep:${string}`]: unknown
}

/** A document for the capture interface (EPCIS 2.0, EPCISDocument). */
export interface CaptureDocument {
  readonly '@context': Context
  readonly type: 'EPCISDocument'
  readonly schemaVersion: '2.0'
  readonly creationDate: string
  readonly epcisBody: { readonly eventList: readonly ObjectEvent[] }
}

/** The answer to a query for events (EPCIS 2.0, SimpleEventQuery). */
export interface QueryDocument {
  readonly '@context': Context
  readonly type: 'EPCISQueryDocument'
  readonly schemaVersion: '2.0'
  readonly creationDate: string
  readonly epcisBody: {
    readonly queryResults: {
      readonly queryName: 'SimpleEventQuery'
      readonly resultsBody: { readonly eventList: readonly ObjectEvent[] }
    }
  }
}

/** Either of them. */
export type EpcisDocument = CaptureDocument | QueryDocument

/** The events of a document. */
export function eventsOf(doc: EpcisDocument): readonly ObjectEvent[] {
  return doc.type === 'EPCISDocument' ? doc.epcisBody.eventList : doc.epcisBody.queryResults.resultsBody.eventList
}

import type { ownPrefixes } from './extension.ts'
import type { BizTransaction } from './identifiers.ts'

/** The terms of EPCIS and CBV, and OTEP's own prefixes (EPCIS 2.0, JSON-LD context). */
export type Context = readonly ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', typeof ownPrefixes]

/** The withdrawal of an event, or its replacement; its reason, if it is a word of CBV (EPCIS 2.0, ErrorDeclaration). */
export interface ErrorDeclaration {
  readonly declarationTime: string
  readonly reason?: 'did_not_occur' | 'incorrect_data'
  /** The event in which more is known, if it was replaced and not withdrawn. */
  readonly correctiveEventIDs?: readonly string[]
  /** The reason in the producer's own words. */
  readonly [extension: `otep:${string}` | `otep0:${string}`]: unknown
}

/** The destination of the event's transfer: the place itself (EPCIS 2.0, Destination). */
export interface Destination {
  readonly type: 'location'
  readonly destination: string
}

/** One event of the timeline: an observation of the parcel (EPCIS 2.0, ObjectEvent). */
export interface ObjectEvent {
  readonly type: 'ObjectEvent'
  /** The id of its source event; without one, the event hash id of its content (CBV 2.0). The producer's own id is `otep:event_id`. */
  readonly eventID: string
  readonly eventTime: string
  readonly recordTime: string
  readonly eventTimeZoneOffset: string
  readonly errorDeclaration?: ErrorDeclaration
  readonly epcList: readonly string[]
  readonly action: string
  /** A word of CBV, or a URI; so is the disposition. */
  readonly bizStep?: string
  readonly disposition?: string
  readonly readPoint?: { readonly id: string }
  readonly bizLocation?: { readonly id: string }
  readonly bizTransactionList?: readonly BizTransaction[]
  readonly destinationList?: readonly Destination[]
  /** The parts of the timeline that only OTEP has. */
  readonly [extension: `otep:${string}` | `otep0:${string}`]: unknown
}

/** A document for the capture interface (EPCIS 2.0, EPCISDocument). */
export interface CaptureDocument {
  readonly '@context': Context
  readonly type: 'EPCISDocument'
  readonly schemaVersion: '2.0'
  readonly creationDate: string
  readonly epcisBody: { readonly eventList: readonly ObjectEvent[] }
}

/** The response to a query for events (EPCIS 2.0, SimpleEventQuery). */
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

/** Either document. */
export type EpcisDocument = CaptureDocument | QueryDocument

/** The events of a document. */
export function eventsOf(doc: EpcisDocument): readonly ObjectEvent[] {
  return doc.type === 'EPCISDocument' ? doc.epcisBody.eventList : doc.epcisBody.queryResults.resultsBody.eventList
}

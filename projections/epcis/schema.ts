import * as v from 'valibot'
import { actions, bizSteps, dispositions } from './codes.ts'
import { otepNamespace } from './extension.ts'

const optional = v.exactOptional
const dateTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
const uri = v.pipe(v.string(), v.metadata({ format: 'uri' }))
/** A word of the source of the event. */
const word = v.pipe(v.string(), v.minLength(1))
const place = optional(v.strictObject({ id: uri }))

const hash = v.pipe(v.string(), v.regex(/^ni:\/\/\/sha-256;[\da-f]{64}\?ver=CBV2\.0$/), v.metadata({ format: 'uri' }))

/** One of OTEP's own members, and what it means; the context and the page of the namespace are made of this. */
const told = <Schema extends v.GenericSchema>(schema: Schema, meaning: string) => v.pipe(schema, v.description(meaning))

const subject = v.strictObject({
  'otep:tracking_number': optional(told(v.string(), 'Tracking number of the carrier.')),
  'otep:external_tracking_number': optional(told(v.string(), 'Tracking number of another carrier.')),
  'otep:gs1_sscc': optional(told(v.string(), 'SSCC, as 18 digits.')),
  'otep:piece_id': optional(told(v.string(), 'URI of the single thing.')),
  'otep:package_id': optional(told(v.number(), 'Number of the package in the sending system.')),
  'otep:order_id': optional(told(v.number(), 'Number of the order.')),
})

const location = v.strictObject({
  'otep:name': optional(told(v.string(), 'Name of the place.')),
  'otep:unlocode': optional(told(v.string(), 'UN/LOCODE of the place.')),
  'otep:gln': optional(told(v.string(), 'GLN of the place, as 13 digits.')),
  'otep:latitude': optional(told(v.number(), 'Degrees north (WGS 84).')),
  'otep:longitude': optional(told(v.number(), 'Degrees east (WGS 84).')),
  'otep:address': optional(
    told(
      v.strictObject({
        'otep:street': optional(told(v.string(), 'Street and number.')),
        'otep:locality': optional(told(v.string(), 'Town.')),
        'otep:region': optional(told(v.string(), 'State or province.')),
        'otep:postal_code': optional(told(v.string(), 'Postal code.')),
        'otep:country': optional(told(v.string(), 'Country (ISO 3166-1 alpha-2).')),
      }),
      'Postal address of the place.',
    ),
  ),
})

const source = v.strictObject({
  'otep:type': told(v.string(), 'Kind of source.'),
  'otep:provider': optional(told(v.string(), 'Name of the provider.')),
  'otep:code': optional(told(v.string(), "The provider's own code.")),
  'otep:event': optional(
    told(
      v.strictObject({ 'otep:id': told(v.string(), 'Id of that EPCIS event.') }),
      'The EPCIS event that the event was made of.',
    ),
  ),
})

const pod = v.strictObject({
  'otep:recipient': optional(told(v.string(), 'Who received it.')),
  'otep:signed_at': optional(told(dateTime, 'When it was signed for.')),
  'otep:signature_url': optional(told(uri, 'Picture of the signature.')),
  'otep:photo_urls': optional(told(v.array(uri), 'Photos.')),
  'otep:note': optional(told(v.string(), 'Note of the driver.')),
})

/** An event of a document. */
export const eventSchema = v.strictObject({
  type: v.literal('ObjectEvent'),
  eventID: v.union([hash, uri]),
  eventTime: dateTime,
  recordTime: dateTime,
  eventTimeZoneOffset: v.pipe(v.string(), v.regex(/^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/)),
  errorDeclaration: optional(
    v.strictObject({
      declarationTime: dateTime,
      reason: optional(v.picklist(['did_not_occur', 'incorrect_data'])),
      correctiveEventIDs: optional(v.array(hash)),
      'otep:reason': optional(told(v.string(), "Reason of a withdrawal, in the producer's own words.")),
    }),
  ),
  epcList: v.array(uri),
  action: v.picklist(actions),
  bizStep: optional(v.union([v.picklist(bizSteps), word])),
  disposition: optional(v.union([v.picklist(dispositions), word])),
  readPoint: place,
  bizLocation: place,
  bizTransactionList: optional(v.array(v.strictObject({ type: v.literal('po'), bizTransaction: uri }))),
  destinationList: optional(v.tuple([v.strictObject({ type: v.literal('location'), destination: uri })])),
  'otep:event_id': told(v.string(), "The producer's own id of the event."),
  'otep:otep_version': told(v.string(), 'Version of the protocol.'),
  'otep:profile': told(v.string(), 'The vocabulary of the status code.'),
  'otep:subject': told(subject, 'The identifiers of what is tracked.'),
  'otep:status_code': told(v.string(), 'Status code of the profile.'),
  'otep:location': optional(told(location, 'Where it happened.')),
  'otep:source': optional(told(source, 'Who reported it.')),
  'otep:incident_reason': optional(told(v.string(), 'Why something went wrong.')),
  'otep:description': optional(told(v.string(), 'What happened, in words.')),
  'otep:pod': optional(told(pod, 'Proof of delivery or pick-up.')),
  'otep:estimated_delivery_at': optional(told(dateTime, 'When delivery is expected.')),
  'otep:synthesized': optional(
    told(v.boolean(), 'Whether the event was made of a change of status, without a report of it.'),
  ),
})

/** OTEP's own members around the events, of documents with events as they came. */
export const documentMembers = {
  'otep:not_carried': told(v.array(v.string()), 'What the binding of the document cannot carry of its events.'),
} as const

const head = {
  '@context': v.strictTuple([
    v.literal('https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'),
    v.strictObject({ otep: v.literal(otepNamespace) }),
  ]),
  schemaVersion: v.literal('2.0'),
  creationDate: dateTime,
}

const eventList = v.array(eventSchema)

/** The document: the response to a query, or with `as=capture` a document to be captured (EPCIS 2.0, JSON binding). */
export const schema = v.variant('type', [
  v.strictObject({
    ...head,
    type: v.literal('EPCISQueryDocument'),
    epcisBody: v.strictObject({
      queryResults: v.strictObject({
        queryName: v.literal('SimpleEventQuery'),
        resultsBody: v.strictObject({ eventList }),
      }),
    }),
  }),
  v.strictObject({ ...head, type: v.literal('EPCISDocument'), epcisBody: v.strictObject({ eventList }) }),
])

/** `as`: the requested kind of document; `source` for the events as they came. */
export const optionsSchema = v.strictObject({ as: optional(v.picklist(['query', 'capture', 'source'])) })

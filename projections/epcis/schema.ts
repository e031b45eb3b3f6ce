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

const subject = v.strictObject({
  'otep:tracking_number': optional(v.string()),
  'otep:external_tracking_number': optional(v.string()),
  'otep:gs1_sscc': optional(v.string()),
  'otep:piece_id': optional(v.string()),
  'otep:package_id': optional(v.number()),
  'otep:order_id': optional(v.number()),
})

const location = v.strictObject({
  'otep:name': optional(v.string()),
  'otep:unlocode': optional(v.string()),
  'otep:gln': optional(v.string()),
  'otep:latitude': optional(v.number()),
  'otep:longitude': optional(v.number()),
  'otep:address': optional(
    v.strictObject({
      'otep:street': optional(v.string()),
      'otep:locality': optional(v.string()),
      'otep:region': optional(v.string()),
      'otep:postal_code': optional(v.string()),
      'otep:country': optional(v.string()),
    }),
  ),
})

const source = v.strictObject({
  'otep:type': v.string(),
  'otep:provider': optional(v.string()),
  'otep:code': optional(v.string()),
  'otep:event': optional(v.strictObject({ 'otep:id': v.string() })),
})

const pod = v.strictObject({
  'otep:recipient': optional(v.string()),
  'otep:signed_at': optional(dateTime),
  'otep:signature_url': optional(uri),
  'otep:photo_urls': optional(v.array(uri)),
  'otep:note': optional(v.string()),
})

const event = v.strictObject({
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
      'otep:reason': optional(v.string()),
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
  'otep:event_id': v.string(),
  'otep:otep_version': v.string(),
  'otep:profile': v.string(),
  'otep:subject': subject,
  'otep:status_code': v.string(),
  'otep:location': optional(location),
  'otep:source': optional(source),
  'otep:incident_reason': optional(v.string()),
  'otep:description': optional(v.string()),
  'otep:pod': optional(pod),
  'otep:estimated_delivery_at': optional(dateTime),
  'otep:synthesized': optional(v.boolean()),
})

const head = {
  '@context': v.strictTuple([
    v.literal('https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'),
    v.strictObject({ otep: v.literal(otepNamespace) }),
  ]),
  schemaVersion: v.literal('2.0'),
  creationDate: dateTime,
}

const eventList = v.array(event)

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

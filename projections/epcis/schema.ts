import * as v from 'valibot'
import { actions, bizSteps, dispositions } from './codes.ts'
import { formerForm, type OwnForm, ownForm, ownPrefixes } from './extension.ts'

const optional = v.exactOptional
const dateTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
const uri = v.pipe(v.string(), v.metadata({ format: 'uri' }))
/** A word of the source of the event. */
const word = v.pipe(v.string(), v.minLength(1))
const place = optional(v.strictObject({ id: uri }))

const hash = v.pipe(v.string(), v.regex(/^ni:\/\/\/sha-256;[\da-f]{64}\?ver=CBV2\.0$/), v.metadata({ format: 'uri' }))

/** One of OTEP's own members, and what it means; the context and the page of the namespace are made of this. */
const told = <Schema extends v.GenericSchema>(schema: Schema, meaning: string) => v.pipe(schema, v.description(meaning))

/** The values of OTEP's own members in a form, and their names. */
function kindsOf({ prefix, mark }: OwnForm) {
  const isMarked = mark !== ''
  const text = isMarked ? v.pipe(v.string(), v.regex(new RegExp(`^${mark}`))) : v.string()
  const [time, link] = isMarked ? [text, text] : [dateTime, uri]
  const named = <Entries extends v.ObjectEntries>(entries: Entries) =>
    Object.fromEntries(Object.entries(entries).map(([name, schema]) => [prefix + name, schema])) as {
      [Name in keyof Entries & string as `otep:${Name}`]: Entries[Name]
    }
  return { text, time, link, named }
}

type Kinds = ReturnType<typeof kindsOf>

const subject = ({ text, named }: Kinds) =>
  v.strictObject(
    named({
      tracking_number: optional(told(text, 'Tracking number of the carrier.')),
      external_tracking_number: optional(told(text, 'Tracking number of another carrier.')),
      gs1_sscc: optional(told(text, 'SSCC, as 18 digits.')),
      piece_id: optional(told(text, 'URI of the single thing.')),
      package_id: optional(told(v.number(), 'Number of the package in the sending system.')),
      order_id: optional(told(v.number(), 'Number of the order.')),
    }),
  )

const address = ({ text, named }: Kinds) =>
  v.strictObject(
    named({
      street: optional(told(text, 'Street and number.')),
      locality: optional(told(text, 'Town.')),
      region: optional(told(text, 'State or province.')),
      postal_code: optional(told(text, 'Postal code.')),
      country: optional(told(text, 'Country (ISO 3166-1 alpha-2).')),
    }),
  )

const location = (kinds: Kinds) =>
  v.strictObject(
    kinds.named({
      name: optional(told(kinds.text, 'Name of the place.')),
      unlocode: optional(told(kinds.text, 'UN/LOCODE of the place.')),
      gln: optional(told(kinds.text, 'GLN of the place, as 13 digits.')),
      latitude: optional(told(v.number(), 'Degrees north (WGS 84).')),
      longitude: optional(told(v.number(), 'Degrees east (WGS 84).')),
      address: optional(told(address(kinds), 'Postal address of the place.')),
    }),
  )

const sourceEvent = ({ text, named }: Kinds) => v.strictObject(named({ id: told(text, 'Id of that EPCIS event.') }))

const source = (kinds: Kinds) =>
  v.strictObject(
    kinds.named({
      type: told(kinds.text, 'Kind of source.'),
      provider: optional(told(kinds.text, 'Name of the provider.')),
      code: optional(told(kinds.text, "The provider's own code.")),
      event: optional(told(sourceEvent(kinds), 'The EPCIS event that the event was made of.')),
    }),
  )

const pod = ({ text, time, link, named }: Kinds) =>
  v.strictObject(
    named({
      recipient: optional(told(text, 'Who received it.')),
      signed_at: optional(told(time, 'When it was signed for.')),
      signature_url: optional(told(link, 'Picture of the signature.')),
      photo_urls: optional(told(v.array(link), 'Photos.')),
      note: optional(told(text, 'Note of the driver.')),
    }),
  )

/** OTEP's own members of an event. */
function ownMembersOf(kinds: Kinds) {
  const { text, time, named } = kinds
  return named({
    event_id: told(text, "The producer's own id of the event."),
    otep_version: told(text, 'Version of the protocol.'),
    profile: told(text, 'The vocabulary of the status code.'),
    subject: told(subject(kinds), 'The identifiers of what is tracked.'),
    status_code: told(text, 'Status code of the profile.'),
    location: optional(told(location(kinds), 'Where it happened.')),
    source: optional(told(source(kinds), 'Who reported it.')),
    incident_reason: optional(told(text, 'Why something went wrong.')),
    description: optional(told(text, 'What happened, in words.')),
    pod: optional(told(pod(kinds), 'Proof of delivery or pick-up.')),
    estimated_delivery_at: optional(told(time, 'Until when delivery is expected.')),
    estimated_delivery_from: optional(told(time, 'From when on delivery is expected.')),
    synthesized: optional(
      told(v.boolean(), 'Whether the event was made of a change of status, without a report of it.'),
    ),
  })
}

/** An event of a document, in the form of its own members. */
function eventSchema(form: OwnForm) {
  const kinds = kindsOf(form)
  return v.strictObject({
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
        ...kinds.named({
          reason: optional(told(kinds.text, "Reason of a withdrawal, in the producer's own words.")),
        }),
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
    ...ownMembersOf(kinds),
  })
}

/** OTEP's own members around the events, of documents with events as they came. */
export const documentMembers = {
  'otep:not_carried': told(v.array(v.string()), 'What the binding of the document cannot carry of its events.'),
} as const

const formerEvent = eventSchema(formerForm)

/** OTEP's own members of documents, among the members of events. */
export const vocabularySchema = v.strictObject({ ...formerEvent.entries, ...documentMembers })

const head = {
  '@context': v.strictTuple([
    v.literal('https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'),
    v.strictObject({ otep: v.literal(ownPrefixes.otep), otep0: v.literal(ownPrefixes.otep0) }),
  ]),
  schemaVersion: v.literal('2.0'),
  creationDate: dateTime,
}

const eventList = v.array(v.union([eventSchema(ownForm), formerEvent]))

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

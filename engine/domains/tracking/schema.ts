import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import {
  countryOfEvent,
  identifier,
  instant,
  maxCharacters,
  placeEntries,
  refusing,
  text,
  url,
  word,
} from '../../kernel/schemas.ts'
import { hasCheckDigit } from './check-digit.ts'
import { publicly } from './publicly.ts'

/** The number under which a timeline is looked up. */
export const numberSchema = v.pipe(
  v.string(),
  v.minLength(1),
  maxCharacters(500),
  v.description(
    "Tracking number, carrier's number, SSCC or piece id. Those who may see it find it by order or package id, too.",
  ),
)

/** Digits that end with the GS1 check digit (GS1 General Specifications, section 7.9). */
function gs1Key(pattern: RegExp, code: Code) {
  return v.pipe(
    v.string(),
    v.regex(pattern, code),
    refusing((value) => (pattern.test(value) && !hasCheckDigit(value) ? 'check_digit' : undefined)),
  )
}

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The tracked thing. Every identifier is optional; a separate requirement demands at least one. */
export const subjectSchema = named(
  'Subject',
  v.pipe(
    v.strictObject({
      tracking_number: v.exactOptional(identifier(100)),
      external_tracking_number: v.exactOptional(identifier(100)),
      gs1_sscc: v.exactOptional(gs1Key(/^\d{18}$/, 'not_sscc')),
      piece_id: v.exactOptional(identifier(500)),
      package_id: v.exactOptional(id),
      order_id: v.exactOptional(id),
    }),
    v.metadata({ minProperties: 1 }),
  ),
)

/** The identifiers by which the public finds a thing. */
const { package_id: _, order_id: __, ...publicIdentifiers } = subjectSchema.entries
export const publicSubjectSchema = named(
  'PublicSubject',
  v.pipe(v.strictObject(publicIdentifiers), v.metadata({ minProperties: 1 })),
)

const aggregationSchema = named(
  'Aggregation',
  v.strictObject({
    action: v.picklist(['ADD', 'DELETE']),
    parent: v.exactOptional(publicSubjectSchema),
    all: v.exactOptional(v.boolean()),
  }),
)

const locationSchema = named(
  'EventLocation',
  v.strictObject({
    name: v.exactOptional(text(200)),
    unlocode: v.exactOptional(
      publicly(v.pipe(v.string(), v.regex(/^[A-Z]{2}[A-Z2-9]{3}$/, 'not_unlocode' satisfies Code))),
    ),
    gln: v.exactOptional(gs1Key(/^\d{13}$/, 'not_gln')),
    ...placeEntries,
    address: v.exactOptional(
      v.strictObject({
        street: v.exactOptional(text(200)),
        locality: v.exactOptional(publicly(text(100))),
        region: v.exactOptional(text(100)),
        postal_code: v.exactOptional(text(20)),
        country: v.exactOptional(publicly(countryOfEvent)),
      }),
    ),
  }),
)

/** The seven kinds of source of a timeline. */
export const sourceTypes = [
  'self_delivery',
  'third_party_delivery',
  'carrier_tracking',
  'proof_of_delivery',
  'exception',
  'node_scan',
  'driver_trajectory',
] as const

/** The longest step or disposition of EPCIS, which may be a URI. */
export const longestWord = 300

const sourceSchema = named(
  'EventSource',
  v.strictObject({
    type: publicly(v.picklist(sourceTypes)),
    provider: v.exactOptional(word(100)),
    code: v.exactOptional(word(100)),
    event: v.exactOptional(
      v.strictObject({
        id: word(200),
        action: publicly(v.picklist(['ADD', 'OBSERVE', 'DELETE'])),
        biz_step: v.exactOptional(word(longestWord)),
        disposition: v.exactOptional(word(longestWord)),
      }),
    ),
  }),
)

/** The most readings of sensors in one event. */
const maxSensors = 1000

/** The most photographs in the proof of one event, over all its reports. */
export const maxPhotos = 20

const podSchema = named(
  'ProofOfDelivery',
  v.strictObject({
    recipient: v.exactOptional(text(200)),
    signed_at: v.exactOptional(publicly(instant)),
    signature_url: v.exactOptional(url),
    photo_urls: v.exactOptional(v.pipe(v.array(url), v.maxLength(maxPhotos))),
    note: v.exactOptional(text(2000)),
  }),
)

/**
 * One event as a producer may send it. A `phase` must be the right one; it is never stored. In the reduced view, the
 * public sees the members marked with `publicly`.
 */
export const eventSchema = named(
  'TrackingEvent',
  v.strictObject({
    event_id: v.exactOptional(word(200)),
    otep_version: v.exactOptional(publicly(word(20))),
    occurred_at: publicly(instant),
    recorded_at: v.exactOptional(publicly(instant)),
    status_code: publicly(word(64)),
    phase: v.exactOptional(publicly(word(64))),
    location: v.exactOptional(locationSchema),
    source: v.exactOptional(sourceSchema),
    incident_reason: v.exactOptional(word(100)),
    description: v.exactOptional(text(2000)),
    pod: v.exactOptional(podSchema),
    estimated_delivery_at: v.exactOptional(publicly(instant)),
    estimated_delivery_from: v.exactOptional(publicly(instant)),
    synthesized: v.exactOptional(publicly(v.boolean())),
    aggregation: v.exactOptional(
      v.pipe(
        aggregationSchema,
        v.description(
          'That the thing was put into the container `parent` (ADD) or taken out of it (DELETE). Without `parent`, the contents of the thing changed; with `all`, it was emptied.',
        ),
      ),
    ),
    inherited_from: v.exactOptional(
      v.pipe(
        publicly(publicSubjectSchema),
        v.description('The container that the event happened to, while the thing was in it. Not recorded when sent.'),
      ),
    ),
    withdrawn: v.exactOptional(v.strictObject({ declared_at: publicly(instant), reason: v.exactOptional(text(500)) })),
    sensors: v.exactOptional(
      v.pipe(
        v.array(v.looseObject({})),
        v.maxLength(maxSensors),
        v.description(
          'What sensors measured, with the members of a reading of record_sensor_readings. It is kept in series beside the timeline, and not with the event.',
        ),
      ),
    ),
  }),
)

/** The most events in one call. */
export const maxEvents = 10_000

/**
 * What one event of a document may hold: texts, numbers, elements, attributes and names, and the characters of its text. It
 * is worked on without a pause in some places, and kept as a whole.
 */
export const eventBounds = { values: 100_000, characters: 2 * 1024 * 1024 } as const

/** The most things that the foreign events in one call name together: an event can have 10,000 children and a parent. */
export const maxThings = 20_000

/** A timeline document as a producer may send it (OTEP 0.1, section 3). */
export const timelineSchema = named(
  'Timeline',
  v.strictObject({
    otep_version: v.exactOptional(publicly(word(20))),
    profile: v.exactOptional(publicly(word(64))),
    subject: subjectSchema,
    current_status: v.exactOptional(publicly(word(64))),
    /** When the current status was reached, if the source knows it but has no events (section 5). */
    current_status_at: v.exactOptional(instant),
    delivered: v.exactOptional(publicly(v.boolean())),
    events: v.exactOptional(v.array(eventSchema)),
    future_events: v.exactOptional(
      v.pipe(
        v.array(eventSchema),
        v.description('Events more than a day in the future. They do not count until their time comes.'),
      ),
    ),
    withdrawn_events: v.exactOptional(v.array(eventSchema)),
    sensors: v.exactOptional(
      v.pipe(
        v.array(v.looseObject({})),
        v.description(
          'What each sensor has measured over all its readings, as list_sensor_series answers it. Not recorded when sent.',
        ),
      ),
    ),
  }),
)

/** A validated event. */
export type EventInput = v.InferOutput<typeof eventSchema>

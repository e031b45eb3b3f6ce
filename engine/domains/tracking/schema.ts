import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { instantProblem } from '../../kernel/time.ts'
import { hasCheckDigit } from './check-digit.ts'

/** A check whose refusal is a code of the catalogue; JSON Schema knows nothing of it. */
function refusing(problem: (text: string) => Code | undefined) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const code = dataset.typed ? problem(dataset.value) : undefined
    if (code !== undefined) addIssue({ message: code })
  })
}

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
const anyControl = /[\u0000-\u001f\u007f-\u009f]/

/** Text that people read: line breaks and tabs are allowed, other control characters and half surrogates are not. */
function text(limit: number) {
  return v.pipe(
    v.string(),
    v.maxLength(limit),
    refusing((value) =>
      value.isWellFormed() ? (control.test(value) ? 'control_character' : undefined) : 'not_well_formed',
    ),
  )
}

/** A word that systems compare: no control character at all, and not blank. */
function word(limit: number) {
  return v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(limit),
    refusing((value) => {
      if (!value.isWellFormed()) return 'not_well_formed'
      if (anyControl.test(value)) return 'control_character'
      return value !== '' && value.trim() === '' ? 'blank' : undefined
    }),
  )
}

/** An instant: RFC 3339 with an offset. */
const instant = v.pipe(v.string(), v.maxLength(40), refusing(instantProblem), v.metadata({ format: 'date-time' }))

const url = v.pipe(
  v.string(),
  v.maxLength(2000),
  refusing((value) => (/^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value) ? undefined : 'not_a_url')),
  v.metadata({ format: 'uri' }),
)

/** Digits with the GS1 check digit at the end (GS1 General Specifications, section 7.9). */
function gs1Key(pattern: RegExp, code: Code) {
  return v.pipe(
    v.string(),
    v.regex(pattern, code),
    refusing((value) => (pattern.test(value) && !hasCheckDigit(value) ? 'check_digit' : undefined)),
  )
}

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** What is tracked: every identifier is optional here; that there is one is a requirement of its own. */
export const subjectSchema = v.pipe(
  v.strictObject({
    tracking_number: v.exactOptional(word(100)),
    external_tracking_number: v.exactOptional(word(100)),
    gs1_sscc: v.exactOptional(gs1Key(/^\d{18}$/, 'not_sscc')),
    piece_id: v.exactOptional(word(500)),
    package_id: v.exactOptional(id),
    order_id: v.exactOptional(id),
  }),
  v.metadata({ minProperties: 1 }),
)

const degrees = (limit: number) => v.pipe(v.number(), v.minValue(-limit), v.maxValue(limit))

const locationSchema = v.strictObject({
  name: v.exactOptional(text(200)),
  unlocode: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z]{2}[A-Z2-9]{3}$/, 'not_unlocode' satisfies Code))),
  gln: v.exactOptional(gs1Key(/^\d{13}$/, 'not_gln')),
  latitude: v.exactOptional(degrees(90)),
  longitude: v.exactOptional(degrees(180)),
  address: v.exactOptional(
    v.strictObject({
      street: v.exactOptional(text(200)),
      locality: v.exactOptional(text(100)),
      region: v.exactOptional(text(100)),
      postal_code: v.exactOptional(text(20)),
      country: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'not_country' satisfies Code))),
    }),
  ),
})

/** The seven kinds of source that are merged into one timeline. */
export const sourceTypes = [
  'self_delivery',
  'third_party_delivery',
  'carrier_tracking',
  'proof_of_delivery',
  'exception',
  'node_scan',
  'driver_trajectory',
] as const

const sourceSchema = v.strictObject({
  type: v.picklist(sourceTypes),
  provider: v.exactOptional(word(100)),
  code: v.exactOptional(word(100)),
})

/** The most pictures that the proof of one event may have, over all reports of it. */
export const maxPhotos = 20

const podSchema = v.strictObject({
  recipient: v.exactOptional(text(200)),
  signed_at: v.exactOptional(instant),
  signature_url: v.exactOptional(url),
  photo_urls: v.exactOptional(v.pipe(v.array(url), v.maxLength(maxPhotos))),
  note: v.exactOptional(text(2000)),
})

/** One event as a producer may send it. `phase` may be said and must then be right; it is never stored. */
export const eventSchema = v.strictObject({
  event_id: v.exactOptional(word(200)),
  otep_version: v.exactOptional(word(20)),
  occurred_at: instant,
  recorded_at: v.exactOptional(instant),
  status_code: word(64),
  phase: v.exactOptional(word(64)),
  location: v.exactOptional(locationSchema),
  source: v.exactOptional(sourceSchema),
  incident_reason: v.exactOptional(word(100)),
  description: v.exactOptional(text(2000)),
  pod: v.exactOptional(podSchema),
  estimated_delivery_at: v.exactOptional(instant),
  synthesized: v.exactOptional(v.boolean()),
  withdrawn: v.exactOptional(v.strictObject({ declared_at: instant, reason: v.exactOptional(text(500)) })),
})

/** The most events that one call may bring. */
export const maxEvents = 10_000

/** A timeline document as a producer may send it (OTEP 0.1, section 3). */
export const timelineSchema = v.strictObject({
  otep_version: v.exactOptional(word(20)),
  profile: v.exactOptional(word(64)),
  subject: subjectSchema,
  current_status: v.exactOptional(word(64)),
  /** When the current status was reached, where the source knows it and has no events (section 5). */
  current_status_at: v.exactOptional(instant),
  delivered: v.exactOptional(v.boolean()),
  events: v.exactOptional(v.array(eventSchema)),
  withdrawn_events: v.exactOptional(v.array(eventSchema)),
})

/** An event that has passed the schema. */
export type EventInput = v.InferOutput<typeof eventSchema>

import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { maxCharacters } from '../../kernel/schemas.ts'
import type { ProofOfDelivery, Timeline } from '../../kernel/timeline.ts'
import { versionOf } from './documents.ts'
import { requestedFormat } from './formats.ts'
import { eventSchema, subjectSchema } from './schema.ts'
import { readVisible, visibility } from './visible.ts'

/** Tracks a parcel for the public. It shows no more than the timeline, in the caller's view. */
export const trackPackage = operation({
  name: 'track_package',
  summary: 'Status, event timeline and proof of delivery of a tracking number.',
  scopes: [],
  risk: 'low',
  tag: 'Tracking',
  mcp: {
    title: 'Track a package',
    idempotent: true,
    hint: 'For a timeline in another format, or with remarks on it, use otep_tracking.',
  },
  input: v.strictObject({
    tracking_number: v.pipe(
      v.string(),
      v.minLength(1),
      maxCharacters(500),
      v.description(
        "Tracking number, carrier's number, SSCC or piece id. Those who may see it find it by order or package id, too.",
      ),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    tracking_number: v.pipe(v.string(), v.description('The requested number.')),
    status: v.pipe(v.nullable(v.string()), v.description('Code of the current status; null if no event is in force.')),
    phase: v.nullable(v.string()),
    delivered: v.boolean(),
    subject: v.pipe(subjectSchema, v.description('All identifiers of the parcel.')),
    events: v.pipe(v.array(eventSchema), v.description('In order of occurrence.')),
    proof_of_delivery: v.pipe(
      v.nullable(eventSchema.entries.pod.wrapped),
      v.description(
        'Proof of the delivery; null if the parcel is not delivered, or has no proof. With the reduced view, the public sees when it was signed; a postal code, a link or a token shows the rest.',
      ),
    ),
  }),
  errors: visibility,
  hasViews: true,
  rest: { method: 'GET', path: '/api/v1/track/{tracking_number}', cache: 'public, no-cache' },
  version: (context, { tracking_number }) => versionOf(tracking_number, requestedFormat(context)),
  handle: async (context, { tracking_number }) => {
    const { timeline } = await readVisible(context, tracking_number)
    const { subject, current_status: status = null, delivered, events } = timeline
    const phase = events.findLast((event) => event.status_code === status)?.phase ?? null
    const proof_of_delivery = delivered ? proofOf(timeline) : null
    return { result: true, tracking_number, status, phase, delivered, subject, events, proof_of_delivery }
  },
})

/** The proof of the delivery that led to the current status. */
function proofOf({ events, current_status }: Timeline): ProofOfDelivery | null {
  return events.findLast(({ status_code, pod }) => status_code === current_status && pod !== undefined)?.pod ?? null
}

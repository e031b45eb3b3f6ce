import * as v from 'valibot'
import { isObject } from '../../kernel/members.ts'
import { named } from '../../kernel/named.ts'
import type { Answer } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { eventSchema, timelineSchema } from './schema.ts'

const remark = named(
  'DocumentFinding',
  v.strictObject({
    path: v.pipe(v.string(), v.description('Path, for example events[0].occurred_at; empty for the whole document.')),
    code: v.string(),
    message: v.string(),
  }),
)

const breach = named(
  'RequirementFinding',
  v.strictObject({
    ...remark.entries,
    requirement: v.exactOptional(
      v.pipe(
        v.string(),
        v.description('Id of the requirement that is not met; absent in the note that findings are left out.'),
      ),
    ),
  }),
)

const warnings = v.exactOptional(v.array(remark))

/** A timeline in the envelope; `data` is a document of the format (for `otep`, a timeline). */
export const timelineAnswerSchema = v.strictObject({
  result: v.literal(true),
  format: v.string(),
  data: unpriced(v.union([timelineSchema, v.record(v.string(), v.unknown()), v.array(v.unknown())])),
  warnings,
})

/** A page of events in the envelope; `next` is present if there are more. */
export const eventsAnswerSchema = v.strictObject({
  result: v.literal(true),
  format: v.string(),
  data: v.pipe(
    v.array(v.union([eventSchema, unpriced(v.record(v.string(), v.unknown()))])),
    v.description('Events of the protocol, or what the format has for each.'),
  ),
  next: v.exactOptional(v.string()),
})

/** The list of formats. */
export const formatsAnswerSchema = v.strictObject({
  result: v.literal(true),
  data: v.array(
    named(
      'Format',
      v.strictObject({
        format: v.pipe(v.string(), v.description('Token of `?format=`.')),
        title: v.string(),
        standard: v.pipe(v.string(), v.description('The standard or interface, with its version.')),
        version: v.pipe(v.string(), v.description('Version of the projection.')),
        kind: v.picklist(['history', 'state']),
        external: v.boolean(),
        profile: v.pipe(v.string(), v.description('URI of the format in the profile parameter of a media type.')),
        media_types: v.array(v.string()),
        options: v.array(v.string()),
        reads: v.pipe(v.boolean(), v.description('Whether documents of the format can be ingested.')),
        losses: v.array(v.string()),
        codes: v.pipe(
          v.record(
            v.string(),
            v.record(v.string(), v.strictObject({ fidelity: v.picklist(['=', '~', 'none']), value: v.string() })),
          ),
          v.description('The mapping of each code of each profile; x-* is any other unregistered code.'),
        ),
      }),
    ),
  ),
  dialects: v.pipe(
    v.array(v.strictObject({ format: v.string(), title: v.string(), standard: v.string() })),
    v.description('What can be ingested beside documents of the formats, and is not written.'),
  ),
  webhooks: v.pipe(
    v.array(v.string()),
    v.description('The formats and dialects whose webhooks can be verified, and so be received.'),
  ),
})

/** Many timelines in the envelope, each with its own result. */
export const batchAnswerSchema = v.strictObject({
  result: v.literal(true),
  format: v.string(),
  data: v.array(
    v.variant('result', [
      v.strictObject({
        tracking_number: v.string(),
        ...timelineAnswerSchema.entries,
        format: v.exactOptional(v.string()),
      }),
      v.strictObject({ tracking_number: v.string(), result: v.literal(false), code: v.string(), message: v.string() }),
    ]),
  ),
})

/** How many numbers of a batch were not found. */
export function missesIn({ data }: Answer): number {
  return Array.isArray(data) ? data.filter((one) => isObject(one) && one.code === 'timeline_not_found').length : 0
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The outcome of every event of a call, in order. */
export const ingestAnswerSchema = named(
  'IngestAnswer',
  v.strictObject({
    result: v.boolean(),
    code: v.exactOptional(v.string()),
    message: v.exactOptional(v.string()),
    data: v.strictObject({
      accepted: count,
      duplicate: count,
      enriched: count,
      rejected: count,
      withheld: count,
      ignored: v.exactOptional(count),
      events: v.array(
        named(
          'EventOutcome',
          v.strictObject({
            path: v.string(),
            outcome: v.picklist(['accepted', 'duplicate', 'enriched', 'rejected', 'withheld', 'ignored']),
            subject: v.exactOptional(v.record(v.string(), v.union([v.string(), v.number()]))),
            event_id: v.exactOptional(v.string()),
            errors: v.exactOptional(v.array(remark)),
            warnings,
          }),
        ),
      ),
    }),
  }),
)

/** The result of the validator. */
export const conformanceSchema = v.strictObject({
  conformant: v.boolean(),
  level: v.picklist([0, 1, 2]),
  projection: v.exactOptional(v.string()),
  errors: v.array(breach),
  warnings: v.array(breach),
})

import * as v from 'valibot'
import { eventSchema, timelineSchema } from './schema.ts'

const remark = v.strictObject({
  path: v.pipe(v.string(), v.description('Where: events[0].occurred_at; empty for the whole.')),
  code: v.string(),
  message: v.string(),
})

const breach = v.strictObject({
  ...remark.entries,
  requirement: v.pipe(v.string(), v.description('Id of the requirement that is not met.')),
})

const warnings = v.exactOptional(v.array(remark))

/** A timeline in the envelope; `data` is the document of the format, a timeline for `otep`. */
export const timelineAnswerSchema = v.strictObject({
  result: v.literal(true),
  format: v.string(),
  data: v.union([timelineSchema, v.record(v.string(), v.unknown()), v.array(v.unknown())]),
  warnings,
})

/** A page of events in the envelope; `next` is there while there are more. */
export const eventsAnswerSchema = v.strictObject({
  result: v.literal(true),
  format: v.literal('otep'),
  data: v.array(eventSchema),
  next: v.exactOptional(v.string()),
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

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** What became of every event of a call, in order. */
export const ingestAnswerSchema = v.strictObject({
  result: v.boolean(),
  code: v.exactOptional(v.string()),
  message: v.exactOptional(v.string()),
  data: v.strictObject({
    accepted: count,
    duplicate: count,
    enriched: count,
    rejected: count,
    withheld: count,
    events: v.array(
      v.strictObject({
        path: v.string(),
        outcome: v.picklist(['accepted', 'duplicate', 'enriched', 'rejected', 'withheld']),
        event_id: v.exactOptional(v.string()),
        errors: v.exactOptional(v.array(remark)),
        warnings,
      }),
    ),
  }),
})

/** The verdict of the validator. */
export const conformanceSchema = v.strictObject({
  conformant: v.boolean(),
  level: v.picklist([0, 1, 2]),
  errors: v.array(breach),
  warnings: v.array(breach),
})

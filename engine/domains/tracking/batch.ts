import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { type Code, messageOf } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import type { TimelinePart } from '../../kernel/projection.ts'
import { batchAnswerSchema, missesIn } from './answers.ts'
import { answerOf, targetFor, timelineIn } from './documents.ts'
import { formatOption, formatToken, requestedFormat } from './formats.ts'
import { type LoadedTimeline, pageSize, revisionOf } from './read.ts'
import { numberSchema as number } from './schema.ts'
import { findVisible, readOf } from './visible.ts'

/** The most events in the answer of one batch; further numbers have to be requested separately. */
const maxBatchEvents = 20_000

/** Returns many timelines in one call, each with its own result. */
export const otepTrackingsBatch = operation({
  name: 'otep_trackings_batch',
  summary: 'Timelines of up to 500 tracking numbers, in the requested order, each with its own result.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  input: v.objectWithRest(
    { tracking_numbers: v.pipe(v.array(number), v.minLength(1), v.maxLength(500)), format: formatToken },
    formatOption,
  ),
  output: batchAnswerSchema,
  errors: ['unknown_format', 'not_acceptable'],
  rest: { method: 'POST', path: '/api/v1/otep/trackings/batch', bodyLimit: 1024 * 1024, formats: 'many' },
  limit: 'batch',
  misses: missesIn,
  hasViews: true,
  handle: async (context, { tracking_numbers, format, ...options }) => {
    const requested = requestedFormat(context, format, options)
    const data = await eachOf(context, tracking_numbers, async (read, tracking_number) => ({
      tracking_number,
      ...(await answerOf(context, read, requested)),
    }))
    return { result: true, format: requested.projection.name, data }
  },
  joined: async (context, { tracking_numbers, format, ...options }, representation) => {
    const requested = requestedFormat(context, format, options)
    const { projection, target } = requested
    if (projection.joined === undefined) throw new EngineError('not_acceptable', { expected: 'application/json' })
    const parts: TimelinePart[] = []
    const answers = await eachOf(context, [...new Set(tracking_numbers)], async (read) => {
      parts.push({ timeline: timelineIn(requested, read, context), target: await targetFor(context, requested, read) })
      return undefined
    })
    const refused = answers.filter((answer) => answer !== undefined)
    return {
      pieces: projection.joined(parts, target, representation),
      refused: { result: true, format: projection.name, data: refused },
    }
  },
})

/** What is made of each number, or its refusal, in their order. While many are looked up, others are served. */
async function eachOf<Made>(
  // A postal code or a link is for one number, not for many.
  { pass: _, ...context }: Context,
  numbers: readonly string[],
  make: (read: LoadedTimeline, number: string) => Promise<Made>,
): Promise<readonly (Made | object)[]> {
  const all: (Made | object)[] = []
  let left = maxBatchEvents
  let worked = 0
  for (const number of numbers) {
    const { made, events } = await oneOf(context, number, left, make)
    all.push(made)
    left -= events
    // Finding a number is about as much work as reading a few events.
    worked += events + 4
    if (worked < pageSize) continue
    worked = 0
    await context.pause()
  }
  return all
}

/** Errors that refuse one number; any other error fails the whole call. */
const refusals: readonly Code[] = ['timeline_not_found', 'ambiguous_identifier', 'batch_too_large']

/** What is made of one number, and its count of events; refused if it has more than `left`. */
async function oneOf<Made>(
  context: Context,
  tracking_number: string,
  left: number,
  make: (read: LoadedTimeline, number: string) => Promise<Made>,
): Promise<{ readonly made: Made | object; readonly events: number }> {
  try {
    const visible = await findVisible(context, tracking_number)
    if ((await revisionOf(context.store, visible.stream)) >= left) throw new EngineError('batch_too_large')
    const read = await readOf(context, visible)
    const { events, future_events: future = [], withdrawn_events: withdrawn = [] } = read.timeline
    return { made: await make(read, tracking_number), events: events.length + future.length + withdrawn.length }
  } catch (error) {
    if (!isEngineError(error) || !refusals.includes(error.code)) throw error
    const { code, params } = error
    const message = messageOf(code, params, context.messages)
    return { made: { tracking_number, result: false, code, message }, events: 0 }
  }
}

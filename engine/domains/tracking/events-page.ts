import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { inSteps, visitInSteps } from '../../kernel/steps.ts'
import type { TimelineEvent } from '../../kernel/timeline.ts'
import { eventsAnswerSchema } from './answers.ts'
import { versionOf } from './documents.ts'
import { requestedFormat } from './formats.ts'
import { findStream, readTimeline } from './read.ts'
import { maxEvents, numberSchema as number } from './schema.ts'

/** Returns only the events of a timeline, in pages if requested. */
export const otepTrackingEvents = operation({
  name: 'otep_tracking_events',
  summary: 'Only the events of a timeline, in order of occurrence.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  input: v.strictObject({
    tracking_number: number,
    limit: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(maxEvents),
        v.description('At most this many events.'),
      ),
    ),
    after: v.exactOptional(v.pipe(v.string(), v.maxLength(1000), v.description('`next` of the previous page.'))),
  }),
  output: eventsAnswerSchema,
  errors: ['timeline_not_found', 'ambiguous_identifier'],
  rest: { method: 'GET', path: '/api/v1/otep/trackings/{tracking_number}/events', cache: 'public, no-cache' },
  version: (context, { tracking_number, limit = '', after = '' }) => {
    const version = versionOf(context, tracking_number, requestedFormat(context))
    const page = `${limit}-${sha256(after).slice(0, 12)}`
    return async () => `${await version()}-${page}`
  },
  handle: async (context, { tracking_number, limit, after }) => {
    const { timeline } = await readTimeline(context, await findStream(context, tracking_number))
    const { events } = timeline
    const start = after === undefined ? 0 : (await inSteps(indexAt(events, after), context.pause)) + 1
    if (after !== undefined && start === 0) throw unknownEvent(after)
    const page = events.slice(start, limit === undefined ? undefined : start + limit)
    const more = start + page.length < events.length
    return { result: true, format: 'otep', data: page, ...(more ? { next: page.slice(-1).map(cursorOf)[0] } : {}) }
  },
})

/** Identifies an event within its timeline. Ids belong to producers, so two events may have the same one. */
function cursorOf({ event_id, source }: TimelineEvent): string {
  return Buffer.from(JSON.stringify([source?.provider ?? '', event_id])).toString('base64url')
}

/** The index of the event with a cursor; -1 if there is none. */
function* indexAt(events: readonly TimelineEvent[], cursor: string): Generator<void, number> {
  let found = -1
  yield* visitInSteps(events, (event, at) => {
    if (found === -1 && cursorOf(event) === cursor) found = at
  })
  return found
}

function unknownEvent(received: string): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [
    { path: 'after', code: 'unknown_event', params: { received: received.slice(0, 60) } },
  ])
}

import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { operation, type Text } from '../../kernel/operation.ts'
import { projectInSteps } from '../../kernel/projection.ts'
import { inSteps, visitInSteps } from '../../kernel/steps.ts'
import type { TimelineEvent } from '../../kernel/timeline.ts'
import { eventsAnswerSchema } from './answers.ts'
import { targetOf, timelineIn, versionOf } from './documents.ts'
import { type RequestedFormat, requestedFormat } from './formats.ts'
import { eventPages, type PagedRead, readInPages } from './pages.ts'
import { maxEvents, numberSchema as number } from './schema.ts'
import { findVisible, readVisible, visibility } from './visible.ts'

/** Returns only the events of a timeline, in pages if requested, or all as another format writes them. */
export const otepTrackingEvents = operation({
  name: 'otep_tracking_events',
  summary: 'Only the events of a timeline, in order of occurrence, or as another format has them.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  input: v.strictObject({
    tracking_number: number,
    format: v.exactOptional(v.pipe(v.string(), v.description('Token of the output format. Default: otep.'))),
    limit: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(maxEvents),
        v.description('At most this many events. Pages are of the format otep.'),
      ),
    ),
    after: v.exactOptional(v.pipe(v.string(), v.maxLength(1000), v.description('`next` of the previous page.'))),
  }),
  output: eventsAnswerSchema,
  errors: [...visibility, 'unknown_format', 'events_not_in_format'],
  hasViews: true,
  rest: { method: 'GET', path: '/api/v1/otep/trackings/{tracking_number}/events', cache: 'public, no-cache' },
  version: (context, { tracking_number, format, limit = '', after = '' }) => {
    const page = `-${limit}-${sha256(after).slice(0, 12)}`
    return versionOf(tracking_number, requestedFormat(context, format), page)
  },
  text: async (context, { tracking_number, format, ...page }) => {
    if (requestedFormat(context, format).projection.name !== 'otep') return undefined
    const read = await readInPages(context, await findVisible(context, tracking_number))
    return read && pagesOfEvents(context, read, page)
  },
  handle: async (context, { tracking_number, format, limit, after }) => {
    const requested = requestedFormat(context, format)
    if (requested.projection.name !== 'otep') {
      const paged = Object.entries({ limit, after }).filter(([, value]) => value !== undefined)
      if (paged.length > 0) throw notPaged(paged.map(([path]) => path))
      return eventsInFormat(context, tracking_number, requested)
    }
    const { timeline } = await readVisible(context, tracking_number)
    const { events } = timeline
    const start = after === undefined ? 0 : (await inSteps(indexAt(events, after), context.pause)) + 1
    if (after !== undefined && start === 0) throw unknownEvent(after)
    const page = events.slice(start, limit === undefined ? undefined : start + limit)
    const more = start + page.length < events.length
    return { result: true, format: 'otep', data: page, ...(more ? { next: page.slice(-1).map(cursorOf)[0] } : {}) }
  },
})

/** What is asked for of the events: at most `limit` after a cursor. */
interface Part {
  readonly limit?: number
  readonly after?: string
}

/** The same answer for a long timeline, whose events are read while they are sent. */
async function pagesOfEvents(context: Context, read: PagedRead, { limit, after }: Part): Promise<Text> {
  const start = after === undefined ? 0 : await placeAfter(context, read, after)
  await context.pause()
  return eventTexts(eventPages(context, read, start), read.summary.events - start, limit)
}

/** The place after the event with a cursor. Refuses a cursor that no event has. */
async function placeAfter(context: Context, read: PagedRead, after: string): Promise<number> {
  let at = 0
  for await (const page of eventPages(context, read)) {
    const found = page.findIndex((event) => cursorOf(event) === after)
    if (found !== -1) return at + found + 1
    at += page.length
  }
  throw unknownEvent(after)
}

/** The answer with the first events of so many. */
async function* eventTexts(
  pages: AsyncIterable<readonly TimelineEvent[]>,
  events: number,
  limit = events,
): AsyncGenerator<readonly string[]> {
  let before = '{"result":true,"format":"otep","data":['
  let last: TimelineEvent | undefined
  let left = limit
  for await (const page of pages) {
    const shown = page.slice(0, left)
    const pieces = shown.map((event, at) => (at === 0 ? before : ',') + JSON.stringify(event))
    if (shown.length > 0) before = ','
    last = shown.at(-1) ?? last
    left -= shown.length
    yield pieces
    if (left === 0) break
  }
  const next = limit < events && last !== undefined ? `,"next":${JSON.stringify(cursorOf(last))}` : ''
  yield [`${before === ',' ? '' : before}]${next}}`]
}

/** The events of a timeline as a format writes them. Refuses a format that has no list of events with `events_not_in_format`. */
async function eventsInFormat(context: Context, tracking_number: string, requested: RequestedFormat) {
  const { projection } = requested
  const { name: format } = projection
  if (projection.events === undefined) {
    const offered = context.formats.filter(({ events }) => events !== undefined).map(({ name }) => name)
    throw new EngineError('events_not_in_format', { received: format, expected: offered.join(', ') })
  }
  const read = await readVisible(context, tracking_number)
  const timeline = timelineIn(requested, read, context)
  const document = await projectInSteps(projection, timeline, targetOf(requested, read), context.pause)
  return { result: true, format, data: projection.events(document) }
}

function notPaged(paths: readonly string[]): EngineError {
  const findings = paths.map((path) => ({ path, code: 'only_of_otep' }) as const)
  return new EngineError('invalid_input', { count: findings.length }, findings)
}

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

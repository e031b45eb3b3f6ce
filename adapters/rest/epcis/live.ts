import {
  authorize,
  type Context,
  EngineError,
  type EpcisEventCaptured,
  isEngineError,
  isSeenBy,
  namedQuery,
  type RecordedEvent,
  recordedSource,
  type StreamName,
} from '../../../engine/index.ts'
import { askedOf } from '../../../projections/epcis/facets.ts'
import { identifierOfUri } from '../../../projections/epcis/parse/things.ts'
import { matches, namedQueryOf } from '../../../projections/epcis/query.ts'
import { type Formats, translatedJson } from '../../../projections/epcis/translate.ts'
import { wholeJson } from '../../../projections/epcis/whole.ts'
import { formOf } from '../../../projections/epcis/whole-json.ts'
import { baseHeaders } from '../../http/headers.ts'
import { liveResponse } from '../../http/live.ts'
import { publicHeaders } from '../respond.ts'
import { acceptsStream, type EpcisCall, formatsOf, versions } from './call.ts'

/** Refuses what a live response cannot do. */
function requireStream({ request }: EpcisCall): void {
  if (/\bwebsocket\b/i.test(request.req.header('upgrade') ?? ''))
    throw new EngineError('query_parameter_not_offered', {
      parameter: 'Upgrade: websocket',
      reason: 'there are server-sent events (Accept: text/event-stream)',
    })
  if (!acceptsStream(request.req.header('accept')))
    throw new EngineError('not_acceptable', { expected: 'text/event-stream' })
}

/**
 * Sends each result of a named query as it is recorded, as server-sent events: `results`, with an EPCISQueryDocument.
 * Starts after `Last-Event-ID`, otherwise with the next result; ends with the query, and with the key or the session.
 */
export async function streamResults(call: EpcisCall): Promise<Response> {
  requireStream(call)
  const { request, context, opened } = call
  const queryName = call.param('queryName')
  const before = await groundsOf(call, queryName)
  const after = await positionAfter(context, request.req.header('last-event-id'))
  const check = async (until: AbortController) => {
    if ((await groundsOf(call, queryName).catch(unlessGone)) !== before) until.abort()
  }
  return liveResponse(request, opened, {
    headers: { ...baseHeaders, ...publicHeaders, ...versions, 'X-Request-Id': context.requestId },
    beat: (until) => {
      check(until).catch(opened.report)
      return ': still here\n\n'
    },
    tell: async (events, until) => {
      for await (const result of resultsOf(context, queryName, { after, formats: formatsOf(request) }, until.signal)) {
        await check(until)
        if (until.signal.aborted) break
        await events.writeSSE({ event: 'results', ...result })
      }
    },
  })
}

/** The position of a result of the caller that was sent before, or else of the last event of the store. */
async function positionAfter(context: Context, id: string | undefined): Promise<string | undefined> {
  const { store } = context
  if (id === undefined) return store.latest()
  const [, name, from] = /^([\w-]{1,64})\.(\d{1,9})$/.exec(id) ?? []
  const [event] = from === undefined ? [] : await store.read(`epcis_event-${name}`, { from: Number(from), limit: 1 })
  if (event === undefined || !(await isResult(context, event as RecordedEvent<EpcisEventCaptured>)))
    throw new EngineError('query_parameter_refused', { parameter: 'Last-Event-ID', reason: 'no result has this id' })
  return event.position
}

/**
 * What a live response depends on: credentials that are still valid, and the query. It ends when one is not valid any
 * more, or changes.
 */
async function groundsOf({ request, opened }: EpcisCall, queryName: string): Promise<string> {
  const context = await opened.authenticate(request.req.header('authorization'))
  authorize(context, { scopes: [], hasViews: true, writes: false })
  return JSON.stringify(await namedQuery(context, queryName))
}

function unlessGone(error: unknown): undefined {
  if (!isEngineError(error) || error.code === 'store_unavailable') throw error
}

/** Whether the caller may see a recorded source event. */
function isResult(context: Context, fact: RecordedEvent<EpcisEventCaptured>): Promise<boolean> {
  return isSeenBy(context, fact, { identifierOf: identifierOfUri(context.baseUrl) })
}

async function* resultsOf(
  context: Context,
  queryName: string,
  { after, formats }: { readonly after: string | undefined; readonly formats: Formats },
  until: AbortSignal,
) {
  const { store, caller } = context
  const query = namedQueryOf((await namedQuery(context, queryName)).query)
  const prefix: StreamName = 'epcis_event-'
  for await (const event of store.follow(after, { category: 'epcis_event' }, until)) {
    const fact = event as RecordedEvent<EpcisEventCaptured>
    const { provider } = fact.data
    const personal = recordedSource(fact)
    if (personal === undefined || (caller.kind === 'provider' && provider !== caller.name)) continue
    const { stream, revision, recordedAt } = fact
    const { event: form, prefixes } = formOf(personal)
    if (!matches(query, askedOf(form, prefixes), Date.parse(recordedAt)) || !(await isResult(context, fact))) continue
    const document = translatedJson(
      wholeJson([personal], { as: 'query', creationDate: recordedAt, queryName }),
      formats,
    )
    yield { id: `${stream.slice(prefix.length)}.${revision}`, data: JSON.stringify(document) }
  }
}

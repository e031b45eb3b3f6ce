import { streamSSE } from 'hono/streaming'
import {
  type Context,
  EngineError,
  isEngineError,
  isoOf,
  type KeptSource,
  namedQuery,
  type StreamName,
} from '../../../engine/index.ts'
import { askedOf } from '../../../projections/epcis/facets.ts'
import { matches, namedQueryOf } from '../../../projections/epcis/query.ts'
import { wholeJson } from '../../../projections/epcis/whole.ts'
import { formOf } from '../../../projections/epcis/whole-json.ts'
import { baseHeaders } from '../../http/headers.ts'
import { publicHeaders } from '../respond.ts'
import { acceptsStream, type EpcisCall, respond, versions } from './call.ts'

/** Milliseconds between two signs of life; each time it is also seen whether the query still stands. */
const keepAlive = 15_000

/** Refuses what a live response cannot do. */
function requireStream({ request, context }: EpcisCall): void {
  if (context.caller.kind !== 'provider') throw new EngineError('forbidden', { scopes: 'otep:ingest' })
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
 * Starts after `Last-Event-ID`, otherwise with the next result; ends with the query, and with the key.
 */
export async function streamResults(call: EpcisCall): Promise<Response> {
  requireStream(call)
  const { request, context, opened } = call
  const queryName = call.param('queryName')
  const before = await groundsOf(context, queryName)
  const after = await positionAfter(context, request.req.header('last-event-id'))
  if (request.req.method === 'HEAD') return respond(call, 200, null, { 'Content-Type': 'text/event-stream' })
  const close = opened.countStream()
  const ended = new AbortController()
  const until = AbortSignal.any([ended.signal, opened.stopping])
  const check = async () => {
    if ((await groundsOf(context, queryName).catch(unlessGone)) !== before) ended.abort()
  }
  const response = streamSSE(request, async (events) => {
    events.onAbort(() => ended.abort())
    const beat = setInterval(() => {
      events.write(': still here\n\n')
      check().catch(opened.report)
    }, keepAlive)
    try {
      await events.write('retry: 2000\n\n')
      for await (const result of resultsOf(context, queryName, after, until)) {
        await check()
        if (until.aborted) break
        await events.writeSSE({ event: 'results', ...result })
      }
    } finally {
      close()
      clearInterval(beat)
    }
  })
  const headers = {
    ...baseHeaders,
    ...publicHeaders,
    ...versions,
    'Cache-Control': 'no-store',
    'X-Request-Id': context.requestId,
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** The position of a result of the caller that was sent before, or else of the last event of the store. */
async function positionAfter({ store, caller }: Context, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return store.latest()
  const [, name, from] = /^([\w-]{1,64})\.(\d{1,9})$/.exec(id) ?? []
  const [event] = from === undefined ? [] : await store.read(`epcis_event-${name}`, { from: Number(from), limit: 1 })
  if (event === undefined || (event.data as { readonly provider: string }).provider !== caller.name)
    throw new EngineError('query_parameter_refused', { parameter: 'Last-Event-ID', reason: 'no result has this id' })
  return event.position
}

/** What a live response stands on: the query, and since when its provider has keys. It ends when they change. */
async function groundsOf(context: Context, queryName: string): Promise<string> {
  const { ports, caller, clock } = context
  const since = await ports.epcis.activeSince(context, caller.name, isoOf(clock()))
  return JSON.stringify([since ?? null, await namedQuery(context, queryName)])
}

function unlessGone(error: unknown): undefined {
  if (!isEngineError(error, 'epcis_query_not_found')) throw error
}

async function* resultsOf(context: Context, queryName: string, after: string | undefined, until: AbortSignal) {
  const { store, caller } = context
  const query = namedQueryOf((await namedQuery(context, queryName)).query)
  const prefix: StreamName = 'epcis_event-'
  for await (const { data, stream, revision, recordedAt } of store.follow(after, { category: 'epcis_event' }, until)) {
    const { provider, personal } = data as CapturedData
    if (provider !== caller.name || personal === undefined) continue
    const { event, prefixes } = formOf(personal)
    if (!matches(query, askedOf(event, prefixes), Date.parse(recordedAt))) continue
    const document = wholeJson([personal], { as: 'query', creationDate: recordedAt, queryName })
    yield { id: `${stream.slice(prefix.length)}.${revision}`, data: JSON.stringify(document) }
  }
}

/** What is read of a captured event; another event has neither member. */
interface CapturedData {
  readonly provider?: string
  readonly personal?: KeptSource
}

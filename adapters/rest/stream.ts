import type { Context as Request } from 'hono'
import { streamSSE } from 'hono/streaming'
import { type Context, changesOf, endingWith, findVisible, isEngineError, revisionOf } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { beating, beginLive, endLive } from '../http/live.ts'
import { restResourceOf } from '../http/oauth.ts'
import { viewHeaders } from '../http/pass.ts'
import { type OpenRequest, recognize } from '../node/gateway.ts'
import { publicHeaders } from './respond.ts'

/** The context of a request whose credentials still hold: a live response ends with them. */
export async function recognizedNow(request: Request, call: OpenRequest): Promise<Context | undefined> {
  try {
    return await recognize(call, request, undefined, restResourceOf(call.context.baseUrl))
  } catch (error) {
    if (isEngineError(error)) return undefined
    throw error
  }
}

/**
 * Sends the changes of a timeline as server-sent events (WHATWG HTML, section 9.2): event `tracking` with the revision
 * as id, or `reset` if the reader must reload the timeline. Starts after `Last-Event-ID` (or `?last_event_id=`, for a
 * page rendered at a revision), otherwise with the next change; the id of the start comes first, so that a reader that is
 * cut off before the first change misses none. Ends when the key or token of the request has ended.
 */
export async function streamTimeline(request: Request, call: OpenRequest): Promise<Response> {
  const { context, stopping, countStream } = call
  const visible = await findVisible(context, request.req.param('tracking_number') ?? '')
  const head = await revisionOf(context.store, visible.stream)
  const seen = Math.min(seenBy(request) ?? head, head)
  if (request.req.method === 'HEAD')
    return new Response(null, { headers: { 'Content-Type': 'text/event-stream', ...headersOf(context) } })
  const close = countStream()
  const until = endingWith(stopping)
  const response = streamSSE(request, async (events) => {
    events.onAbort(() => until.abort())
    const beat = beating(() => events.write(': still here\n\n'))
    try {
      await beginLive(events, seen)
      for await (const { revision, ...news } of changesOf(context, visible, seen, until.signal)) {
        if ((await recognizedNow(request, call)) === undefined) break
        const event = news.change === 'reset' ? 'reset' : 'tracking'
        await events.writeSSE({ id: String(revision), event, data: JSON.stringify(news) })
      }
      await endLive(events, stopping)
    } finally {
      close()
      until.abort()
      clearInterval(beat)
    }
  })
  for (const [name, value] of Object.entries(headersOf(context))) response.headers.set(name, value)
  return response
}

function headersOf({ requestId }: OpenRequest['context']): Readonly<Record<string, string>> {
  return { ...baseHeaders, ...publicHeaders, 'Cache-Control': 'no-store', Vary: viewHeaders, 'X-Request-Id': requestId }
}

function seenBy(request: Request): number | undefined {
  const id = request.req.header('last-event-id') ?? request.req.query('last_event_id')
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

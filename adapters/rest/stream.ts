import type { Context as Request } from 'hono'
import { type Context, changesOf, findVisible, isEngineError, revisionOf } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { liveResponse } from '../http/live.ts'
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
 * Sends the changes of a timeline as server-sent events: event `tracking` with the revision as id, or `reset` if the reader
 * must reload the timeline. Starts after `Last-Event-ID` (or `?last_event_id=`, for a page rendered at a revision), otherwise
 * with the next change; an id that is none of this timeline is answered with `reset`. The id of the start comes first, so that
 * a reader that is cut off before the first change misses none. Ends when the key or token of the request has ended.
 */
export async function streamTimeline(request: Request, call: OpenRequest): Promise<Response> {
  const { context } = call
  const visible = await findVisible(context, request.req.param('tracking_number') ?? '')
  const head = await revisionOf(context.store, visible.stream)
  const { seen, isLost } = startAfter(request, head)
  return liveResponse(request, call, {
    headers: headersOf(context),
    start: seen,
    tell: async (events, { signal }) => {
      if (isLost) await events.writeSSE({ id: String(seen), event: 'reset', data: '{"change":"reset"}' })
      for await (const { revision, ...news } of changesOf(context, visible, seen, signal)) {
        if ((await recognizedNow(request, call)) === undefined) break
        const event = news.change === 'reset' ? 'reset' : 'tracking'
        await events.writeSSE({ id: String(revision), event, data: JSON.stringify(news) })
      }
    },
  })
}

function headersOf({ requestId }: OpenRequest['context']): Readonly<Record<string, string>> {
  return { ...baseHeaders, ...publicHeaders, Vary: viewHeaders, 'X-Request-Id': requestId }
}

/** The revision that a stream starts after, and whether the id that was given is none that this timeline has had. */
function startAfter({ req }: Request, head: number): { readonly seen: number; readonly isLost: boolean } {
  const id = req.header('last-event-id') ?? req.query('last_event_id')
  if (id === undefined) return { seen: head, isLost: false }
  const seen = /^\d{1,15}$/.test(id) ? Number(id) : Number.POSITIVE_INFINITY
  return { seen: Math.min(seen, head), isLost: seen > head }
}

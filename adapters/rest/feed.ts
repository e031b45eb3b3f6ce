import type { Context as Request } from 'hono'
import { type Context, feedOf, feedPlaceOf, feedPositionIn, requireReader } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { liveResponse } from '../http/live.ts'
import { restResourceOf } from '../http/oauth.ts'
import { type OpenRequest, recognize } from '../node/gateway.ts'
import { feedRoute } from './other-routes.ts'
import { checkQuery, namesIn } from './query.ts'
import { publicHeaders } from './respond.ts'
import { recognizedNow } from './stream.ts'

/**
 * Sends the changes of all timelines of the caller as server-sent events: event `tracking` with a
 * sealed place as id. Starts after `Last-Event-ID` (or `?last_event_id=`), otherwise with the next change. The place of the
 * start comes first, and that of the last fact while nothing is for the caller, so that a reader that is cut off misses
 * nothing and does not wait for what it has seen. Ends when the key or token of the request has ended, or gives other rights.
 */
export async function streamFeed(request: Request, call: OpenRequest): Promise<Response> {
  call.take('public_reads')
  checkQuery(request, namesIn(feedRoute))
  const context = await recognize(call, request, undefined, restResourceOf(call.context.baseUrl))
  requireReader(context)
  const given = request.req.header('last-event-id') ?? request.req.query('last_event_id')
  let seen = given === undefined ? await context.store.latest() : feedPositionIn(context, given)
  return liveResponse(request, call, {
    headers: { ...baseHeaders, ...publicHeaders, Vary: 'Authorization', 'X-Request-Id': context.requestId },
    start: feedPlaceOf(context, seen),
    beat: () => `id: ${feedPlaceOf(context, seen)}\n\n`,
    tell: async (events, { signal }) => {
      for await (const { position, change } of feedOf(context, seen, signal)) {
        if (change !== undefined && !(await hasSameRights(request, call, context))) break
        // From here on it is written, so a beat that tells this place comes behind it.
        seen = position
        if (change === undefined) continue
        await events.writeSSE({ id: feedPlaceOf(context, seen), event: 'tracking', data: JSON.stringify(change) })
      }
    },
  })
}

/** Whether a request would be answered as it was when it began: what a caller may see follows from its kind and its scopes. */
async function hasSameRights(request: Request, call: OpenRequest, { caller }: Context): Promise<boolean> {
  const now = (await recognizedNow(request, call))?.caller
  return now?.account?.role === caller.account?.role && String(now?.scopes) === String(caller.scopes)
}

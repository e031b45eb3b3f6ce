import { setImmediate } from 'node:timers/promises'
import type { Context as Request } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { endingWith } from '../../engine/index.ts'

/** Milliseconds after which a reader connects again by itself. */
const retry = 2_000

/** Milliseconds after which a live response says that it is still there. */
const keepAlive = 15_000

/** Headers of every live response; proxies would wait for more of it (X-Accel-Buffering is that of nginx). */
const headersOfAll = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }

/** What a live response needs of the request that it answers. */
interface LiveCall {
  /** Takes one of the places for live responses, until the returned function is called. */
  countStream(): () => void
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  report(error: unknown): void
}

/** What a live response tells. */
interface Live {
  readonly headers: Readonly<Record<string, string>>
  /** The id of its start, from which a reader goes on that is cut off before the first event. */
  readonly start?: number | string
  /** What is sent every 15 seconds; a comment, if absent. */
  readonly beat?: (until: AbortController) => string
  /** Sends events until there are no more, or `until` is aborted: by the reader, the end of the server, or itself. */
  tell(events: SSEStreamingApi, until: AbortController): Promise<void>
}

let entrance: Promise<unknown> = Promise.resolve()

/** Readers come all at once, as after a restart. One enters in each turn of the event loop, so that others are answered in between. */
async function entered(): Promise<void> {
  entrance = entrance.then(() => setImmediate())
  await entrance
}

/** Answers with server-sent events (WHATWG HTML, section 9.2). HEAD gets their headers alone. */
export async function liveResponse(
  request: Request,
  call: LiveCall,
  { headers, start, beat, tell }: Live,
): Promise<Response> {
  const all = { ...headers, ...headersOfAll }
  if (request.req.method === 'HEAD') return new Response(null, { headers: all })
  await entered()
  const close = call.countStream()
  const until = endingWith(call.stopping)
  const response = streamSSE(request, async (events) => {
    events.onAbort(() => until.abort())
    const beating = everySoOften(() => void events.write(beat?.(until) ?? ': still here\n\n'))
    try {
      await events.write(`retry: ${retry}\n${start === undefined ? '' : `id: ${start}\n`}\n`)
      await tell(events, until)
      // Its readers do not all connect again in the same moment.
      if (call.stopping.aborted) await events.write(`retry: ${Math.ceil((0.5 + Math.random()) * retry)}\n\n`)
    } catch (error) {
      call.report(error)
    } finally {
      close()
      until.abort()
      clearInterval(beating)
    }
  })
  for (const [name, value] of Object.entries(all)) response.headers.set(name, value)
  // Node frames the body as the version of the request allows: HTTP/1.0 has no chunks (RFC 9112, section 6.1).
  for (const name of ['Transfer-Encoding', 'Connection']) response.headers.delete(name)
  return response
}

/** That alone keeps no process alive: a server has its sockets for that, and what only answered in memory may end. */
function everySoOften(beat: () => void): NodeJS.Timeout {
  return setInterval(beat, keepAlive).unref()
}

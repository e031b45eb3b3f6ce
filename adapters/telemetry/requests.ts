import type { HttpBindings } from '@hono/node-server'
import type { Handler, Context as Request } from 'hono'
import { openRequestOf } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import type { Metrics } from './metrics.ts'
import type { TracedRequest, Tracing } from './tracing.ts'

/** The observers of each response. */
export interface Observers {
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly tracing?: Tracing | undefined
}

/** Machines request these every few seconds: no spans, and log lines only at debug level. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method, or `_OTHER` for unknown ones, as in the semantic conventions of HTTP. */
function methodOf({ req }: Request): string {
  return methods.has(req.method) ? req.method : '_OTHER'
}

/** Wraps the handler of a route to observe its responses. */
export type Observe = (path: string, handler: Handler) => Handler

/**
 * Reports each response at its end, even if it was live for hours, by its route and not by its path, which contains
 * identifiers. Requests without a socket are not reported.
 */
export function observeRequests(observers: Observers): Observe {
  return (path, handler) => {
    const route = routeOf(path)
    const tracing = probes.has(route) ? undefined : observers.tracing
    return (request, next) => {
      const { incoming, outgoing } = (request.env ?? {}) as Partial<HttpBindings>
      if (incoming === undefined || outgoing === undefined) return handler(request, next)
      const traced = begin(request, tracing)
      const { socket } = incoming
      const start = performance.now()
      const sent = socket.bytesWritten
      outgoing.on('close', () => {
        const isSent = 'headersSent' in outgoing && outgoing.headersSent
        const ms = performance.now() - start
        const bytes = socket.bytesWritten - sent
        const isWhole = outgoing.writableFinished
        const status = isSent ? outgoing.statusCode : undefined
        tell(observers, request, traced, { route, status, ms, bytes, isWhole })
      })
      return traced === undefined ? handler(request, next) : traced.run(() => handler(request, next))
    }
  }
}

function begin(request: Request, tracing: Tracing | undefined): TracedRequest | undefined {
  return tracing?.begin(methodOf(request), request.req.header('traceparent'))
}

interface Answered {
  readonly route: string
  /** Absent if the caller disconnected before there was one. */
  readonly status: number | undefined
  readonly ms: number
  /** Bytes on the wire, including the head. */
  readonly bytes: number
  readonly isWhole: boolean
}

function tell({ log, metrics }: Observers, request: Request, traced: TracedRequest | undefined, answered: Answered) {
  const { route, status, ms, bytes, isWhole } = answered
  const method = methodOf(request)
  const { requestId, caller } = openRequestOf(request)?.context ?? {}
  const isFault = status !== undefined && status >= 500
  log[probes.has(route) ? 'debug' : isFault ? 'warn' : 'info'](
    {
      request: requestId,
      method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      bytes,
      provider: caller?.kind === 'provider' ? caller.name : undefined,
      aborted: isWhole ? undefined : true,
      trace_id: traced?.traceId,
    },
    'answered',
  )
  metrics?.answered(method, route, status === undefined ? 'aborted' : `${Math.floor(status / 100)}xx`, ms / 1000)
  traced?.end(route, status)
}

/** The route pattern without its expressions. */
function routeOf(path: string): string {
  return path.replace(/\{.*\}/, '')
}

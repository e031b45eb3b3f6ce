import type { HttpBindings } from '@hono/node-server'
import type { Handler, Context as Request } from 'hono'
import type { Caller } from '../../engine/index.ts'
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
      atEnd({ incoming, outgoing }, route, (answered) => {
        const { requestId, caller } = openRequestOf(request)?.context ?? {}
        tell(observers, { method: methodOf(request), requestId, caller, traced, ...answered })
      })
      return traced === undefined ? handler(request, next) : traced.run(() => handler(request, next))
    }
  }
}

/** Reports the response to a public GET at its end, like that of a handler; for responses that no handler makes. */
export type ObserveAnswer = (exchange: HttpBindings, path: string, requestId: string) => void

/** Creates it. These responses have no spans. */
export function observeAnswers(observers: Omit<Observers, 'tracing'>): ObserveAnswer {
  return (exchange, path, requestId) =>
    atEnd(exchange, routeOf(path), (answered) => tell(observers, { method: 'GET', requestId, ...answered }))
}

/** Measures a response, and reports it at its end. */
function atEnd({ incoming, outgoing }: HttpBindings, route: string, report: (answered: Measured) => void): void {
  const { socket } = incoming
  const start = performance.now()
  const sent = socket.bytesWritten
  outgoing.on('close', () => {
    const isSent = 'headersSent' in outgoing && outgoing.headersSent
    const ms = performance.now() - start
    const bytes = socket.bytesWritten - sent
    const isWhole = outgoing.writableFinished
    const status = isSent ? outgoing.statusCode : undefined
    report({ route, status, ms, bytes, isWhole })
  })
}

function begin(request: Request, tracing: Tracing | undefined): TracedRequest | undefined {
  return tracing?.begin(methodOf(request), request.req.header('traceparent'))
}

interface Measured {
  readonly route: string
  /** Absent if the caller disconnected before there was one. */
  readonly status: number | undefined
  readonly ms: number
  /** Bytes on the wire, including the head. */
  readonly bytes: number
  readonly isWhole: boolean
}

interface Answered extends Measured {
  readonly method: string
  readonly requestId: string | undefined
  readonly caller?: Caller | undefined
  readonly traced?: TracedRequest | undefined
}

function tell({ log, metrics }: Omit<Observers, 'tracing'>, answered: Answered) {
  const { method, route, status, ms, bytes, isWhole, requestId, caller, traced } = answered
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

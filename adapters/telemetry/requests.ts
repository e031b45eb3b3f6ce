import type { HttpBindings } from '@hono/node-server'
import type { Handler, Context as Request } from 'hono'
import type { Caller } from '../../engine/index.ts'
import { openRequestOf } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import type { ObserveAnswers } from '../node/server.ts'
import type { Metrics } from './metrics.ts'
import type { TracedRequest, Tracing } from './tracing.ts'

/** The observers of each response. */
interface Observers {
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly tracing?: Tracing | undefined
  /** While the store is lost, a log line of a response with 503 is at debug level. */
  readonly isStoreLost?: () => boolean
}

/** Machines request these every few seconds: no spans, and log lines only at debug level. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method, or `_OTHER` for unknown ones, as in the semantic conventions of HTTP. */
function methodOf({ req }: Request): string {
  return methods.has(req.method) ? req.method : '_OTHER'
}

/** A request that a handler answers. */
interface ObservedRequest {
  readonly request: Request
  /** Whether the store was lost when it came. */
  readonly cameInOutage: boolean
  readonly traced: TracedRequest | undefined
}

/** Wraps the handler of a route to observe its responses. */
export type Observe = (path: string, handler: Handler) => Handler

/**
 * Reports each response at its end, even if it was live for hours, by its route and not by its path, which contains
 * identifiers. Requests without a socket are not reported.
 */
export function observeRequests(observers: Observers): Observe {
  const { isStoreLost = () => false } = observers
  return (path, handler) => {
    const route = routeOf(path)
    const tracing = probes.has(route) ? undefined : observers.tracing
    const report: Report<ObservedRequest> = ({ request, traced, cameInOutage }, status, ms, bytes, isWhole) => {
      const { requestId, caller } = openRequestOf(request)?.context ?? {}
      const method = methodOf(request)
      const isInOutage = status === 503 && (cameInOutage || isStoreLost())
      tell(observers, { method, isInOutage, route, status, ms, bytes, isWhole, requestId, caller, traced })
    }
    return (request, next) => {
      const { incoming, outgoing } = (request.env ?? {}) as Partial<HttpBindings>
      if (incoming === undefined || outgoing === undefined) return handler(request, next)
      const traced = begin(request, tracing)
      const about = { request, traced, cameInOutage: isStoreLost() }
      reportAtEnd(outgoing, { report, about, start: performance.now(), sent: incoming.socket.bytesWritten })
      return traced === undefined ? handler(request, next) : traced.run(() => handler(request, next))
    }
  }
}

/** Returns how to report the responses of a route that no handler makes. They have no spans. */
export function observeAnswers(observers: Omit<Observers, 'tracing'>): ObserveAnswers {
  return (path) => {
    const route = routeOf(path)
    const report: Report<string> = (requestId, status, ms, bytes, isWhole) => {
      // Every member is named: those that follow a spread cost V8 as much as the response.
      const [caller, traced, isInOutage] = [undefined, undefined, false]
      tell(observers, { method: 'GET', route, requestId, caller, traced, isInOutage, status, ms, bytes, isWhole })
    }
    return (outgoing, requestId, start, sent) => {
      const { socket } = outgoing
      // What the system has taken as a whole is at its end.
      if (socket?.writableLength === 0 && !socket.destroyed)
        report(requestId, outgoing.statusCode, performance.now() - start, socket.bytesWritten - sent, true)
      else reportAtEnd(outgoing, { report, about: requestId, start, sent })
    }
  }
}

/**
 * Reports the end of a response about which something is known: its status, absent if the caller disconnected before there
 * was one, the milliseconds, the bytes on the wire with the head, and whether it is whole.
 */
type Report<About> = (about: About, status: number | undefined, ms: number, bytes: number, isWhole: boolean) => void

/** What is noted at a response until its end. */
interface Noted {
  readonly report: Report<never>
  readonly about: unknown
  readonly start: number
  /** The bytes that were on the wire before it. */
  readonly sent: number
}

const noted: unique symbol = Symbol('noted')

type Outgoing = HttpBindings['outgoing'] & { [noted]?: Noted }

/**
 * Reports a response at its end. A closure for each response would do the same, but V8 on Node 24 may allocate it as an
 * old object, and it then keeps all of the request through the quick garbage collections: that took a fifth of the CPU
 * time of a 304.
 */
function reportAtEnd(outgoing: Outgoing, about: Noted): void {
  outgoing[noted] = about
  outgoing.on('close', tellEnd)
}

function tellEnd(this: Outgoing): void {
  const { report, about, start, sent } = this[noted] as Noted
  const isSent = 'headersSent' in this && this.headersSent
  const status = isSent ? this.statusCode : undefined
  const bytes = this.req.socket.bytesWritten - sent
  report(about as never, status, performance.now() - start, bytes, this.writableFinished)
}

function begin(request: Request, tracing: Tracing | undefined): TracedRequest | undefined {
  return tracing?.begin(methodOf(request), request.req.header('traceparent'))
}

interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number | undefined
  readonly ms: number
  readonly bytes: number
  readonly isWhole: boolean
  readonly requestId: string | undefined
  readonly caller: Caller | undefined
  readonly traced: TracedRequest | undefined
  readonly isInOutage: boolean
}

/** Classes of status, as metrics count them. */
const classes = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx']

function tell({ log, metrics }: Omit<Observers, 'tracing'>, answered: Answered) {
  const { method, route, status, ms, bytes, isWhole, requestId, caller, traced, isInOutage } = answered
  const isFault = status !== undefined && status >= 500
  log[probes.has(route) || isInOutage ? 'debug' : isFault ? 'warn' : 'info'](
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
  metrics?.answered(method, route, classes[Math.floor((status ?? 0) / 100)] ?? '', ms / 1000)
  traced?.end(route, status)
}

/** The route pattern without its expressions. */
function routeOf(path: string): string {
  return path.replace(/\{.*\}/, '')
}

import type { MiddlewareHandler } from 'hono'
import { postalCodeHeader } from './pass.ts'

/** Lets the pages of any origin read an answer. */
export const anyOrigin: Readonly<Record<string, string>> = { 'Access-Control-Allow-Origin': '*' }

/** The headers of the answer to a preflight request: the methods of the path, and the headers that any page may send. */
export function preflightFor(methods: string): Readonly<Record<string, string>> {
  return {
    Allow: methods,
    ...anyOrigin,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': `Accept, Content-Type, If-None-Match, Last-Event-ID, ${postalCodeHeader}, X-Request-Id`,
    'Access-Control-Max-Age': '86400',
  }
}

/** Request headers that only the pages of a listed origin may send. */
const privateHeaders = 'Authorization, Idempotency-Key'

/** Response headers that the pages of any origin may read. */
export const exposedHeaders = 'ETag, Otep-Refused, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/**
 * Lets the pages of the listed origins call every operation, with a token that the page itself sends (Fetch standard,
 * section 3.3). Cookies stay forbidden. Pages of other origins can only read what is public.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  return async (request, next) => {
    await next()
    const { headers } = request.res
    const vary = headers.get('vary')
    if (!vary?.includes('Origin')) headers.append('Vary', 'Origin')
    const origin = request.req.header('origin')
    if (origin === undefined || !origins.includes(origin)) return
    headers.set('Access-Control-Allow-Origin', origin)
    headers.set('Access-Control-Expose-Headers', `${exposedHeaders}, Idempotency-Replayed`)
    const allowed = headers.get('access-control-allow-headers')
    if (request.req.method === 'OPTIONS' && allowed !== null && !allowed.includes(privateHeaders))
      headers.set('Access-Control-Allow-Headers', `${allowed}, ${privateHeaders}`)
  }
}

import type { EngineError } from '../../engine/index.ts'

/** A server that cannot answer at present is asked again in a second. */
export function retryLater(status: number): Readonly<Record<string, string>> {
  return status === 503 ? { 'Retry-After': '1' } : {}
}

/**
 * The headers of a refusal that say when to try again (RFC 9110, section 10.2.3), and which limit was met
 * (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4).
 */
export function retryHeaders(status: number, { params }: EngineError): Readonly<Record<string, string>> {
  const { seconds, limit, quota, window } = params
  if (status !== 429 || seconds === undefined) return retryLater(status)
  return {
    'Retry-After': String(seconds),
    ...(quota === undefined
      ? {}
      : { RateLimit: `"${limit}";r=0;t=${seconds}`, 'RateLimit-Policy': `"${limit}";q=${quota};w=${window}` }),
  }
}

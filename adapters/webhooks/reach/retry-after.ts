/** `Retry-After` in seconds, or as a date in the preferred format (RFC 9110, 10.2.3 and 5.6.7). */
const seconds = /^\d{1,12}$/
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Milliseconds from `now` (epoch) that a 429 or 503 response asks to wait; `undefined` if the header is absent, invalid
 * or repeated.
 */
export function retryAfterOf(
  status: number | undefined,
  value: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  if ((status !== 429 && status !== 503) || typeof value !== 'string') return undefined
  const text = value.trim()
  const wait = seconds.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : 0
  return wait > 0 ? wait : undefined
}

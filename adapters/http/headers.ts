/** Whether an `If-None-Match` header contains this entity tag, by weak comparison (RFC 9110, section 13.1.2). */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag
  })
}

/** Headers of every response. */
export const baseHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** The challenge of every 401 (RFC 6750, section 3). */
export const challenge: Readonly<Record<string, string>> = { 'WWW-Authenticate': 'Bearer realm="otep"' }

import { createHash, timingSafeEqual } from 'node:crypto'

/** The target of a request, as its browser sees it. */
interface Address {
  readonly host: string | undefined
  readonly isSecure: boolean
}

/** Whether a page of this server sent a form, according to the browser's headers. */
export function isOwn(headers: Headers, { host, isSecure }: Address): boolean {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  return from.host === host?.toLowerCase() && (from.protocol === 'https:' || !isSecure)
}

/** Whether two texts are equal, in constant time. */
export function isSame(one: string, two: string): boolean {
  return timingSafeEqual(digest(one), digest(two))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

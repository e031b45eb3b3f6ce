import { createHash, timingSafeEqual } from 'node:crypto'

/** The target of a request, as its browser sees it. */
export interface Address {
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

/** Whether the body of a request is declared as a form. */
export function isForm(headers: Headers): boolean {
  const [type] = (headers.get('content-type') ?? '').split(';')
  return type?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
}

/** The fields of a form; undefined if it has more than so many bytes. */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams | undefined> {
  const text = await boundedText(request, limit)
  return text === undefined ? undefined : new URLSearchParams(text)
}

async function boundedText({ body }: Request, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return new Blob(chunks).text()
}

/** Whether two texts are equal, in constant time. */
export function isSame(one: string, two: string): boolean {
  return timingSafeEqual(digest(one), digest(two))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

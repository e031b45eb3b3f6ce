import { createHash, timingSafeEqual } from 'node:crypto'

/** Where a request goes to, as its browser sees it. */
export interface Address {
  readonly host: string | undefined
  readonly isSecure: boolean
}

/** Whether a form was sent by a page of this server, by what browsers tell of where it came from. */
export function isOwn(headers: Headers, { host, isSecure }: Address): boolean {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  return from.host === host?.toLowerCase() && (from.protocol === 'https:' || !isSecure)
}

/** Whether the body of a request says that it is a form. */
export function isForm(headers: Headers): boolean {
  const [type] = (headers.get('content-type') ?? '').split(';')
  return type?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
}

/** The fields of a form; nothing where it is larger than so many bytes. */
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

/** Whether two texts are the same, in a time that does not tell how far they are. */
export function isSame(one: string, two: string): boolean {
  return timingSafeEqual(digest(one), digest(two))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

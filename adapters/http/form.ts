import { decodedAtOnce } from './text.ts'

/** Whether the body of a request is declared as a form. */
export function isForm(headers: Headers): boolean {
  return typeOf(headers) === 'application/x-www-form-urlencoded'
}

/** Whether the body of a request is declared as a form with files. */
export function isFileForm(headers: Headers): boolean {
  return typeOf(headers) === 'multipart/form-data'
}

function typeOf(headers: Headers): string | undefined {
  const [type] = (headers.get('content-type') ?? '').split(';')
  return type?.trim().toLowerCase()
}

/** The fields of a form, those with files as their text; undefined if it has more than so many bytes, or is not whole. */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams | undefined> {
  const body = await boundedBody(request, limit)
  if (body === undefined) return undefined
  return isFileForm(request.headers) ? fieldsIn(body, request.headers) : new URLSearchParams(await body.text())
}

async function fieldsIn(body: Blob, headers: Headers): Promise<URLSearchParams | undefined> {
  const type = { 'Content-Type': headers.get('content-type') ?? '' }
  const form = await new Response(body, { headers: type }).formData().catch(() => undefined)
  if (form === undefined) return undefined
  const fields = new URLSearchParams()
  for (const [name, value] of form) fields.append(name, typeof value === 'string' ? value : await textOf(value))
  return fields
}

/** The text of a file: UTF-16 with its byte order mark, or else UTF-8, where U+FFFD is in the place of what is none. */
async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    return decodedAtOnce(bytes, { mayBeUtf16: true })
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

async function boundedBody({ body }: Request, limit: number): Promise<Blob | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return new Blob(chunks)
}

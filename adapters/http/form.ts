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

import { EngineError } from '../../../engine/index.ts'
import { decodedAtOnce } from '../../http/text.ts'

/** What a visitor has sent: the text of the document, and the token of its format. */
export interface Submitted {
  readonly text: string
  readonly format: string | undefined
}

const forms = ['multipart/form-data', 'application/x-www-form-urlencoded']

/**
 * Reads a form with a document, in a field or as a file; a file takes precedence. Throws `unsupported_media_type`,
 * `payload_too_large`, `body_interrupted` and `invalid_utf8`.
 */
export async function readSubmitted(request: Request, limit: number): Promise<Submitted> {
  const type = request.headers.get('content-type') ?? ''
  const received = (type.split(';')[0] ?? '').trim().toLowerCase()
  if (!forms.includes(received))
    throw new EngineError('unsupported_media_type', { received: received.slice(0, 60), expected: forms.join(', ') })
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new EngineError('payload_too_large', { limit })
  const body = await boundedBody(request, limit)
  const form = await new Response(body, { headers: { 'Content-Type': type } }).formData().catch(() => {
    throw new EngineError('body_interrupted')
  })
  const [file, text, format] = [form.get('file'), form.get('document'), form.get('format')]
  const isFile = typeof file === 'object' && file !== null && file.size > 0
  return {
    // Browsers send all line breaks of a field as CR LF.
    text: isFile
      ? decodedAtOnce(new Uint8Array(await file.arrayBuffer()), { mayBeUtf16: true })
      : textIn(text).replaceAll('\r\n', '\n'),
    format: textIn(format) || undefined,
  }
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

async function boundedBody({ body }: Request, limit: number): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new EngineError('payload_too_large', { limit })
    chunks.push(chunk)
  }
  return new Blob(chunks)
}

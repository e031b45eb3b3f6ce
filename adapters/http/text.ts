import { EngineError } from '../../engine/index.ts'

/** Decodes chunks of UTF-8 without a byte order mark. Throws `invalid_utf8`. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) yield decodedBy(decoder, chunk)
  yield decodedBy(decoder, undefined)
}

/** Decodes complete UTF-8. Throws `invalid_utf8`. */
export function decodedAtOnce(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new EngineError('invalid_utf8')
  }
}

function decodedBy(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw new EngineError('invalid_utf8')
  }
}

/**
 * The lines of a text that arrives in pieces, each as soon as it is complete; text after the last line break is a line,
 * too.
 */
export async function* linesIn(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = []
  for await (const text of texts) {
    const [head = '', ...lines] = text.split('\n')
    parts.push(head)
    for (const line of lines) {
      yield parts.join('')
      parts = [line]
    }
  }
  yield parts.join('')
}

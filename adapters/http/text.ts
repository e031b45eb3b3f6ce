import { EngineError } from '../../engine/index.ts'

/**
 * Decodes chunks of UTF-8, without its byte order mark. XML and the text of spreadsheets may also be UTF-16, with its byte order
 * mark, which stays in the text (XML 1.0, section 4.3.3). Throws `invalid_utf8`.
 */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, { mayBeUtf16 = false } = {}): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  let start = new Uint8Array()
  for await (const chunk of chunks) {
    if (decoder !== undefined) {
      yield decodedBy(decoder, chunk)
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.byteLength < 2) continue
    decoder = decoderOf(start, mayBeUtf16)
    yield decodedBy(decoder, start)
  }
  yield decoder === undefined ? decodedAtOnce(start, { mayBeUtf16 }) : decodedBy(decoder, undefined)
}

/** Decodes a complete text, as `decoded` does. */
export function decodedAtOnce(bytes: Uint8Array, { mayBeUtf16 = false } = {}): string {
  try {
    return decoderOf(bytes, mayBeUtf16).decode(bytes)
  } catch {
    throw new EngineError('invalid_utf8')
  }
}

type Decoder = InstanceType<typeof TextDecoder>

function decoderOf([first, second]: Uint8Array, mayBeUtf16: boolean): Decoder {
  if (mayBeUtf16 && first === 0xff && second === 0xfe)
    return new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true })
  if (mayBeUtf16 && first === 0xfe && second === 0xff)
    return new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true })
  return new TextDecoder('utf-8', { fatal: true })
}

function decodedBy(decoder: Decoder, chunk: Uint8Array | undefined): string {
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
  for await (const lines of linesOfPieces(texts)) yield* lines
}

/** The same lines, those together that a piece completes: to wait for each takes longer than to read most of them. */
export async function* linesOfPieces(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let begun: string[] = []
  for await (const text of texts) {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    if (lines.length === 0) begun.push(last)
    else {
      lines[0] = begun.join('') + lines[0]
      begun = [last]
      yield lines
    }
  }
  yield [begun.join('')]
}

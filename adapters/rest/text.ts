import { ReadableStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'

/** The body of an answer: bytes, or those that are made as fast as the caller takes them. */
export type Body = Uint8Array | ReadableStream<Uint8Array>

/** A text of up to so many characters is one body; a longer one goes out as it is made. */
const maxWhole = 1024 * 1024

/** So many characters of a long text go out at a time. */
const chunkLength = 32 * 1024

/** The body of a text that comes in pieces. */
export function bodyOf(pieces: Iterable<string>): Body {
  const rest = pieces[Symbol.iterator]()
  const first = taken(rest, maxWhole)
  return first.isLast ? Buffer.from(first.text) : ReadableStream.from(chunksOf(first.text, rest))
}

/** The next pieces, until they have so many characters. */
function taken(pieces: Iterator<string>, length: number): { readonly text: string; readonly isLast: boolean } {
  let text = ''
  while (text.length < length) {
    const { done, value } = pieces.next()
    if (done === true) return { text, isLast: true }
    text += value
  }
  return { text, isLast: false }
}

/** A turn of the event loop for each chunk, so that others are served meanwhile. */
async function* chunksOf(first: string, rest: Iterator<string>): AsyncGenerator<Uint8Array> {
  try {
    yield Buffer.from(first)
    for (let isLast = false; !isLast; ) {
      await setImmediate()
      const next = taken(rest, chunkLength)
      isLast = next.isLast
      yield Buffer.from(next.text)
    }
  } finally {
    rest.return?.()
  }
}

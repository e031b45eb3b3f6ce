import { ReadableStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import { bytesOf } from '../../engine/index.ts'

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
  return first.isLast ? bytesOf(first.pieces) : ReadableStream.from(chunksOf(first.pieces, rest))
}

interface Taken {
  readonly pieces: readonly string[]
  readonly isLast: boolean
}

/** The next pieces, until they have so many characters. */
function taken(rest: Iterator<string>, length: number): Taken {
  const pieces: string[] = []
  let left = length
  while (left > 0) {
    const { done, value } = rest.next()
    if (done === true) return { pieces, isLast: true }
    pieces.push(value)
    left -= value.length
  }
  return { pieces, isLast: false }
}

/** A turn of the event loop for each chunk, so that others are served meanwhile. */
async function* chunksOf(first: readonly string[], rest: Iterator<string>): AsyncGenerator<Uint8Array> {
  try {
    yield bytesOf(first)
    for (let isLast = false; !isLast; ) {
      await setImmediate()
      const next = taken(rest, chunkLength)
      isLast = next.isLast
      yield bytesOf(next.pieces)
    }
  } finally {
    rest.return?.()
  }
}

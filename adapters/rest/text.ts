import { ReadableStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import { bytesOf } from '../http/bytes.ts'

/** A response body: bytes, or a stream that is produced as fast as the caller reads. */
export type Body = Uint8Array | ReadableStream<Uint8Array>

/** A longer text is sent as a stream. */
const maxWhole = 1024 * 1024

/** Characters per chunk of a stream. */
const chunkLength = 32 * 1024

/** The body of a text in pieces. */
export function bodyOf(pieces: Iterable<string>): Body {
  const rest = pieces[Symbol.iterator]()
  const first = takePieces(rest, maxWhole)
  return first.isLast ? bytesOf(first.pieces) : ReadableStream.from(chunksOf(first.pieces, rest))
}

interface Pieces {
  readonly pieces: readonly string[]
  readonly isLast: boolean
}

/** Takes pieces until they have `length` characters. */
function takePieces(rest: Iterator<string>, length: number): Pieces {
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

/** Each chunk takes a turn of the event loop, so that other requests are served in between. */
async function* chunksOf(first: readonly string[], rest: Iterator<string>): AsyncGenerator<Uint8Array> {
  try {
    yield bytesOf(first)
    for (let isLast = false; !isLast; ) {
      await setImmediate()
      const next = takePieces(rest, chunkLength)
      isLast = next.isLast
      yield bytesOf(next.pieces)
    }
  } finally {
    rest.return?.()
  }
}

import { ReadableStream, type UnderlyingSource } from 'node:stream/web'
import type { Pause, Text } from '../../engine/index.ts'
import { bytesOf } from '../http/bytes.ts'

/** A response body: bytes, or a stream that is produced as fast as the caller reads. */
export type Body = Uint8Array | ReadableStream<Uint8Array>

/** A longer text is sent as a stream. */
const maxWhole = 1024 * 1024

/** Pieces and characters that are made in one turn of the event loop. */
const perTurn = { pieces: 128, characters: 32 * 1024 }

/** A reader may fall behind a rate in bytes per millisecond for so many milliseconds, and is then given up. */
interface Patience {
  readonly milliseconds: number
  readonly rate: number
}

const defaultPatience: Patience = { milliseconds: 60_000, rate: 8 }

/**
 * The body of a text in pieces. While a long one is made, others are served. A text in pages is a stream from its
 * beginning. `ended` is called when no more is made.
 */
export async function bodyOf(
  pieces: Text,
  pause: Pause,
  ended: () => void = () => {},
  patience = defaultPatience,
): Promise<Body> {
  if (Symbol.asyncIterator in pieces) {
    const pages = encoded(pieces)
    return streamOf(pages, () => void pages.return(undefined).finally(ended), patience)
  }
  const rest = pieces[Symbol.iterator]()
  const first: string[] = []
  for (let left = maxWhole; left > 0; ) {
    const { taken, isLast } = takePieces(rest)
    first.push(...taken)
    if (isLast) {
      ended()
      return bytesOf(first)
    }
    left -= taken.reduce((sum, piece) => sum + piece.length, 0)
    await pause()
  }
  const end = () => {
    rest.return?.()
    ended()
  }
  return streamOf(chunksOf(first, rest, pause), end, patience)
}

/** A stream of chunks. `ended` is called once: after the last chunk, on an error, or when its reader is given up. */
function streamOf(
  chunks: AsyncIterator<Uint8Array>,
  ended: () => void,
  { milliseconds, rate }: Patience,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let left = milliseconds
  let waitingSince = performance.now()
  const end = () => {
    clearTimeout(timer)
    if (isOver) return
    isOver = true
    ended()
  }
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      clearTimeout(timer)
      left -= performance.now() - waitingSince
      try {
        const { done, value } = await chunks.next()
        if (done === true) {
          end()
          return controller.close()
        }
        controller.enqueue(value)
        left = Math.min(milliseconds, left + value.length / rate)
        waitingSince = performance.now()
        timer = setTimeout(() => {
          end()
          controller.error(new Error('The reader is too slow.'))
        }, left).unref()
      } catch (error) {
        end()
        throw error
      }
    },
    cancel: end,
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Takes the pieces of one turn. */
function takePieces(rest: Iterator<string>): { readonly taken: readonly string[]; readonly isLast: boolean } {
  const taken: string[] = []
  let left = perTurn.characters
  while (left > 0 && taken.length < perTurn.pieces) {
    const { done, value } = rest.next()
    if (done === true) return { taken, isLast: true }
    taken.push(value)
    left -= value.length
  }
  return { taken, isLast: false }
}

async function* encoded(pages: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array, undefined> {
  for await (const pieces of pages) {
    const bytes = bytesOf(pieces)
    if (bytes.length > 0) yield bytes
  }
}

/** Chunks of bytes, each made in its own turn. There are no empty ones. */
async function* chunksOf(
  first: readonly string[],
  rest: Iterator<string>,
  pause: Pause,
): AsyncGenerator<Uint8Array, undefined> {
  yield bytesOf(first)
  for (let isLast = false; !isLast; ) {
    await pause()
    const next = takePieces(rest)
    isLast = next.isLast
    const bytes = bytesOf(next.taken)
    if (bytes.length > 0) yield bytes
  }
}

import { createGunzip } from 'node:zlib'
import { EngineError, isEngineError } from '../../engine/index.ts'

/** Returns the milliseconds that the next bytes may take. */
type TimeLeft = () => number

/** The bytes of the body after decompression. */
export async function* decompressed({ body, headers }: Request, patience: TimeLeft): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const encoding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') {
    yield* received(body, patience)
    return
  }
  if (encoding !== 'gzip') {
    throw new EngineError('unsupported_encoding', { received: encoding.slice(0, 40), expected: 'gzip, identity' })
  }
  const gunzip = createGunzip()
  feed(received(body, patience), gunzip)
  try {
    yield* gunzip
  } catch (error) {
    throw isEngineError(error) ? error : new EngineError('broken_encoding', { received: encoding })
  } finally {
    gunzip.destroy()
  }
}

/** The received bytes. A caller that disconnects or falls silent before the end has sent nothing. */
async function* received(body: ReadableStream<Uint8Array>, patience: TimeLeft): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(patience(), reader.read())
      if (done) return
      yield value
    }
  } catch {
    throw new EngineError('body_interrupted')
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** The value, or a rejection if it takes longer than so many milliseconds. */
export function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too late')), milliseconds)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Feeds compressed bytes as fast as they are decompressed; an error of the source destroys the target. */
async function feed(source: AsyncIterable<Uint8Array>, target: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of source) {
      if (target.destroyed) return
      if (!target.write(chunk)) await drained(target)
    }
    target.end()
  } catch (error) {
    target.destroy(error instanceof Error ? error : undefined)
  }
}

function drained(target: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      target.off('drain', done).off('close', done)
      resolve()
    }
    target.on('drain', done).on('close', done)
  })
}

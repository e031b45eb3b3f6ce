import { createGunzip } from 'node:zlib'
import { type CutBody, type CutRule, EngineError, maxEvents } from '../../engine/index.ts'
import { parsedOrError, parseJson } from '../json.ts'
import { decoded, linesIn } from '../text.ts'
import { cutJson, inPieces } from './cut.ts'

/** The media type of one JSON value a line. */
export const ndjson = 'application/x-ndjson'

const jsonType = 'application/json'

const mebibyte = 1024 * 1024

/**
 * Bytes of large bodies that are being read at this moment, over all requests of the process: what the public sends, and
 * what callers with credentials send, so that the one cannot keep the other waiting.
 */
const inFlight = { open: { bytes: 0, limit: 64 * mebibyte }, known: { bytes: 0, limit: 128 * mebibyte } }

/** Bodies of at most so many bytes are not counted among the large. */
const smallLimit = mebibyte

/** What a body may be. */
export interface BodyRules {
  /** In bytes, after gzip. */
  readonly limit: number
  /** Whether it may come as NDJSON. */
  readonly lines: boolean
  /** Other media types that it may have; what is not JSON is read as a text. */
  readonly types?: readonly string[]
  /** Where JSON is to be handed over in parts. */
  readonly cut?: CutRule
  /** Whether it may come from the public. */
  readonly open: boolean
}

/**
 * Reads a body as its content type says: JSON as a value, and with `lines` NDJSON as `{lines: [...]}`, line by line, a
 * line that is not JSON standing as its error, other types as their text. At most `limit` bytes, counted after gzip. Throws `body_interrupted`, `payload_too_large`,
 * `unsupported_media_type`, `unsupported_encoding`, `broken_encoding`, `invalid_utf8`, `malformed_json`, `too_many_events`, `too_busy`.
 */
export async function readBody(request: Request, rules: BodyRules): Promise<unknown> {
  const { lines, open, types = [jsonType], cut } = rules
  const type = mediaTypeOf(request, lines ? [...types, ndjson] : types)
  const limit = cut !== undefined && isJson(type) ? cut.bodyLimit : rules.limit
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > limit) throw new EngineError('payload_too_large', { limit })
  if (cut !== undefined && isJson(type)) return cutBody(request, cut)
  const budget = inFlight[open ? 'open' : 'known']
  const counted = { bytes: 0 }
  try {
    const chunks = limit > smallLimit ? counting(plain(request), counted, budget) : plain(request)
    const texts = decoded(bounded(chunks, limit))
    if (type === ndjson) return { lines: await parsedLines(texts) }
    const text = await joined(texts)
    return isJson(type) ? parseJson(text) : text
  } finally {
    budget.bytes -= counted.bytes
  }
}

function isJson(type: string): boolean {
  return type === jsonType || type.endsWith('+json')
}

/** What a body in parts takes of the memory for large bodies, however long it is. */
const cutBytes = 16 * mebibyte

function cutBody(request: Request, { lists, bodyLimit }: CutRule): CutBody {
  const { parts } = cutJson(decoded(inPieces(bounded(plain(request), bodyLimit))), lists)
  return { parts: reserving(parts) }
}

/** Takes its share of the memory while parts are read; refuses to where there is none left. */
async function* reserving<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const budget = inFlight.known
  if (budget.bytes + cutBytes > budget.limit) throw new EngineError('too_busy')
  budget.bytes += cutBytes
  try {
    yield* parts
  } finally {
    budget.bytes -= cutBytes
  }
}

function mediaTypeOf(request: Request, accepted: readonly string[]): string {
  const received = (request.headers.get('content-type') ?? jsonType).split(';')[0]?.trim().toLowerCase() ?? ''
  if (accepted.includes(received)) return received
  throw new EngineError('unsupported_media_type', { received: received.slice(0, 60), expected: accepted.join(', ') })
}

/** The bytes of the body with their content encoding taken off. */
async function* plain(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body === null) return
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') {
    yield* received(request.body)
    return
  }
  if (encoding !== 'gzip') {
    throw new EngineError('unsupported_encoding', { received: encoding.slice(0, 40), expected: 'gzip, identity' })
  }
  const gunzip = createGunzip()
  const fed = feed(request.body, gunzip)
  try {
    yield* gunzip
  } catch {
    throw new EngineError('broken_encoding', { received: encoding })
  } finally {
    gunzip.destroy()
    await fed
  }
}

/** The bytes as they come; a caller who hangs up before the end has sent nothing. */
async function* received(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw new EngineError('body_interrupted')
  }
}

/** Writes the compressed bytes as fast as they are taken off; a broken source breaks the target. */
async function feed(source: ReadableStream<Uint8Array>, target: ReturnType<typeof createGunzip>): Promise<void> {
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
    target.once('drain', resolve)
    target.once('close', resolve)
  })
}

async function* bounded(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new EngineError('payload_too_large', { limit })
    yield chunk
  }
}

/** Counts the bytes for this body and for all of its kind; refuses to go on where those are too many together. */
async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  counted: { bytes: number },
  budget: { bytes: number; readonly limit: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counted.bytes += chunk.byteLength
    budget.bytes += chunk.byteLength
    if (budget.bytes > budget.limit) throw new EngineError('too_busy')
    yield chunk
  }
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = []
  for await (const text of texts) parts.push(text)
  return parts.join('')
}

/** Each line is parsed as soon as its end has come, so that the text is never held as a whole. */
async function parsedLines(texts: AsyncIterable<string>): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for await (const line of linesIn(texts)) {
    if (line.trim() === '') continue
    if (values.length >= maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    values.push(parsedOrError(line))
  }
  return values
}

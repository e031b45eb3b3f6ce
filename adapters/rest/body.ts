import { createGunzip } from 'node:zlib'
import { type CutBody, type CutRule, EngineError, isEngineError, maxEvents } from '../../engine/index.ts'
import { parsedOrError, parseJson } from '../http/json.ts'
import { decoded, decodedAtOnce, linesIn } from '../http/text.ts'
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

type Budget = typeof inFlight.open

/** What one body has of it; nothing more once it is released. */
interface Counted {
  bytes: number
  isReleased: boolean
}

function release(counted: Counted, budget: Budget): void {
  budget.bytes -= counted.bytes
  counted.bytes = 0
  counted.isReleased = true
}

/** Bodies in parts that are being taken at this moment, by their callers. */
const streams: string[] = []

const maxStreams = 8

const maxStreamsOfOne = 2

/** How long a body may take to arrive, and how long one in parts may be silent while it is waited for, in milliseconds. */
const patience = { whole: 120_000, silent: 30_000 }

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
  /** Whether there may be none; it is then an object without members. */
  readonly optional?: boolean
  /** How deep lists and objects may lie in each other; any depth where absent. */
  readonly levels?: number
  /** Where JSON is to be handed over in parts. */
  readonly cut?: CutRule
  /** Whether it may come from the public. */
  readonly open: boolean
  /** Who sends it. */
  readonly caller: string
}

/**
 * Reads a body as its content type says: JSON as a value, and with `lines` NDJSON as `{lines: [...]}`, line by line, a
 * line that is not JSON standing as its error, other types as their text. At most `limit` bytes, counted after gzip. Throws `body_interrupted`, `payload_too_large`,
 * `unsupported_media_type`, `unsupported_encoding`, `broken_encoding`, `invalid_utf8`, `malformed_json`, `too_many_events`, `too_busy`,
 * and `invalid_input` where it is too deep.
 */
export async function readBody(request: Request, rules: BodyRules): Promise<unknown> {
  const { lines, open, caller, types = [jsonType], cut, optional = false, levels } = rules
  if (optional && isAbsent(request)) return {}
  const type = mediaTypeOf(request, lines ? [...types, ndjson] : types)
  const limit = cut !== undefined && isJson(type) ? cut.bodyLimit : rules.limit
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > limit) throw new EngineError('payload_too_large', { limit })
  if (cut !== undefined && isJson(type)) return cutBody(request, cut, caller)
  if (isSmall(request, length)) return smallBody(request, type, { limit, levels })
  const budget = inFlight[open ? 'open' : 'known']
  const counted = { bytes: 0, isReleased: false }
  const deadline = performance.now() + patience.whole
  try {
    const bytes = plain(request, () => deadline - performance.now())
    const chunks = limit > smallLimit ? counting(bytes, counted, budget) : bytes
    const texts = decoded(bounded(chunks, limit))
    if (type === ndjson) return { lines: await parsedAsTheyCome(texts) }
    const text = await joined(texts)
    if (optional && text === '') return {}
    return isJson(type) ? parseJson(text, levels) : text
  } finally {
    release(counted, budget)
  }
}

/** Whether it is known before anything is read that there is no body, and so none whose type matters. */
function isAbsent({ headers, body }: Request): boolean {
  return body === null || headers.get('content-length') === '0'
}

/** Whether it is known before anything is read that a body is small, and its bytes are the text itself. */
function isSmall({ headers }: Request, length: number): boolean {
  return length > 0 && length <= smallLimit && (headers.get('content-encoding') ?? 'identity') === 'identity'
}

/** A small body at once: to take it as a stream would cost more than all else that is done for one event. */
async function smallBody(
  request: Request,
  type: string,
  { limit, levels }: { readonly limit: number; readonly levels: number | undefined },
): Promise<unknown> {
  const bytes = await within(patience.whole, request.arrayBuffer()).catch(() => {
    throw new EngineError('body_interrupted')
  })
  if (bytes.byteLength > limit) throw new EngineError('payload_too_large', { limit })
  const text = decodedAtOnce(bytes)
  if (type === ndjson) return { lines: parsedLines(text.split('\n')) }
  return isJson(type) ? parseJson(text, levels) : text
}

function isJson(type: string): boolean {
  return type === jsonType || type.endsWith('+json')
}

/**
 * A body in parts counts like any other until its first part has come, and then as one of the few that may be taken at
 * a time: of a part no more is held than it may have.
 */
function cutBody(request: Request, { lists, bodyLimit }: CutRule, caller: string): CutBody {
  const counted = { bytes: 0, isReleased: false }
  const bytes = bounded(
    plain(request, () => patience.silent),
    bodyLimit,
  )
  const { parts } = cutJson(decoded(inPieces(counting(bytes, counted, inFlight.known))), lists)
  return { parts: admitted(parts, counted, request.signal, caller) }
}

async function* admitted<Part>(
  parts: AsyncIterable<Part>,
  counted: Counted,
  signal: AbortSignal,
  caller: string,
): AsyncGenerator<Part> {
  let isAdmitted = false
  try {
    for await (const part of parts) {
      // Nobody is there to be answered any more.
      if (signal.aborted) throw new EngineError('body_interrupted')
      if (!isAdmitted) {
        admit(caller)
        isAdmitted = true
        release(counted, inFlight.known)
      }
      yield part
    }
  } finally {
    release(counted, inFlight.known)
    if (isAdmitted) streams.splice(streams.indexOf(caller), 1)
  }
}

function admit(caller: string): void {
  const own = streams.filter((other) => other === caller).length
  if (streams.length >= maxStreams || own >= maxStreamsOfOne) throw new EngineError('too_busy')
  streams.push(caller)
}

function mediaTypeOf(request: Request, accepted: readonly string[]): string {
  const received = (request.headers.get('content-type') ?? jsonType).split(';')[0]?.trim().toLowerCase() ?? ''
  if (accepted.includes(received)) return received
  throw new EngineError('unsupported_media_type', { received: received.slice(0, 60), expected: accepted.join(', ') })
}

/** Milliseconds that the next bytes may take. */
type Patience = () => number

/** The bytes of the body with their content encoding taken off. */
async function* plain({ body, headers }: Request, patience: Patience): AsyncGenerator<Uint8Array> {
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

/** The bytes as they come; a caller who hangs up before the end, or falls silent, has sent nothing. */
async function* received(body: ReadableStream<Uint8Array>, patience: Patience): AsyncGenerator<Uint8Array> {
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

function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too late')), milliseconds)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Writes the compressed bytes as fast as they are taken off; a broken source breaks the target. */
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
  counted: Counted,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (counted.isReleased) {
      yield chunk
      continue
    }
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
async function parsedAsTheyCome(texts: AsyncIterable<string>): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for await (const line of linesIn(texts)) takeLine(values, line)
  return values
}

function parsedLines(lines: readonly string[]): readonly unknown[] {
  const values: unknown[] = []
  for (const line of lines) takeLine(values, line)
  return values
}

function takeLine(values: unknown[], line: string): void {
  if (line.trim() === '') return
  if (values.length >= maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  values.push(parsedOrError(line))
}

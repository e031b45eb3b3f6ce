import { EngineError, inSteps, type PartedBody, type PartsRule, visitInSteps } from '../../engine/index.ts'
import { createLines, parseJsonInSteps } from '../http/json.ts'
import { pause } from '../http/pause.ts'
import { decoded, decodedAtOnce, linesOfPieces } from '../http/text.ts'
import { type CountedBody, countBody, counting, inFlight, release } from './budget.ts'
import { cutJson, inPieces } from './cut.ts'
import { decompressed, within } from './received.ts'

/** The media type of JSON lines. */
const ndjson = 'application/x-ndjson'

const jsonType = 'application/json'

const mebibyte = 1024 * 1024

/** The callers of bodies in parts that are being read. */
const streams: string[] = []

const maxStreams = 8

const maxStreamsOfOne = 2

/** Milliseconds for a body to arrive, and for a body in parts to be silent. */
const bodyTimeouts = { whole: 120_000, idle: 30_000 }

/** Larger bodies count against the budget. */
const smallLimit = mebibyte

/** What a body may contain. */
interface BodyRules {
  /** In bytes, after decompression. */
  readonly limit: number
  /** Whether NDJSON is accepted. */
  readonly lines: boolean
  /** Other accepted media types; those that are not JSON are read as text. */
  readonly types?: readonly string[]
  /** Whether the body is bytes; it is then their base64. */
  readonly isBinary?: boolean
  /** Whether the body may be absent; it is then an empty object. */
  readonly optional?: boolean
  /** Maximum nesting; that of a document if absent. */
  readonly levels?: number
  /** When JSON is read in parts. */
  readonly cut?: PartsRule
  /** Whether the caller may be anonymous. */
  readonly open: boolean
  /** The caller: a key, an account or a source. */
  readonly caller: string
  /** Waits until a large body of this caller may be processed. */
  readonly turn?: () => Promise<void>
}

/** Larger bodies are processed in turns; in bytes. Such a body may hold a thousand events. */
const largeBody = 128 * 1024

/** More lines are processed in turns. */
const largeLines = 1_000

/**
 * Reads a body by its content type: JSON as a value; NDJSON, where accepted, as `{lines: [...]}` with an error in place
 * of a line that is not JSON; other types as text, or as bytes in base64. `limit` applies after decompression. Throws `body_interrupted`,
 * `payload_too_large`, `unsupported_media_type`, `unsupported_encoding`, `broken_encoding`, `invalid_utf8`,
 * `malformed_json`, `too_many_members`, `too_many_values`, `too_many_events`, `too_busy`, and `invalid_input` for deep
 * nesting.
 */
export async function readBody(request: Request, rules: BodyRules): Promise<unknown> {
  const {
    lines,
    open,
    caller,
    types = [jsonType],
    cut,
    optional = false,
    levels,
    isBinary = false,
    turn = async () => {},
  } = rules
  if (optional && isAbsent(request)) return {}
  const type = mediaTypeOf(request, lines ? [...types, ndjson] : types)
  const limit = cut !== undefined && isJson(type) ? cut.bodyLimit : rules.limit
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > limit) throw new EngineError('payload_too_large', { limit })
  if (cut !== undefined && isJson(type)) return bodyInParts(request, cut, caller)
  if (isSmall(request, length)) return smallBody(request, type, { limit, levels, isBinary, turn })
  const budget = inFlight[open ? 'open' : 'known']
  const counted = countBody(caller)
  const deadline = performance.now() + bodyTimeouts.whole
  try {
    const bytes = decompressed(request, () => deadline - performance.now())
    const chunks = limit > smallLimit ? counting(bytes, counted, budget) : bytes
    if (isBinary) {
      const whole = await collected(bounded(chunks, limit))
      if (whole.length > largeBody) await turn()
      return whole.toString('base64')
    }
    const texts = decoded(bounded(chunks, limit), { mayBeUtf16: mayBeUtf16(type) })
    if (type === ndjson) {
      const parsed = await parseLines(texts)
      if (parsed.length > largeLines) await turn()
      return { lines: parsed }
    }
    const text = await joined(texts)
    if (text.length > largeBody) await turn()
    if (optional && text === '') return {}
    return isJson(type) ? await parseJsonInSteps(text, levels) : text
  } finally {
    release(counted, budget)
  }
}

/** Whether the headers say that there is no body, so that its type does not matter. */
function isAbsent({ headers, body }: Request): boolean {
  return body === null || headers.get('content-length') === '0'
}

/** Whether the headers say that the body is small and not compressed. */
function isSmall({ headers }: Request, length: number): boolean {
  return length > 0 && length <= smallLimit && (headers.get('content-encoding') ?? 'identity') === 'identity'
}

/** Reads a small body in one piece: a stream would cost more than recording one event. */
async function smallBody(
  request: Request,
  type: string,
  {
    limit,
    levels,
    isBinary,
    turn,
  }: Pick<BodyRules, 'limit' | 'isBinary'> & {
    levels: number | undefined
    turn: () => Promise<void>
  },
): Promise<unknown> {
  const bytes = await within(bodyTimeouts.whole, request.arrayBuffer()).catch(() => {
    throw new EngineError('body_interrupted')
  })
  if (bytes.byteLength > limit) throw new EngineError('payload_too_large', { limit })
  if (bytes.byteLength > largeBody) await turn()
  if (isBinary) return Buffer.from(bytes).toString('base64')
  const text = decodedAtOnce(new Uint8Array(bytes), { mayBeUtf16: mayBeUtf16(type) })
  if (type === ndjson) return { lines: await parsedLines(text.split('\n')) }
  return isJson(type) ? parseJsonInSteps(text, levels) : text
}

/** XML, and what spreadsheets call Unicode text. */
function mayBeUtf16(type: string): boolean {
  return type.endsWith('/xml') || type.endsWith('+xml') || type === 'text/csv'
}

function isJson(type: string): boolean {
  return type === jsonType || type.endsWith('+json')
}

/**
 * A body in parts takes from the budget until its first part arrives. Then it takes one of the few streaming slots, and
 * no more than one part is held at a time.
 */
function bodyInParts(request: Request, { lists, bodyLimit }: PartsRule, caller: string): PartedBody {
  const counted = countBody(caller)
  const bytes = bounded(
    decompressed(request, () => bodyTimeouts.idle),
    bodyLimit,
  )
  const { parts } = cutJson(decoded(inPieces(counting(bytes, counted, inFlight.known))), lists)
  return { parts: admitted(parts, counted, request.signal, caller) }
}

async function* admitted<Part>(
  parts: AsyncIterable<Part>,
  counted: CountedBody,
  signal: AbortSignal,
  caller: string,
): AsyncGenerator<Part> {
  let isAdmitted = false
  try {
    for await (const part of parts) {
      // The caller is gone.
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

async function* bounded(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new EngineError('payload_too_large', { limit })
    yield chunk
  }
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = []
  for await (const text of texts) parts.push(text)
  // Several large ones may be complete at once.
  await pause()
  return parts.join('')
}

/** Parses each line when it is complete, so that the whole text is never in memory. */
async function parseLines(texts: AsyncIterable<string>): Promise<readonly unknown[]> {
  const { take, said } = createLines()
  for await (const lines of linesOfPieces(texts)) {
    await inSteps(visitInSteps(lines, take), pause)
  }
  return said
}

async function parsedLines(lines: readonly string[]): Promise<readonly unknown[]> {
  const { take, said } = createLines()
  await inSteps(visitInSteps(lines, take), pause)
  return said
}

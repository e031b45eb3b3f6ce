import type { JSONParser } from '@streamparser/json'
import { type BodyPart, EngineError, type PartedBody } from '../../engine/index.ts'

/** Maximum items of a part. */
const partItems = 500

/** Maximum characters of a part, not counting its last item. */
const partLength = 512 * 1024

/** Maximum characters of an item, or of the text around the list. */
const itemLength = 4 * 1024 * 1024

/** Maximum bytes per read, so that items are handed on before the next ones arrive. */
const pieceBytes = 64 * 1024

/** State of the parser. */
interface ParserState {
  root: Record<string, unknown>
  /** Path of the list that the items belong to. */
  list: string
  /** Number of items handed on. */
  offset: number
  items: unknown[]
  /** Characters since the last item and since the last part. */
  sinceItem: number
  sincePart: number
  ended: boolean
}

/**
 * Reads a JSON document in parts while it arrives. Each part has the members so far and some items of the long list at
 * one of these paths; the last part has no items and all members. Throws `malformed_json`, and `payload_too_large` for
 * an item of more than 4 Mi characters.
 */
export function cutJson(texts: AsyncIterable<string>, lists: readonly string[]): PartedBody {
  return { parts: partsOf(texts, lists) }
}

async function* partsOf(texts: AsyncIterable<string>, lists: readonly string[]): AsyncGenerator<BodyPart> {
  const reading: ParserState = {
    ...{ root: {}, list: lists[0] ?? '', offset: 0, items: [], sinceItem: 0, sincePart: 0, ended: false },
  }
  const { JSONParser } = await import('@streamparser/json')
  const parser = parserInto(JSONParser, reading, lists)
  for await (const text of texts) {
    feed(parser, text)
    reading.sinceItem += text.length
    reading.sincePart += text.length
    if (reading.sinceItem > itemLength) throw new EngineError('payload_too_large', { limit: itemLength })
    while (reading.items.length >= partItems || (reading.items.length > 0 && reading.sincePart > partLength)) {
      yield partOf(reading)
    }
  }
  if (!reading.ended) throw new EngineError('malformed_json', { reason: 'Unexpected end of JSON input' })
  if (reading.items.length > 0) yield partOf(reading)
  yield partOf(reading)
}

function parserInto(Parser: typeof JSONParser, reading: ParserState, lists: readonly string[]): JSONParser {
  const parser = new Parser({ paths: ['$', ...lists.map((list) => `$.${list}.*`)], stringBufferSize: 0 })
  keepByteOrderMarks(parser)
  parser.onValue = ({ value, parent, stack }) => {
    if (stack.length === 0) {
      reading.root = isRecord(value) ? value : { '': value }
      reading.ended = true
      return
    }
    if (!Array.isArray(parent)) return
    reading.sinceItem = 0
    reading.root = stack[1]?.value as Record<string, unknown>
    reading.list = stack
      .slice(1)
      .map(({ key }) => key)
      .join('.')
    reading.items.push(value)
    // Items that were handed on are not kept.
    parent.length = 0
  }
  return parser
}

/**
 * Lets the parser keep U+FEFF in strings. The decoder of version 0.0.26 takes one after an ASCII character for a byte
 * order mark and drops it, also where it is written as `\\ufeff`; no option changes that.
 */
function keepByteOrderMarks(parser: JSONParser): void {
  const { tokenizer } = parser as unknown as {
    tokenizer: { bufferedString: { decoder: InstanceType<typeof TextDecoder> } }
  }
  tokenizer.bufferedString.decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function feed(parser: JSONParser, text: string): void {
  if (text === '') return
  try {
    parser.write(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\p{Cc}/gu, ' ').slice(0, 120) : ''
    throw new EngineError('malformed_json', { reason })
  }
}

function partOf(reading: ParserState): BodyPart {
  const { root, list, offset } = reading
  const items = reading.items.splice(0, partItems)
  reading.offset += items.length
  reading.sincePart = 0
  return { document: root, list, offset, items, with: (some) => withItems(root, list.split('.'), some) }
}

/** A copy of the document with these items at the path, if there is a list. */
function withItems(value: unknown, path: readonly string[], items: readonly unknown[]): unknown {
  const [member, ...rest] = path
  if (member === undefined) return Array.isArray(value) ? items : value
  if (!isRecord(value) || !Object.hasOwn(value, member)) return value
  return { ...value, [member]: withItems(value[member], rest, items) }
}

/** Splits bytes into pieces of at most 64 KiB. */
export async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
}

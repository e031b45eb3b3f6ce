import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { instantProblem, isoOf, type NewEvent, parse, type RecordedEvent } from '../../engine/index.ts'
import { problemOf } from './rules.ts'

/**
 * A history as NDJSON: a header, one line per event in store order, and a last line with the number of events and the
 * SHA-256 of all lines before it, so that a truncated or changed file is detected.
 */
export const historyFormat = { format: 'otep-history', version: 1 } as const

const headerSchema = v.looseObject({
  format: v.literal(historyFormat.format),
  version: v.literal(historyFormat.version),
})

const trailerSchema = v.object({ events: v.number(), sha256: v.string() })

/** An event as it was recorded, with its place. */
const eventSchema = v.object({
  stream: v.pipe(v.string(), v.regex(/^[^-]+-./)),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  position: v.string(),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  type: v.string(),
  data: v.unknown(),
  metadata: v.looseObject({ schemaVersion: v.number() }),
  recordedAt: v.pipe(v.string(), v.check(isInstant)),
})

function isInstant(text: string): boolean {
  return instantProblem(text) === undefined && isoOf(Date.parse(text)) === text
}

/** An event of a history file, and the bytes of the file up to its end. */
export interface HistoryEvent {
  readonly event: RecordedEvent
  readonly bytes: number
}

/** Formats an event as a line. */
export function lineOf({ stream, revision, position, id, type, data, metadata, recordedAt }: RecordedEvent): string {
  return JSON.stringify({ stream, revision, position, id, type, data, metadata, recordedAt })
}

/** The event in the form that another store accepts. */
export function newEventOf({ id, type, data, metadata, recordedAt }: RecordedEvent): NewEvent {
  return { id, type, data, metadata, recordedAt }
}

/** A running SHA-256 over lines. */
export function createDigest(): { add(line: string): void; value(): string } {
  const hash = createHash('sha256')
  return { add: (line) => void hash.update(`${line}\n`), value: () => hash.digest('hex') }
}

/** Maximum characters of a line; no event comes close. */
export const longestLine = 16_777_216

/** Passes text on in pieces; throws if a line is too long to be held in memory. */
export async function* withoutLongLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let [number, length] = [1, 0]
  for await (const text of texts) {
    for (const [place, part] of text.split('\n').entries()) {
      if (place > 0) [number, length] = [number + 1, 0]
      length += part.length
      if (length > longestLine) throw damaged(number, `it is longer than ${longestLine} characters`)
    }
    yield text
  }
}

/**
 * Reads the events of a history file. Throws if the file is not one, if a line is not an event that this engine can
 * read, or if the last line does not match the events.
 */
export async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<HistoryEvent> {
  const digest = createDigest()
  let [number, bytes] = [0, 0]
  let isEnded = false
  for await (const line of lines) {
    if (line === '') continue
    number++
    bytes += Buffer.byteLength(line) + 1
    const value = valueIn(line, number)
    if (isEnded) throw damaged(number, 'nothing may follow the last line')
    if (number === 1) expect(headerSchema, value, number)
    else if (isTrailer(value)) {
      const trailer = expect(trailerSchema, value, number)
      if (trailer.events !== number - 2 || trailer.sha256 !== digest.value())
        throw damaged(number, 'the lines before it are not those that were written')
      isEnded = true
    } else {
      expect(eventSchema, value, number)
      // Use the original: a schema would reorder the members.
      const event = value as RecordedEvent
      const problem = problemOf(event)
      if (problem !== undefined) throw damaged(number, problem)
      yield { event, bytes }
    }
    if (!isEnded) digest.add(line)
  }
  if (!isEnded) throw damaged(number, 'the last line is missing: the file was cut')
}

function isTrailer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sha256' in value
}

function valueIn(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    throw damaged(number, 'it is not JSON')
  }
}

function expect<Schema extends v.GenericSchema>(schema: Schema, value: unknown, number: number): v.InferOutput<Schema> {
  const { value: found, findings } = parse(schema, value)
  if (findings === undefined) return found
  throw damaged(number, `${findings[0]?.path || 'it'} is not that of a history (${findings[0]?.code})`)
}

function damaged(number: number, problem: string): Error {
  return new Error(`The file is damaged or no history, line ${number}: ${problem}.`)
}

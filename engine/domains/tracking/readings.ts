import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Finding, pathTo, within } from '../../kernel/finding.ts'
import { isObject } from '../../kernel/members.ts'
import type { Dialect, Reading, Target } from '../../kernel/projection.ts'
import { createPauses } from '../../kernel/steps.ts'
import { ingest } from './ingest.ts'
import type { RawRecord, RecordResult, SourceRecord } from './records.ts'
import { maxEvents, maxThings } from './schema.ts'

/** The result of one reading. */
export interface ReadingResult extends RecordResult {
  /** The subject of the recorded event. */
  readonly subject?: object
}

/** Ingests the readings of a foreign document, like `ingest`. Findings have the paths of the document. */
export async function ingestReadings(
  context: Context,
  readings: readonly Reading[],
  atomic: boolean,
): Promise<readonly ReadingResult[]> {
  const relevant = readings.filter((reading) => !isIgnored(reading) || reading.source !== undefined)
  const results = new Map(
    (await ingest(context, relevant.map(recordOf), atomic)).map((result, index) => [relevant[index], result]),
  )
  const pauses = createPauses(context.pause)
  const placed: ReadingResult[] = []
  for (const reading of readings) {
    const pause = pauses.next()
    if (pause !== undefined) await pause
    placed.push(resultOf(reading, results.get(reading)))
  }
  return placed
}

function resultOf(reading: Reading, result: RecordResult | undefined): ReadingResult {
  const { path, subject, warnings = [] } = reading
  if (result === undefined) return { path, outcome: 'ignored', errors: [], warnings }
  const placed = (findings: readonly Finding[]) => findings.map((finding) => atNativePath(finding, reading))
  return {
    ...result,
    // A refused record may contain anything; its path identifies it for the sender.
    ...(subject === undefined || result.outcome === 'rejected' ? {} : { subject }),
    errors: placed(result.errors),
    warnings: [...warnings, ...placed(result.warnings)],
  }
}

/**
 * The readings of a document, or of many documents in lines (`{lines: [...]}`, from NDJSON). An unreadable line
 * becomes its parse error.
 */
export function* readingsOf(document: unknown, read: ReadInSteps): Generator<void, readonly Reading[]> {
  if (!isObject(document) || !Array.isArray(document.lines)) return limited(yield* read(document))
  const readings: Reading[] = []
  for (const [index, line] of document.lines.entries()) {
    const path = pathTo('lines', index)
    if (line instanceof EngineError) readings.push({ path, findings: [{ path, code: line.code, params: line.params }] })
    else for (const reading of yield* read(line)) readings.push(inLine(path, reading))
    limited(readings)
    if (index % linesPerStep === linesPerStep - 1) yield
  }
  return readings
}

/** Lines that are read in one step. */
const linesPerStep = 100

/** Reads a document in steps. */
type ReadInSteps = (document: unknown) => Generator<void, readonly Reading[]>

/** Reads documents of a format that can be read; at once if the format has no steps. */
export function readerOf(
  { parse = () => [], parseInSteps }: Pick<Dialect, 'parse' | 'parseInSteps'>,
  target: Target,
): ReadInSteps {
  if (parseInSteps !== undefined) return (document) => parseInSteps(document, target)
  // biome-ignore lint/correctness/useYield: it has one step.
  return function* (document) {
    return parse(document, target)
  }
}

/** A list of records, which are counted and made in steps. Throws `too_many_events`. */
export async function listedInSteps<Item>(
  items: Iterable<Item>,
  { pause }: Pick<Context, 'pause'>,
): Promise<readonly Item[]> {
  const pauses = createPauses(pause)
  const list: Item[] = []
  for (const item of items) {
    list.push(item)
    if (list.length > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    const pause = pauses.next()
    if (pause !== undefined) await pause
  }
  return list
}

/** Throws `too_many_events` and `too_many_things`; the readings of one event have one path. */
function limited(readings: readonly Reading[]): readonly Reading[] {
  if (readings.length > maxEvents && new Set(readings.map(({ path }) => path)).size > maxEvents)
    throw new EngineError('too_many_events', { limit: maxEvents })
  if (readings.length > maxThings) throw new EngineError('too_many_things', { limit: maxThings })
  return readings
}

function inLine(line: string, reading: Reading): Reading {
  const { path, findings, warnings } = reading
  const placed = (list: readonly Finding[]) => list.map((finding) => within(line, finding))
  return {
    ...reading,
    path: path === '' ? line : `${line}.${path}`,
    ...(findings === undefined ? {} : { findings: placed(findings) }),
    ...(warnings === undefined ? {} : { warnings: placed(warnings) }),
  }
}

function isIgnored({ subject, findings }: Reading): boolean {
  return subject === undefined && findings === undefined
}

function recordOf(reading: Reading): RawRecord | SourceRecord {
  const { path, subject, profile, event, status, findings, source, formerNamespace } = reading
  if (isIgnored(reading) && source !== undefined) return { kind: 'source', path, source }
  const kind = status === true ? 'status' : 'event'
  const known = { kind, path, subjectPath: pathTo(path, 'subject'), subject, profile, event } as const
  return {
    ...known,
    ...(source && { source }),
    ...(findings && { findings }),
    ...(formerNamespace && { formerNamespace }),
  }
}

/** Moves a finding from a native member to the path in the document. */
function atNativePath(finding: Finding, { path, places = {} }: Reading): Finding {
  const member = finding.path.startsWith(`${path}.`) ? finding.path.slice(path.length + 1) : undefined
  if (member === undefined) return finding
  const native = Object.keys(places).find(
    (name) => member === name || (/^[.[]/.test(member.slice(name.length)) && member.startsWith(name)),
  )
  if (native === undefined) return finding
  return { ...finding, path: pathTo(path, `${places[native]}${member.slice(native.length)}`) }
}

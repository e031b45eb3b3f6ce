import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Finding, pathTo, within } from '../../kernel/finding.ts'
import { isObject } from '../../kernel/members.ts'
import type { Reading } from '../../kernel/projection.ts'
import { ingest } from './ingest.ts'
import type { RawRecord, RecordResult, SourceRecord } from './records.ts'

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
  return readings.map((reading) => {
    const { path, subject, warnings = [] } = reading
    const result = results.get(reading)
    if (result === undefined) return { path, outcome: 'ignored', errors: [], warnings }
    const placed = (findings: readonly Finding[]) => findings.map((finding) => atNativePath(finding, reading))
    return {
      ...result,
      // A refused record may contain anything; its path identifies it for the sender.
      ...(subject === undefined || result.outcome === 'rejected' ? {} : { subject }),
      errors: placed(result.errors),
      warnings: [...warnings, ...placed(result.warnings)],
    }
  })
}

/**
 * The readings of a document, or of many documents in lines (`{lines: [...]}`, from NDJSON). An unreadable line
 * becomes its parse error.
 */
export function readingsOf(document: unknown, read: (document: unknown) => readonly Reading[]): readonly Reading[] {
  if (!isObject(document) || !Array.isArray(document.lines)) return read(document)
  return document.lines.flatMap((line: unknown, index): readonly Reading[] => {
    const path = pathTo('lines', index)
    if (line instanceof EngineError) return [{ path, findings: [{ path, code: line.code, params: line.params }] }]
    return read(line).map((reading) => inLine(path, reading))
  })
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
  const { path, subject, profile, event, status, findings, source } = reading
  if (isIgnored(reading) && source !== undefined) return { kind: 'source', path, source }
  const kind = status === true ? 'status' : 'event'
  const known = { kind, path, subjectPath: pathTo(path, 'subject'), subject, profile, event } as const
  const record = source === undefined ? known : { ...known, source }
  return findings === undefined ? record : { ...record, findings }
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

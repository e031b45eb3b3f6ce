import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Finding, pathTo, within } from '../../kernel/finding.ts'
import { isObject } from '../../kernel/members.ts'
import type { Reading } from '../../kernel/projection.ts'
import { ingest, type Outcome, type RecordResult } from './ingest.ts'
import type { RawRecord } from './records.ts'

/** What became of one reading. `ignored`: it is good, and nothing of it bears on anything tracked. */
export interface ReadingResult extends Omit<RecordResult, 'outcome'> {
  readonly outcome: Outcome | 'ignored'
  /** The subject that it was recorded for. */
  readonly subject?: object
}

/** Records what was read of a foreign document, as `ingest` does; findings stand where the document has their cause. */
export async function ingestReadings(
  context: Context,
  readings: readonly Reading[],
  atomic: boolean,
): Promise<readonly ReadingResult[]> {
  const relevant = readings.filter((reading) => !isIgnored(reading))
  const verdicts = new Map(
    (await ingest(context, relevant.map(recordOf), atomic)).map((verdict, index) => [relevant[index], verdict]),
  )
  return readings.map((reading) => {
    const { path, subject, warnings = [] } = reading
    const verdict = verdicts.get(reading)
    if (verdict === undefined) return { path, outcome: 'ignored', errors: [], warnings }
    const placed = (findings: readonly Finding[]) => findings.map((finding) => atNativePath(finding, reading))
    return {
      ...verdict,
      // What was refused may be anything, and is known to its sender by its path.
      ...(subject === undefined || verdict.outcome === 'rejected' ? {} : { subject }),
      errors: placed(verdict.errors),
      warnings: [...warnings, ...placed(verdict.warnings)],
    }
  })
}

/**
 * The readings of a document, or of many in lines (`{lines: [...]}`, as NDJSON comes in); a line that could not be read
 * stands as the error that it gave.
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

function recordOf({ path, subject, profile, event, status, findings }: Reading): RawRecord {
  const kind = status === true ? 'status' : 'event'
  const record = { kind, path, subjectPath: pathTo(path, 'subject'), subject, profile, event } as const
  return findings === undefined ? record : { ...record, findings }
}

/** A finding on a native member, at what the document calls it. */
function atNativePath(finding: Finding, { path, places = {} }: Reading): Finding {
  const member = finding.path.startsWith(`${path}.`) ? finding.path.slice(path.length + 1) : undefined
  if (member === undefined) return finding
  const native = Object.keys(places).find(
    (name) => member === name || (/^[.[]/.test(member.slice(name.length)) && member.startsWith(name)),
  )
  if (native === undefined) return finding
  return { ...finding, path: pathTo(path, `${places[native]}${member.slice(native.length)}`) }
}

import type { Context } from '../../kernel/context.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import type { Reading } from '../../kernel/projection.ts'
import { ingest, type Outcome, type Verdict } from './ingest.ts'
import type { RawRecord } from './records.ts'

/** What became of one reading. `ignored`: it is good, and nothing of it bears on anything tracked. */
export interface ReadingVerdict extends Omit<Verdict, 'outcome'> {
  readonly outcome: Outcome | 'ignored'
  /** The subject that it was recorded for. */
  readonly subject?: object
}

/** Records what was read of a foreign document, as `ingest` does; findings stand where the document has their cause. */
export async function ingestReadings(
  context: Context,
  readings: readonly Reading[],
  atomic: boolean,
): Promise<readonly ReadingVerdict[]> {
  const taken = readings.filter((reading) => !isIgnored(reading))
  const verdicts = new Map(
    (await ingest(context, taken.map(recordOf), atomic)).map((verdict, index) => [taken[index], verdict]),
  )
  return readings.map((reading) => {
    const { path, subject, warnings = [] } = reading
    const verdict = verdicts.get(reading)
    if (verdict === undefined) return { path, outcome: 'ignored', errors: [], warnings }
    const placed = (findings: readonly Finding[]) => findings.map((finding) => atPlace(finding, reading))
    return {
      ...verdict,
      ...(subject === undefined ? {} : { subject }),
      errors: placed(verdict.errors),
      warnings: [...warnings, ...placed(verdict.warnings)],
    }
  })
}

function isIgnored({ subject, findings }: Reading): boolean {
  return subject === undefined && findings === undefined
}

function recordOf({ path, subject, profile, event, findings }: Reading): RawRecord {
  const record = { kind: 'event', path, subjectPath: pathTo(path, 'subject'), subject, profile, event } as const
  return findings === undefined ? record : { ...record, findings }
}

/** A finding on a native member, at what the document calls it. */
function atPlace(finding: Finding, { path, places = {} }: Reading): Finding {
  const member = finding.path.startsWith(`${path}.`) ? finding.path.slice(path.length + 1) : undefined
  if (member === undefined) return finding
  const native = Object.keys(places).find(
    (name) => member === name || (/^[.[]/.test(member.slice(name.length)) && member.startsWith(name)),
  )
  if (native === undefined) return finding
  return { ...finding, path: pathTo(path, `${places[native]}${member.slice(native.length)}`) }
}

import { type Code, type Finding, type Params, within } from '../../../engine/index.ts'

/** A finding in an EPCIS document, and whom it concerns. */
export interface Fault extends Finding {
  /**
   * `strict`: the official judges of the binding accept it, so only a strict reading refuses it. `always`: it is refused
   * whatever the judges say. Absent: the judges of JSON refuse it, and in XML those findings that the XML Schema has.
   */
  readonly level?: 'strict' | 'always'
  /** Where it does not refuse, it is not worth a warning. */
  readonly silent?: true
}

/** The findings for a value, with paths relative to it. */
export type Findings = readonly Fault[]

/** No findings. A check returns this constant for a valid value, which avoids an allocation. */
export const good: Findings = []

/** The most findings that are reported for one event. */
export const maxFindings = 100

/** One finding, for a value itself or a member of it. */
export function found(code: Code, params?: Params, path = ''): Findings {
  return [params === undefined ? { path, code } : { path, code, params }]
}

/** The finding that a value has the wrong type. */
export function wrongType(expected: string, value: unknown): Findings {
  const received = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return found('wrong_type', { expected, received })
}

/** The same findings, which only a strict reading refuses. */
export function ifStrict(findings: Findings): Findings {
  return findings === good ? good : findings.map((finding) => ({ level: 'strict', ...finding }))
}

/** The same findings, which only a strict reading mentions. */
export function ifStrictAlone(findings: Findings): Findings {
  return findings === good ? good : findings.map((finding) => ({ ...finding, level: 'strict', silent: true }))
}

/** Joins two lists of findings, up to the maximum. */
export function both(some: Findings, more: Findings): Findings {
  if (more.length === 0 || some.length >= maxFindings) return some
  return some.length === 0 ? more : [...some, ...more].slice(0, maxFindings)
}

/** The findings of a member, with paths relative to its object. */
export function below(path: string, findings: Findings): Findings {
  return findings.length === 0 ? findings : findings.map((finding) => within(path, finding))
}

/** The findings that refuse, and those that are only remarks. */
export interface Verdict {
  readonly refusing: readonly Finding[]
  readonly remarks: readonly Finding[]
}

/** The verdict on what has no findings. */
export const nothingFound: Verdict = { refusing: [], remarks: [] }

/** Divides findings; `refuses` decides about those without their own level. */
export function verdictOn(findings: Findings, strict: boolean, refuses = true): Verdict {
  if (findings.length === 0) return nothingFound
  const isRefusing = ({ level }: Fault) => strict || level === 'always' || (level === undefined && refuses)
  return {
    refusing: findings.filter(isRefusing).map(plain),
    remarks: findings.filter((fault) => !isRefusing(fault) && fault.silent !== true).map(plain),
  }
}

function plain({ path, code, params }: Fault): Finding {
  return params === undefined ? { path, code } : { path, code, params }
}

import { validate as check } from '../../engine/domains/tracking/validate.ts'
import type { Projection } from '../../engine/kernel/projection.ts'
import type { Finding } from './finding.ts'
import { filledIn, type Options } from './options.ts'

/** Whether a document conforms to the protocol, its level, and all findings. */
export interface Conformance {
  readonly conformant: boolean
  /** 0 if it does not conform; otherwise the highest level whose requirements are all met. */
  readonly level: 0 | 1 | 2
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** How a document is checked. */
export interface ValidateOptions extends Options {
  /** Formats that could write the document, which level 2 asks for. If absent, the level is at most 1. */
  readonly formats?: readonly Projection[]
}

/** Checks a parsed JSON value against every requirement of the protocol (OTEP 0.1, section 9). */
export function validate(document: unknown, options: ValidateOptions = {}): Conformance {
  const { profiles, now } = filledIn(options)
  const { formats } = options
  const found = check(document, { profiles, formats: formats ?? [], clock: () => now })
  if (formats !== undefined) return found
  const warnings = found.warnings.filter(({ code }) => code !== 'no_projection')
  return { ...found, level: found.level === 0 ? 0 : 1, warnings }
}

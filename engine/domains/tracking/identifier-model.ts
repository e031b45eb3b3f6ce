import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { type IdentifierAssigned, type IdentifierKind, keyTextOf } from './identifiers.ts'

/** An assignment of an identifier to a timeline. */
export interface IdentifierRow extends Row {
  /** The value in the form of `keyTextOf`. */
  readonly key: string
  readonly kind: IdentifierKind
  /** Its place among the assignments of the same identifier. */
  readonly revision: number
  readonly timeline: StreamName
  readonly from: string | null
}

/**
 * The timelines that a value leads to, for any kind of identifier: one row for each assignment, in order of
 * assignment.
 */
export const identifierModel = {
  name: 'identifiers',
  version: 1,
  category: 'identifier',
  columns: { key: 'text', kind: 'text', revision: 'integer', timeline: 'text', from: 'text' },
  key: ['key', 'kind', 'revision'],
  indexes: [],
  rows: (event) => rowsOf(event as RecordedEvent<IdentifierAssigned>),
} as const satisfies ReadModel

function rowsOf({ type, data, revision }: RecordedEvent<IdentifierAssigned>): readonly IdentifierRow[] {
  if (type !== 'IdentifierAssigned') return []
  const { kind, value, timeline, from = null } = data
  return [{ key: keyTextOf(value), kind, revision, timeline, from }]
}

import type { RecordedEvent } from '../../kernel/event.ts'
import { withoutUnseen } from '../../kernel/number-key.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { canonicalKey } from './gs1-key.ts'
import {
  type Assignment,
  assignmentOf,
  type IdentifierAssigned,
  type IdentifierKind,
  keyTextIn,
  keyTextOf,
} from './identifiers.ts'

/** An assignment of an identifier to a timeline. */
export interface IdentifierRow extends Row {
  /** The compared form in the name of its stream, or the canonical form of the GS1 key that it is. */
  readonly key: string
  readonly kind: IdentifierKind
  /** Its place among the assignments of the same identifier. */
  readonly revision: number
  readonly timeline: StreamName
  readonly from: string | null
  /** As JSON; null if it is for everybody. */
  readonly providers: string | null
  readonly instead_of: StreamName | null
}

/** The assignment in a row. */
export function assignmentIn({ providers, ...row }: IdentifierRow): Assignment {
  return assignmentOf({ ...row, ...(providers !== null && { providers: JSON.parse(providers) as readonly string[] }) })
}

/**
 * The timelines that a value leads to, for any kind of identifier: one row for each assignment, in order of
 * assignment, and another one under the canonical form of a GS1 key that is written otherwise.
 */
export const identifierModel = {
  name: 'identifiers',
  version: 3,
  category: 'identifier',
  columns: {
    key: 'text',
    kind: 'text',
    revision: 'integer',
    timeline: 'text',
    from: 'text',
    providers: 'text',
    instead_of: 'text',
  },
  key: ['key', 'kind', 'timeline', 'revision'],
  indexes: [],
  rows: (event) => rowsOf(event as RecordedEvent<IdentifierAssigned>),
} as const satisfies ReadModel

function rowsOf({ stream, type, data, revision }: RecordedEvent<IdentifierAssigned>): readonly IdentifierRow[] {
  if (type !== 'IdentifierAssigned') return []
  const { kind, value, timeline, from = null, instead_of = null } = data
  const providers = data.providers === undefined ? null : JSON.stringify(data.providers)
  const key = keyTextIn(stream, kind)
  const keys = new Set(kind === 'piece_id' ? [key, keyTextOf(canonicalKey(withoutUnseen(value)))] : [key])
  return [...keys].map((key) => ({ key, kind, revision, timeline, from, providers, instead_of }))
}

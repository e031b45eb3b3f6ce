import * as v from 'valibot'
import type { Context } from '../kernel/context.ts'
import { cursorsOf } from '../kernel/cursor.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Code } from '../kernel/messages/index.ts'
import { pageEntries } from '../kernel/paging.ts'
import type { Condition, Query, ReadModel, Row } from '../kernel/read-model.ts'
import { instant } from '../kernel/schemas.ts'
import { isoOf } from '../kernel/time.ts'

/** Characters of a cursor of a list at most. */
export const longestCursor = 300

/** The members of a request for a list that can be followed: a page of it in some order, or what has changed. */
export function followingEntries<const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) {
  return {
    sort: v.exactOptional(v.pipe(v.picklist(sorts), v.description('A minus: descending. Default: -created_at.'))),
    updated_since: v.exactOptional(
      v.pipe(
        instant,
        v.description('Changed then or later, in order of change. Go on with the next_cursor of the answer.'),
      ),
    ),
    cursor: v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(longestCursor),
        v.description('next_cursor of an answer: what changed after that one.'),
      ),
    ),
    ...pageEntries,
  }
}

/** The members of an answer to a request for what has changed. */
export const followedEntries = {
  next_cursor: v.exactOptional(
    v.pipe(v.string(), v.description('With updated_since and cursor: asks for what changes after this answer.')),
  ),
  has_more: v.exactOptional(v.pipe(v.boolean(), v.description('Whether more has changed already.'))),
}

/** What of a request does not go together: changes have their own order, and are asked for by one mark. */
export function followingProblem(input: {
  readonly updated_since?: unknown
  readonly cursor?: unknown
  readonly page?: unknown
  readonly sort?: unknown
}): [string, Code] | undefined {
  const marks = [input.updated_since, input.cursor].filter((mark) => mark !== undefined)
  if (marks.length === 0) return undefined
  if (marks.length > 1) return ['updated_since', 'not_with_cursor']
  if (input.page !== undefined) return ['page', 'not_with_cursor']
  return input.sort === undefined ? undefined : ['sort', 'not_with_cursor']
}

/** The column of a list with the position of the last event of each row, and the one with its time (ISO 8601, UTC). */
export interface ChangeColumns {
  readonly position: string
  readonly time: string
}

/** From where on changes are wanted: the column that says so, and its least value. */
export type Following = readonly [column: string, from: string]

const kind = 'place of changes'
const cursors = cursorsOf('c1.', v.strictObject({ kind: v.literal(kind), position: v.string() }))

/** From where on a request wants changes, if it does. Refuses what is no cursor. */
export function followingOf(
  context: Pick<Context, 'credentials' | 'clock'>,
  { position, time }: ChangeColumns,
  { updated_since, cursor }: { readonly updated_since?: string | undefined; readonly cursor?: string | undefined },
): Following | undefined {
  if (updated_since !== undefined) return [time, isoOf(Date.parse(updated_since))]
  if (cursor === undefined) return undefined
  const known = cursors.read(context, cursor)
  if (known === undefined)
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'cursor', code: 'not_a_cursor' }])
  // A blank comes before every digit, so this is just behind the position itself.
  return [position, `${known.position} `]
}

/** Rows in order of their last change, and what asks for those that change after them. */
interface ChangedRows {
  readonly rows: readonly Row[]
  readonly total: number
  readonly next_cursor: string
  readonly has_more: boolean
}

/**
 * Rows of a list in order of their last change. One that changes while somebody goes through the pages comes again, further
 * behind: positions of events only grow, whatever the clocks say.
 */
export async function changedRows(
  { store, models, credentials }: Pick<Context, 'store' | 'models' | 'credentials'>,
  model: ReadModel,
  { position }: ChangeColumns,
  condition: Condition & Pick<Query, 'uncounted'>,
  [column, from]: Following,
  limit: number,
): Promise<ChangedRows> {
  // Taken before the rows, which then have everything up to it.
  const end = (await store.latest()) ?? ''
  const between = { ...condition.between, [column]: [from, undefined] as const }
  const query = { ...condition, between, orderBy: position, limit: limit + 1 }
  const { rows: found, total } = await models.page(model, query)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)?.[position]
  const has_more = found.length > limit
  const reached = typeof last === 'string' && (has_more || last > end) ? last : end
  return { rows, total, next_cursor: cursors.write({ credentials }, { kind, position: reached }), has_more }
}

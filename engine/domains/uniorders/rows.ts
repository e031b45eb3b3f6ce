import type { Context } from '../../kernel/context.ts'
import { EngineError, isRefusal } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { parse } from '../../kernel/parse.ts'
import { type RowRefusal, referenceOf, rowRefusalOf } from '../../kernel/rows.ts'
import { collect } from '../../store/collect.ts'
import { bookingSchema, draftUniorder } from './booking.ts'
import { uniorderIdOf } from './uniorder.ts'

/** What became of one of many shipments, by its place from 0, without personal data. */
export type BookedRow = { readonly index: number; readonly reference?: string } & (
  | { readonly result: true; readonly uniorder_id: string }
  | ({ readonly result: false } & RowRefusal)
)

/** Drafts the uniorders of many shipments from place `from` on. A refused one does not stop the others. */
export async function draftRows(
  context: Context,
  requests: readonly unknown[],
  from = 0,
): Promise<{ readonly rows: readonly BookedRow[]; readonly appends: readonly Append[] }> {
  // Each sees the numbers of those before it.
  const { result: rows, appends } = await collect(context, async (collecting) => {
    const rows: BookedRow[] = []
    for (const [place, request] of requests.entries()) rows.push(await draftRow(collecting, request, from + place))
    return rows
  })
  return { rows, appends }
}

async function draftRow(context: Context, request: unknown, index: number): Promise<BookedRow> {
  const row = { index, ...omitUndefined({ reference: referenceOf(request) }) }
  try {
    const { value, findings } = parse(bookingSchema, request)
    if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
    const { uniorder, appends } = await draftUniorder(context, value)
    await context.store.appendMany(appends)
    return { ...row, result: true, uniorder_id: uniorderIdOf(uniorder) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ...row, result: false, ...rowRefusalOf(error) }
  }
}

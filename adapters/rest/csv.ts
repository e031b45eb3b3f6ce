import { type Answer, type CsvCell, csvLine, type Pause } from '../../engine/index.ts'
import type { Routed } from './routed.ts'
import { type Body, bodyOf } from './text.ts'

type CsvRoute = NonNullable<Routed['rest']['csv']>

/** The headers of a table. */
export function csvHeaders({ file }: CsvRoute): Readonly<Record<string, string>> {
  const disposition = `attachment; filename="${file}.csv"`
  return { 'Content-Type': 'text/csv; charset=utf-8; header=present', 'Content-Disposition': disposition }
}

/**
 * The rows of an answer, and of those that follow it, as a stream: the next is asked for when the one before was read. What the
 * first is refused with is thrown before the stream begins. `ended` is called when no more is asked for.
 */
export async function csvBody(
  route: CsvRoute,
  ask: (more: Readonly<Record<string, unknown>>) => Promise<Answer>,
  pause: Pause,
  ended: () => void,
): Promise<Body> {
  const first = await ask({}).catch((error: unknown) => {
    ended()
    throw error
  })
  return bodyOf(pagesOf(route, ask, first), pause, ended)
}

async function* pagesOf(
  { columns, rows, asks, tells }: CsvRoute,
  ask: (more: Readonly<Record<string, unknown>>) => Promise<Answer>,
  first: Answer,
): AsyncGenerator<readonly string[], void> {
  yield [csvLine(columns)]
  for (let answer = first; ; ) {
    const found = answer[rows] as readonly Readonly<Record<string, CsvCell>>[]
    yield found.map((row) => csvLine(columns.map((column) => row[column])))
    if (answer[tells] === undefined) return
    answer = await ask({ [asks]: answer[tells] })
  }
}

import type { Context } from './context.ts'
import type { Cell, ReadModel } from './read-model.ts'
import { isoOf } from './time.ts'

/** A thing whose time comes, and when (epoch milliseconds). */
interface Due {
  readonly id: number
  readonly dueAt: number
}

/** Finds the things whose time comes before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export type FindDue = (
  context: Pick<Context, 'models'>,
  before: number,
  after: number,
  limit: number,
) => Promise<readonly Due[]>

/** Finds them in a read model with one id as key: by the time in a column, of the rows with these cells. */
export function dueIn(model: ReadModel, column: string, where: Readonly<Record<string, Cell>> = {}): FindDue {
  const [key = ''] = model.key
  return async ({ models }, before, after, limit) => {
    const between = { [column]: [undefined, isoOf(before)], [key]: [after + 1, undefined] } as const
    const { rows } = await models.page(model, { where, between, limit, uncounted: true })
    return rows.map((row) => ({ id: Number(row[key]), dueAt: Date.parse(String(row[column])) }))
  }
}

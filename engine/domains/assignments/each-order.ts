import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { type EngineError, isRefusal } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { id } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import type { AssignmentCommand } from './ports.ts'

/** The most orders in one call, because each is read, decided and written. */
const maxOrders = 200

/** The orders of a call. */
export const orderIds = v.pipe(
  v.array(id),
  v.minLength(1),
  v.maxLength(maxOrders),
  v.description(`Ids of orders, 1 to ${maxOrders}. Duplicates count once.`),
)

/** The answer members for unchanged orders. */
export const unchangedEntries = {
  skipped: v.pipe(v.number(), v.safeInteger()),
  errors: v.array(
    v.strictObject({ order_id: v.pipe(v.number(), v.safeInteger()), code: v.string(), message: v.string() }),
  ),
}

/** The command for each order, by the number of orders changed before it, and the appends that go with all changes. */
interface CommandSource {
  readonly command: (place: number) => AssignmentCommand
  readonly with?: (count: number) => readonly Append[]
}

/** Why an order did not change. */
interface Refusal {
  readonly order: number
  readonly error: EngineError
}

/** How many orders changed, and why the others did not. */
interface Outcome {
  readonly changed: number
  readonly refusals: readonly Refusal[]
}

/**
 * Runs a command on each order. Orders that refuse it do not change; all others change in one transaction. An order
 * that the caller may not see is refused with `order_not_found`. `commanding` is called again for each attempt.
 */
export async function commandEach(
  context: Context,
  ids: readonly number[],
  commanding: () => CommandSource | Promise<CommandSource>,
): Promise<Outcome> {
  const { orderAt } = context.ports.assignments
  return retryOnConflict(async () => {
    const { command, with: more = () => [] } = await commanding()
    const appends: Append[] = []
    const refusals: Refusal[] = []
    const distinct = [...new Set(ids)]
    const found = await Promise.all(distinct.map((order) => orRefusal(order, () => orderAt(context, order))))
    for (const one of found) {
      const decided = 'error' in one ? one : await orRefusal(one.id, () => one.decide(command(appends.length)))
      if ('error' in decided) refusals.push(decided)
      else appends.push(...decided)
    }
    if (appends.length > 0) await context.store.appendMany([...appends, ...more(appends.length)])
    return { changed: appends.length, refusals }
  })
}

/** Returns the result, or the refusal by the order. */
async function orRefusal<Result>(order: number, run: () => Result | Promise<Result>): Promise<Result | Refusal> {
  try {
    return await run()
  } catch (error) {
    if (isRefusal(error)) return { order, error }
    throw error
  }
}

/** The answer members for unchanged orders, in the caller's language. */
export function unchanged({ refusals }: Outcome, { messages }: Pick<Context, 'messages'>) {
  const errors = refusals.map(({ order, error: { code, params } }) => {
    return { order_id: order, code, message: messageOf(code, params, messages) }
  })
  return { skipped: errors.length, errors }
}

import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { readJoined } from './containment.ts'
import { type IdentifierRow, identifierModel } from './identifier-model.ts'
import { keyTextOf, openerOf } from './identifiers.ts'
import type { LoadedTimeline } from './read.ts'
import { reporterModel } from './reporter-model.ts'
import { maySee, seesEverything } from './visible.ts'

/** A timeline of a list, and its place there: the next page begins after it. */
export interface ListedTimeline extends LoadedTimeline {
  readonly place: string
}

/** A timeline that the caller may be allowed to see. */
interface Candidate {
  readonly place: string
  readonly stream: StreamName
}

/** Rows that are read at once. */
const pageSize = 100

/**
 * The timelines that the caller may see because of who it is, in a lasting order: of an operator and a provider for all
 * businesses all, of an account those of its orders, of another provider those of the orders of its business and what it
 * reported itself. The public has none. What it may not see is passed over as an empty place, so that a reader may stop there.
 */
export async function* ownTimelines(
  context: Context,
  after: string | undefined,
): AsyncGenerator<ListedTimeline | { readonly place: string }> {
  const isAll = seesEverything(context)
  for await (const { place, stream } of isAll ? everyTimeline(context, after) : candidates(context, after)) {
    await context.pause()
    const read = await readIfThere(context, stream)
    if (read !== undefined && (isAll || (await maySee(context, read.timeline)))) yield { ...read, place }
    else yield { place }
  }
}

async function readIfThere(context: Context, stream: StreamName): Promise<LoadedTimeline | undefined> {
  try {
    const read = await readJoined(context, stream)
    return read.revision < 0 ? undefined : read
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return undefined
    throw error
  }
}

/** Each timeline at the identifier that opened it. */
async function* everyTimeline({ models }: Context, after: string | undefined): AsyncGenerator<Candidate> {
  const from = after?.slice(0, after.indexOf(' '))
  let last = after ?? ''
  for await (const { key, kind, timeline } of rowsAfter<IdentifierRow>(models, identifierModel, 'key', from)) {
    const place = `${key} ${timeline}`
    const isOpener = openerOf(timeline) === `${kind} ${decodeURIComponent(key)}`
    // An identifier may have been assigned to its timeline twice.
    if (!isOpener || place <= last) continue
    last = place
    yield { place, stream: timeline }
  }
}

async function* candidates(context: Context, after: string | undefined): AsyncGenerator<Candidate> {
  const { caller, models } = context
  if (caller.kind === 'provider' && !after?.startsWith(ofOrder)) {
    const reported = rowsAfter<{ timeline: StreamName }>(models, reporterModel, 'timeline', after, {
      provider: caller.name,
    })
    for await (const { timeline } of reported)
      if (after === undefined || timeline > after) yield { place: timeline, stream: timeline }
  }
  yield* ofOrders(context, after)
}

/** Begins the places of timelines of orders, which come after those that are named after their stream. */
const ofOrder = 'order '

async function* ofOrders(context: Context, after: string | undefined): AsyncGenerator<Candidate> {
  let [last, done] = after?.startsWith(ofOrder) ? placeIn(after) : ([0, ''] as const)
  for (;;) {
    const orders = await context.ports.tracking.ordersFrom(context, last, pageSize)
    for (const { id, numbers } of orders) {
      for (const stream of await timelinesOf(context, id, numbers))
        if (id > last || stream > done) yield { place: `${ofOrder}${id} ${stream}`, stream }
      if (id > last) done = ''
    }
    const end = orders.at(-1)?.id
    if (orders.length < pageSize || end === undefined) return
    ;[last, done] = [end, '\u{10FFFF}']
  }
}

function placeIn(after: string): readonly [id: number, stream: string] {
  const [, id, stream = ''] = after.split(' ')
  return [Number(id), stream]
}

/** The timelines that the numbers of an order lead to, except those that its provider has reported about. */
async function timelinesOf(context: Context, id: number, numbers: readonly string[]): Promise<readonly StreamName[]> {
  const { models, caller } = context
  const wanted = [...numbers.map((number) => ['tracking_number', keyTextOf(number)]), ['order_id', String(id)]]
  const found = new Set<StreamName>()
  for (const [kind = '', key = ''] of wanted)
    for (const row of (await models.rows(identifierModel, { key, kind }, pageSize)) as readonly IdentifierRow[])
      found.add(row.timeline)
  if (caller.kind !== 'provider') return [...found].sort()
  const unlisted: StreamName[] = []
  for (const timeline of found)
    if ((await models.rows(reporterModel, { provider: caller.name, timeline }, 1)).length === 0) unlisted.push(timeline)
  return unlisted.sort()
}

/** All rows of a model from a value of a column on, in order of it. */
async function* rowsAfter<Found>(
  models: Context['models'],
  model: typeof identifierModel | typeof reporterModel,
  column: string,
  from: string | undefined,
  where: Readonly<Record<string, string>> = {},
): AsyncGenerator<Found> {
  let [bound, offset] = [from, 0]
  for (;;) {
    const query = {
      where,
      between: { [column]: [bound, undefined] as const },
      limit: pageSize,
      offset,
      uncounted: true,
    }
    const { rows } = await models.page(model, query as never)
    yield* rows as readonly Found[]
    const last = rows.at(-1)?.[column] as string | undefined
    if (rows.length < pageSize || last === undefined) return
    // The next page begins among those of the same value.
    offset = last === bound ? offset + rows.length : rows.filter((row) => row[column] === last).length
    bound = last
  }
}

import { loadEntity } from '../../entity/access.ts'
import { deciderOf } from '../../entity/machine.ts'
import { drafted } from '../../entity/operations.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isoOf } from '../../kernel/time.ts'
import { instantIn } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { type Book, bookedOf, booking, readBook, refuseTold, type Subject } from './book.ts'
import { linesOf, movementsOf, summed } from './content.ts'
import { type Statement, statement } from './statement.ts'

/** Statements, and how they are decided. */
export const statementKind = { entity: statement, decider: deciderOf(statement) }

/**
 * Issues the statement of a subject and a month, and answers its id. Refuses with `month_not_over`, `statement_exists`,
 * `later_statement`, `business_statement`, `statements_missing` and `nothing_to_state`.
 */
export async function issue(context: Context, subject: Subject, month: string): Promise<number> {
  const before = endOf(context, month)
  return retryOnConflict(async () => {
    const book = await readBook(context)
    refuseTold(book, subject, month)
    const content = await (subject === 'business'
      ? ofBusiness(context, book, month)
      : ofOrders(context, book, subject, before))
    if (content === undefined) throw new EngineError('nothing_to_state')
    const made = { ...whose(context, subject), ...content, month, number: book.booked.length + 1 }
    const { id, appends } = await drafted(context, statementKind, made)
    await context.store.appendMany([
      ...appends,
      booking(context, book, { statement_id: id, subject: String(subject), month }),
    ])
    return id
  })
}

/** When a month is over (ISO 8601, UTC), in the time zone of the business; refuses one that is not. */
function endOf(context: Context, month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const next = `${number === 12 ? year + 1 : year}-${String((number % 12) + 1).padStart(2, '0')}`
  const end = instantIn(`${next}-01T00:00`, accountOf(context).business.timeZone)
  if (end > context.clock())
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'month', code: 'month_not_over', params: {} }])
  return isoOf(end)
}

function whose(context: Context, subject: Subject) {
  const { id: business_id, currency } = accountOf(context).business
  if (subject === 'business') return { business_id, currency, subject }
  if (subject === null) return { business_id, currency, subject: 'without_customer' }
  return { business_id, currency, subject: 'customer', customer_id: subject }
}

async function loadAll(context: Context, booked: ReturnType<typeof bookedOf>): Promise<readonly Statement[]> {
  const found = await Promise.all(booked.map(({ id }) => loadEntity(context, statementKind, id)))
  return found.filter((one) => one !== undefined)
}

/**
 * What a statement of a subject says: its orders as far as earlier ones say something else, and the movements of its wallet. Nothing if
 * there are neither.
 */
async function ofOrders(context: Context, book: Book, subject: number | null, end: string) {
  const { charges, movements, payables } = context.ports.statements
  const { currency } = accountOf(context).business
  const earlier = await loadAll(context, bookedOf(book, subject))
  const before = earlier.flatMap((one) => one.lines)
  const told = [...new Set(before.map(({ order_id }) => order_id))]
  const range = { since: sinceOf(context, earlier.at(-1)), before: end }
  const ofFamilies = await Promise.all(payables.map((one) => one.charges?.(context, subject, range) ?? []))
  const now = [...(await charges(context, subject, { ...range, told })), ...ofFamilies.flat()]
  const lines = linesOf(now, before, currency)
  const count = earlier.reduce((sum, one) => sum + (one.movements?.length ?? 0), 0)
  const moved =
    subject === null
      ? undefined
      : movementsOf(await movements(context, subject), { told: count, before: end }, currency)
  if (lines.length === 0 && !moved?.movements.length) return undefined
  return { ...summed(lines, currency), ...moved }
}

/** How far behind the end of a month its changes are looked for, in milliseconds: clocks differ, and a time zone may change. */
const margin = 2 * 86_400_000

/** What a statement does not have has changed since its month ended (ISO 8601, UTC), or is too young for it. */
function sinceOf(context: Context, last: Statement | undefined): string | undefined {
  return last && isoOf(Date.parse(endOf(context, last.month)) - margin)
}

/** What the statement of the business says: the sums of all others of a month. Nothing if there are none. */
async function ofBusiness(context: Context, book: Book, month: string) {
  for await (const _ of due(context, month)) throw new EngineError('statements_missing')
  const issued = await loadAll(
    context,
    book.booked.filter((one) => one.month === month),
  )
  if (issued.length === 0) return undefined
  const { currency } = accountOf(context).business
  const sums = summed(
    issued.flatMap((one) => one.lines),
    currency,
  )
  const statements = issued.map(({ number, net, tax, total }) => ({ number, net, tax, total }))
  return { ...sums, lines: [], statements }
}

/** Customers that are read at once. */
const atOnce = 200

/**
 * Finds the customers, and the orders without one (`null`), that have something for a statement of a month and no such statement, one
 * after the other.
 */
export async function* due(context: Context, month: string): AsyncGenerator<number | null> {
  const before = endOf(context, month)
  const book = await readBook(context)
  for await (const subject of subjects(context)) {
    if (bookedOf(book, subject).some((one) => one.month >= month)) continue
    if ((await ofOrders(context, book, subject, before)) !== undefined) yield subject
  }
}

async function* subjects(context: Context): AsyncGenerator<number | null> {
  yield null
  for (let offset = 0; ; offset += atOnce) {
    const { customers } = await context.ports.statements.customers(context, { limit: atOnce, offset })
    yield* customers.map(({ id }) => id)
    if (customers.length < atOnce) return
  }
}

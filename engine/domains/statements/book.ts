import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** Whose statement it is: the id of a customer, `null` for the orders without one, or the whole business. */
export type Subject = number | null | 'business'

/**
 * A statement was issued. The stream of a business has all of its statements in order, so their numbers have no gaps, and two at once
 * cannot have one number.
 */
type StatementBooked = Event<
  'StatementBooked',
  { readonly statement_id: number; readonly subject: string; readonly month: string }
>

/** The shape of this event. */
export const bookShapes: ShapesOf<StatementBooked> = {
  StatementBooked: { statement_id: 'number', subject: 'text', month: 'text' },
}

/** A statement in the book. */
interface Booked {
  readonly id: number
  readonly number: number
  readonly subject: string
  readonly month: string
}

/** All statements of a business. */
export interface Book {
  readonly booked: readonly Booked[]
  readonly revision: number | 'no-stream'
}

function bookStream(business: number): StreamName {
  return `statement_book-${business}`
}

/** The book of the caller's business. */
export async function readBook(context: Context): Promise<Book> {
  const events = await context.store.read(bookStream(accountOf(context).business.id))
  const booked = (events as unknown as readonly StatementBooked[]).map(({ data }, index) => {
    const { statement_id: id, subject, month } = data
    return { id, number: index + 1, subject, month }
  })
  return { booked, revision: events.at(-1)?.revision ?? 'no-stream' }
}

/** The statements of a subject, in order. */
export function bookedOf({ booked }: Book, subject: Subject): readonly Booked[] {
  return booked.filter((one) => one.subject === String(subject))
}

/**
 * Refuses a month that has its statement already: of the subject with `statement_exists` or `later_statement`, and of the whole business with
 * `business_statement`.
 */
export function refuseTold(book: Book, subject: Subject, month: string): void {
  const own = bookedOf(book, subject)
  const same = own.find((one) => one.month === month)
  if (same !== undefined) throw new EngineError('statement_exists', { number: same.number })
  const later = own.find((one) => one.month > month)
  if (later !== undefined) throw new EngineError('later_statement', { number: later.number, month: later.month })
  const whole = bookedOf(book, 'business').find((one) => one.month >= month)
  if (whole !== undefined) throw new EngineError('business_statement', { number: whole.number, month: whole.month })
}

/** What books a statement under the next number. */
export function booking(context: Context, { revision }: Book, made: StatementBooked['data']): Append {
  const fact: StatementBooked = { type: 'StatementBooked', data: made }
  const events = [toNewEvent(context)(fact)]
  return { stream: bookStream(accountOf(context).business.id), events, expected: revision }
}

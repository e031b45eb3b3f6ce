import * as v from 'valibot'
import { instant as anyInstant, id as number, word } from '../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'

/** Text on one line that says something; timelines take it as it is. */
export function line(limit: number, description: string) {
  return v.pipe(word(limit), v.description(description))
}

/** A number that names something. */
export function id(description: string) {
  return v.pipe(number, v.description(description))
}

/** An instant: RFC 3339 with an offset. */
export function instant(description: string) {
  return v.pipe(anyInstant, v.description(description))
}

/** An instant as facts have it: UTC, milliseconds; and so in order as text. */
export function utcOf(text: string): string {
  return isoOf(instantOf(text))
}

/** The member of the path that names a device order. */
export const deviceOrderId = { device_order_id: id('Id of the device order.') }

import * as v from 'valibot'
import { id } from '../../kernel/schemas.ts'

/** How long carriers are waited for, in milliseconds, where nobody says otherwise. */
export const defaultWait = 5_000

/** The member of an input that says how long carriers are waited for. */
export const waitEntry = {
  wait_ms: v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(100),
      v.maxValue(30_000),
      v.description(`Milliseconds that carriers have to answer; ${defaultWait} where absent.`),
    ),
  ),
}

/** The member of an input that says for which customer staff asks. */
export const customerEntry = {
  customer_id: v.exactOptional(
    v.pipe(
      id,
      v.description(
        'The customer that is to pay: rates are those that it may buy, at its prices. Only staff may give it; a customer asks for itself.',
      ),
    ),
  ),
}

/** For whom carriers are asked: the business itself, or a customer of it; and how long they are waited for. */
export interface Asking {
  readonly customerId: number | undefined
  readonly wait?: number | undefined
}

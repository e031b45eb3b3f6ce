import { load } from '../../entity/access.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { followedNumber, labelNumberStream } from './followed.ts'
import { findLabel, labelKind } from './label.ts'
import { labelReaders } from './table.ts'

/** The business whose label has a tracking number; undefined if there is none. */
export async function businessOfNumber(facts: Pick<Facts, 'store'>, number?: string): Promise<number | undefined> {
  return number === undefined ? undefined : (await followedNumber(facts, number))?.followed.business_id
}

/** The label with a tracking number, as of a position of the store. */
export async function labelTracked(facts: Facts, number: string | undefined, position: string) {
  if (number === undefined) return undefined
  const [first] = (await facts.store.read(labelNumberStream(number), { limit: 1 })) as readonly RecordedEvent[]
  const followed = first === undefined || first.position > position ? undefined : await followedNumber(facts, number)
  const label = followed && (await load(facts, labelKind, followed.followed.order_id))
  if (label === undefined) return undefined
  const { order_id: id, business_id: businessId, customer_id: customerId, reference } = label.state
  return { id, businessId, customerId, reference, isByCarrier: true }
}

/** Whether the caller sees the label that has a tracking number: it is of the staff of its business, or has bought it. */
export async function isOwnNumber(context: Context, number?: string): Promise<boolean> {
  const { account } = context.caller
  const followed = number === undefined ? undefined : await followedNumber(context, number)
  if (account === undefined || followed === undefined || !labelReaders.includes(account.role)) return false
  return (await findLabel(context, followed.followed.order_id)) !== undefined
}

/** The postal code that the label with a tracking number is delivered to, if it is known. */
export async function postalCodeOfNumber(facts: Facts, number?: string): Promise<string | undefined> {
  const followed = number === undefined ? undefined : await followedNumber(facts, number)
  const label = followed && (await load(facts, labelKind, followed.followed.order_id))
  return label?.state.to?.postal_code
}

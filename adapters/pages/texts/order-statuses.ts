import { textsOf } from '../../locales/texts.ts'
import { titleOf } from '../words.ts'

const table = textsOf('status.order', {
  NEW_ORDER: 'New order',
  HOLD: 'Hold',
  ASSIGNED: 'Assigned',
  ACCEPTED: 'Accepted',
  PICKUP_STARTED: 'Pickup started',
  PICKED_UP: 'Picked up',
  ON_THE_WAY: 'On the way',
  WITH_CARRIER: 'With carrier',
  DELIVERED: 'Delivered',
  DELIVERED_BY_CARRIER: 'Delivered by carrier',
  FAILED: 'Failed',
  RETURNED: 'Returned',
  CANCELLED: 'Cancelled',
})

/** The status of an order in the words of a language; a new status is shown by its name until it has words. */
export function orderStatusIn(language: string, status: string): string {
  const words: Readonly<Record<string, string>> = table(language)
  return words[status] ?? titleOf(status.toLowerCase())
}

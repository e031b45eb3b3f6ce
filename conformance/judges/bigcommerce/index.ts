import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { falseClaims, shopFactsOf } from '../shop.ts'
import { schema, statusNames } from './schema.ts'

interface OrderAndShipments {
  readonly order: { readonly status_id: number; readonly status: string; readonly date_shipped?: string }
  readonly shipments: readonly { readonly date_created?: string }[]
}

const shipped = 2
const cancelled = 5
const completed = 10
/** Partially shipped, paid, refunded, disputed, collected by the customer: a parcel shows none of these. */
const notOfParcels = new Set([0, 1, 3, 4, 6, 7, 8, 12, 13, 14])

/** The judges of BigCommerce documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'shape of Orders v2 (hand-written)', format: 'bigcommerce', schema: () => schema }),
  rulesJudge<OrderAndShipments>('rules of Orders v2 and of the parcel', 'bigcommerce', (document, { timeline }) => {
    const { order, shipments } = document
    const { seconds } = shopFactsOf(timeline)
    const isDelivered = order.status_id === completed
    const isShipped = isDelivered || order.status_id === shipped
    const dates = [order.date_shipped, ...shipments.map(({ date_created }) => date_created)]
    return [
      statusNames[order.status_id] !== order.status && 'status is not the name of status_id.',
      notOfParcels.has(order.status_id) && 'No parcel tells of this status.',
      ...falseClaims({ isShipped, isDelivered, isCancelled: order.status_id === cancelled }, timeline),
      isShipped !== shipments.length > 0 && 'There are shipments exactly where something was shipped.',
      isShipped !== (order.date_shipped !== undefined) && 'There is a date of shipping exactly where it was shipped.',
      !dates.every((date) => date === undefined || seconds.has(secondsOf(date))) &&
        'A date is not when anything happened.',
    ]
  }),
]

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Epoch seconds of an RFC 2822 date in UTC; `Date.parse` takes the year 0001 for 2001. */
function secondsOf(date: string): number {
  const [, day, month = '', year = '', time] = date.split(/,? /)
  const number = String(months.indexOf(month) + 1).padStart(2, '0')
  const full = year.length > 4 ? `+${year.padStart(6, '0')}` : year
  return Date.parse(`${full}-${number}-${day}T${time}Z`) / 1000
}

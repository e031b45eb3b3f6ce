import { reportedSteps } from '../../kernel/carrier-report.ts'
import { finalOrderStatuses, type OrderStatus } from '../../kernel/order-status.ts'
import type { Bought, LabelReport, Reported } from './table.ts'

type Parcels = Bought & Reported

interface Known {
  readonly order_status?: OrderStatus | undefined
  readonly report?: LabelReport | undefined
}

/** Whether a report moves a parcel of a label whose way is not over; none does twice. */
export function isNews(
  { reported, report, order_status }: Reported & Known,
  { tracking_number, status_code, position }: LabelReport,
): boolean {
  if (report !== undefined && position <= report.position) return false
  const isOver = order_status !== undefined && finalOrderStatuses.includes(order_status)
  const status = statusOf(status_code)
  return !isOver && status !== undefined && status !== statusOf(reported?.[tracking_number] ?? '')
}

/** How far a label is once a report is taken: it ends with its last parcel, and has failed as long as one of them has. */
export function orderStatusAfter({ label, reported = {} }: Parcels, report: LabelReport): OrderStatus {
  const codes: Readonly<Record<string, string>> = { ...reported, [report.tracking_number]: report.status_code }
  const numbers = label?.tracking_numbers ?? [report.tracking_number]
  const each = numbers.map((number) => statusOf(codes[number] ?? ''))
  if (each.every((status) => status !== undefined && finalOrderStatuses.includes(status)))
    return ended.find((status) => each.includes(status)) ?? 'CANCELLED'
  if (each.includes('FAILED')) return 'FAILED'
  return each.some((status) => status !== undefined && status !== 'CANCELLED') ? 'WITH_CARRIER' : 'NEW_ORDER'
}

/** Of several parcels that have ended, the first of these says how the label has. */
const ended: readonly OrderStatus[] = ['RETURNED', 'DELIVERED_BY_CARRIER', 'CANCELLED']

/** How a parcel is, by its status; undefined where that says only what is to come. */
function statusOf(code: string): OrderStatus | undefined {
  switch (reportedSteps[code] ?? 'none') {
    case 'carried':
      return 'WITH_CARRIER'
    case 'pickup_failed':
    case 'delivery_failed':
    case 'refused':
      return 'FAILED'
    case 'delivered':
      return 'DELIVERED_BY_CARRIER'
    case 'returned':
      return 'RETURNED'
    case 'given_back':
      return 'CANCELLED'
    case 'none':
      return undefined
  }
}

import * as v from 'valibot'
import { type Family, staff } from '../kernel/account.ts'
import { compareAmounts, isNothing, lessOf, printedAmount, sumOf, sumText } from '../kernel/money.ts'
import { named } from '../kernel/named.ts'
import { type Bill, offlineMethods, remainingOn } from '../kernel/payable.ts'
import { word } from '../kernel/schemas.ts'
import { zonedIso } from '../kernel/zone.ts'
import { type Field, nobody, type View } from './field.ts'

/** Money that came or went, as events record it; what was paid outside says how. */
const payment = v.strictObject({
  amount: v.string(),
  currency: v.string(),
  method: v.exactOptional(v.picklist(offlineMethods)),
  reference: v.exactOptional(word(100)),
})

/** Money that came or went. */
export type Payment = v.InferOutput<typeof payment>

const offlinePayment = v.strictObject({
  amount: v.string(),
  method: v.picklist(offlineMethods),
  reference: v.exactOptional(v.string()),
  at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
  by: v.nullable(v.number()),
})

/** What was paid outside, as the state has it: `at` is ISO 8601, UTC. */
export type OfflinePayment = v.InferOutput<typeof offlinePayment>

/** The field of what was paid outside, as it was recorded. */
export const offlinePayments = {
  about: 'What was paid outside of this server, as it was recorded.',
  type: v.array(offlinePayment),
  example: [{ amount: '5.00', method: 'cash', at: '2026-06-10T10:00:00.000Z', by: 1 }],
} as const

/** As much of the state of an order as its payments set. */
export interface Payments {
  readonly paid?: string | undefined
  readonly paid_offline?: string | undefined
  readonly refunded?: string | undefined
  readonly offline_payments?: readonly OfflinePayment[] | undefined
}

/** What an event says of money. */
export interface Said {
  readonly at: string
  readonly by: number | null
  readonly payment: Payment
}

/** How an event of a payment sets a field. */
export interface Effect<Value> {
  of(data: Said, before: Payments): Value
}

type Counted = 'paid' | 'paid_offline' | 'refunded'

function more(name: Counted): Effect<string> {
  return { of: ({ payment: { amount, currency } }, before) => sumOf([before[name] ?? '0', amount], currency) }
}

function less(name: Counted): Effect<string> {
  return { of: ({ payment: { amount, currency } }, before) => lessOf(before[name] ?? '0', amount, currency) }
}

const listed: Effect<readonly OfflinePayment[]> = {
  of: ({ at, by, payment: { currency: _, method = 'other', ...paid } }, { offline_payments = [] }) => [
    ...offline_payments,
    { ...paid, method, at, by },
  ],
}

/** What a payment outside of this server does to an order: the same for every family. */
export const offlineEffects = { paid: more('paid'), paid_offline: more('paid_offline'), offline_payments: listed }

/** What a customer and the staff read of payments, beside what was paid and what is left. */
export function offlineFields<const Of extends Family>(
  family: Of,
  name: string,
  currencyOf: (state: never) => string | undefined,
) {
  const shown = {
    personal: false,
    price: family,
    carried: false,
    listed: 'no',
    webhooks: 'none',
    missing: 'left out',
    setBy: nobody,
  } as const
  return {
    paid_offline_amount: {
      ...shown,
      about:
        'As much of it as was paid outside of this server; missing where nothing was. It is never given back to the wallet.',
      type: sumText,
      example: '5.00',
      set: {},
      shownTo: [...staff, 'customer'],
      of: (state: Payments) => {
        const currency = currencyOf(state as never)
        const { paid_offline = '0' } = state
        return currency === undefined || isNothing(paid_offline) ? undefined : printedAmount(paid_offline, currency)
      },
    },
    offline_settlements: {
      ...shown,
      about: 'Each payment outside of this server: how much, in which way, when, and who recorded it.',
      type: v.array(named(`${name}OfflinePayment`, offlinePayment)),
      example: [{ amount: '5.00', method: 'cash', at: '2026-06-10T06:00:00-04:00', by: 1 }],
      set: {},
      shownTo: staff,
      of: ({ offline_payments = [] }: Payments, { timeZone }: View) =>
        offline_payments.length === 0
          ? undefined
          : offline_payments.map((one) => ({ ...one, at: zonedIso(Date.parse(one.at), timeZone) })),
    },
  } as const satisfies Readonly<Record<string, Field>>
}

/** The moves of a thing that is paid; the events have its name in front, as `LabelPaid`. */
export function payingMoves<const Name extends string, const Status extends string>(
  thing: Name,
  { from, family, noun }: { readonly from: readonly Status[]; readonly family: Family; readonly noun: string },
) {
  const words = noun.replaceAll('_', ' ')
  return {
    pay: {
      from,
      event: `${thing}Paid`,
      call: {
        operation: `pay_${noun}`,
        verb: 'pay',
        by: ['customer'],
        risk: 'high',
        summary: `Pay for a ${words} from the wallet of the calling customer. What was paid comes back if it is cancelled.`,
        pays: family,
      },
    },
    settle_offline: {
      from,
      event: `${thing}SettledOffline`,
      call: {
        operation: `settle_${noun}_offline`,
        verb: 'settle-offline',
        by: staff,
        risk: 'high',
        summary: `Record that a ${words} was paid outside of this server, all of it or a part. No wallet changes.`,
        pays: family,
      },
    },
    /** What was paid from the wallet goes back there. */
    refund: { from: 'any', event: `${thing}Refunded` },
  } as const
}

/** What a customer and the staff read of what was paid, and of what is left. */
function amountFields<const Of extends Family>(family: Of, billOf: (state: never) => Bill) {
  const base = { personal: false, price: family, carried: false, listed: 'no', webhooks: 'none' } as const
  const shown = { ...base, setBy: nobody, shownTo: [...staff, 'customer'], missing: 'left out', set: {} } as const
  const amount = (of: (bill: Bill, currency: string, state: Payments) => string | undefined) => (state: Payments) => {
    const bill = billOf(state as never)
    return bill.currency === undefined ? undefined : of(bill, bill.currency, state)
  }
  return {
    paid_amount: {
      ...shown,
      about: 'Paid and not given back.',
      type: sumText,
      example: '0.00',
      of: amount(({ paid }, currency) => printedAmount(paid, currency)),
    },
    remaining_amount: {
      ...shown,
      about: 'Still to be paid.',
      type: sumText,
      example: '12.50',
      of: amount((bill, currency) => printedAmount(remainingOn(bill), currency)),
    },
    refunded_amount: {
      ...shown,
      about: 'Given back; missing where nothing was.',
      type: sumText,
      example: '5.00',
      of: amount((_, currency, { refunded = '0' }) =>
        isNothing(refunded) ? undefined : printedAmount(refunded, currency),
      ),
    },
  } as const satisfies Readonly<Record<string, Field>>
}

/** The facts of how a thing was paid. */
export function payingFields<const Of extends Family>(family: Of, name: string, billOf: (state: never) => Bill) {
  const base = { personal: false, price: family, carried: false, listed: 'no', webhooks: 'none' } as const
  const hidden = { ...base, setBy: nobody, shownTo: nobody } as const
  return {
    payment: {
      ...hidden,
      about: 'The money that came last, or went back.',
      type: payment,
      example: { amount: '5.00', currency: 'CAD' },
      set: { pay: 'engine', settle_offline: 'engine', refund: 'engine' },
    },
    paid: {
      ...hidden,
      about: 'Paid and not given back.',
      type: sumText,
      example: '0.00',
      set: { pay: more('paid'), settle_offline: more('paid'), refund: less('paid') },
    },
    paid_offline: {
      ...hidden,
      about: 'As much of it as was paid outside of this server.',
      type: sumText,
      example: '0.00',
      set: { settle_offline: more('paid_offline') },
    },
    refunded: {
      ...hidden,
      about: 'Given back to the wallet of the customer.',
      type: sumText,
      example: '0.00',
      set: { refund: more('refunded') },
    },
    offline_payments: {
      ...hidden,
      ...offlinePayments,
      set: { settle_offline: listed },
    },
    ...amountFields(family, billOf),
    ...offlineFields(family, name, (state) => billOf(state).currency),
  } as const satisfies Readonly<Record<string, Field>>
}

/** The part of what was paid that came from the wallet. */
export function paidFromWallet({ paid = '0', paid_offline = '0' }: Payments, currency: string): string {
  return lessOf(paid, paid_offline, currency)
}

/**
 * The step that gives back what was paid beyond a total, all of it before an order ends, as far as it came from the wallet; what was
 * paid outside is given back there.
 */
export function refundSteps(
  state: Payments,
  { currency }: Pick<Bill, 'currency'>,
  total = '0',
): readonly (readonly ['refund', { payment: Payment }])[] {
  if (currency === undefined) return []
  const [over, ofWallet] = [lessOf(state.paid ?? '0', total, currency), paidFromWallet(state, currency)]
  const amount = compareAmounts(over, ofWallet) > 0 ? ofWallet : over
  return isNothing(amount) ? [] : [['refund', { payment: { amount, currency } }]]
}

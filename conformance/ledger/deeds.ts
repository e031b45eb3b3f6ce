import fc from 'fast-check'
import { abroad } from './amounts.ts'
import type { Asked } from './model.ts'

/** What is done with the money of some customers; an order is counted back from the last one. */
export type Step =
  | { readonly do: 'top up' | 'set credit'; readonly customer: number; readonly amount: string }
  | {
      readonly do: 'adjust'
      readonly customer: number
      readonly kind: 'adjustment' | 'credit_note' | 'fee'
      readonly amount: string
    }
  | { readonly do: 'create'; readonly customer: number; readonly price: Asked | undefined }
  | { readonly do: 'set price'; readonly order: number; readonly price: Asked; readonly isNoted: boolean }
  | { readonly do: 'pay' | 'refund'; readonly order: number; readonly amount: string | undefined }
  | { readonly do: 'deliver' | 'return' | 'cancel' | 'reroute'; readonly order: number }

/** One step, again with the same key or not; or two at the same time. */
export type Turn =
  | { readonly step: Step; readonly again: 'no' | 'after' | 'at once' }
  | { readonly together: readonly [Step, Step] }

/** The customers whose money moves. */
export const customers = [0, 1]

const customer = fc.constantFrom(...customers)
const order = fc.nat({ max: 3 })

/** Amounts that are mostly good: small, so that they meet, with up to four decimals, or none at all. */
function amounts(decimals: number) {
  const small = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 3000 }))
  const good = small.map((units) => {
    const digits = String(units).padStart(decimals + 1, '0')
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  })
  const bad = fc.constantFrom(
    '0',
    '0.00',
    '-1',
    '-1.00',
    '1.0001',
    '1.5',
    '1.25',
    '1.00000',
    '1e3',
    '',
    '01',
    '1.',
    ' 1',
    '999999999',
  )
  return fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: bad })
}

/** Turns of a business whose currency has so many decimals. */
export function turns(decimals: number, maxLength: number) {
  const amount = amounts(decimals)
  const priceOf = (one: typeof amount) =>
    fc.record({ shipping_price: one, tax: one }, { requiredKeys: ['shipping_price'] }) as fc.Arbitrary<Asked>
  const foreign = priceOf(amounts(abroad.decimals)).map((one): Asked => ({ ...one, currency: abroad.currency }))
  const price = fc.oneof({ weight: 3, arbitrary: priceOf(amount) }, { weight: 1, arbitrary: foreign })
  const some = fc.option(amount, { nil: undefined })
  const kind = fc.constantFrom('adjustment', 'credit_note', 'fee')
  const signed = fc.oneof(
    amount,
    amount.map((one) => `-${one}`),
  )
  const of = <const Name extends string, Rest extends object>(
    name: Name,
    rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
  ) => fc.record<{ do: Name } & Rest>({ do: fc.constant(name), ...rest } as never)
  const often = (weight: number, arbitrary: fc.Arbitrary<unknown>) => ({ weight, arbitrary })
  const money = fc.oneof(
    often(3, of('pay', { order, amount: some })),
    often(3, of('pay', { order, amount: fc.constant(undefined) })),
    often(4, of('refund', { order, amount: some })),
    often(3, of('set price', { order, price, isNoted: fc.boolean() })),
    often(3, of('top up', { customer, amount })),
    often(2, of('adjust', { customer, kind, amount: signed })),
    often(1, of('set credit', { customer, amount })),
    often(1, fc.oneof(of('cancel', { order }), of('reroute', { order }))),
  ) as fc.Arbitrary<Step>
  const step = fc.oneof(
    { weight: 12, arbitrary: money },
    { weight: 1, arbitrary: of('create', { customer, price: fc.option(price, { nil: undefined, freq: 9 }) }) },
    { weight: 1, arbitrary: fc.oneof(of('deliver', { order }), of('return', { order })) },
  ) as fc.Arbitrary<Step>
  const turn = fc.oneof(
    { weight: 4, arbitrary: fc.record({ step, again: fc.constantFrom('no', 'no', 'after', 'at once') }) },
    { weight: 1, arbitrary: fc.record({ together: fc.tuple(money, money) }) },
  ) as fc.Arbitrary<Turn>
  // Some money and some orders come first, so that most of what follows has something to move.
  const worth = fc.oneof({ weight: 3, arbitrary: price }, { weight: 1, arbitrary: fc.constant(undefined) })
  const begun = fc.tuple(
    ...customers.flatMap((customer) => [
      of('top up', { customer: fc.constant(customer), amount }),
      of('create', { customer: fc.constant(customer), price: worth }),
      of('create', { customer: fc.constant(customer), price: worth }),
      of('set credit', { customer: fc.constant(customer), amount }),
    ]),
  ) as unknown as fc.Arbitrary<readonly Step[]>
  const further = fc.array(turn, { minLength: maxLength / 2, maxLength, size: 'max' })
  return fc
    .tuple(begun, further)
    .map(([steps, more]): readonly Turn[] => [...steps.map((step) => ({ step, again: 'no' }) as const), ...more])
}

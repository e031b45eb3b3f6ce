import * as v from 'valibot'
import { families } from '../../kernel/account.ts'
import {
  type Charge,
  type ChargedMovement,
  type ChargedTax,
  charge,
  chargedMovement,
  chargedTax,
} from '../../kernel/charge.ts'
import { isNothing, negativeOf, sumOf } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'

const amount = v.string()

/** What an order adds to what earlier statements told of it. */
export const line = named(
  'StatementLine',
  v.strictObject({ ...charge.entries, total: v.pipe(amount, v.description('Net and tax.')) }),
)

const familySum = named(
  'StatementFamily',
  v.strictObject({ family: v.picklist(families), orders: v.number(), net: amount, tax: amount, total: amount }),
)

/** What a statement of a customer says, beside whose it is. */
export const contentEntries = {
  lines: v.array(line),
  by_family: v.array(familySum),
  taxes: v.array(named('StatementTax', chargedTax)),
  net: amount,
  tax: amount,
  total: amount,
  movements: v.array(named('StatementMovement', chargedMovement)),
  opening_balance: amount,
  closing_balance: amount,
}

/** What a statement says. */
export type Content = v.InferOutput<v.StrictObjectSchema<typeof contentEntries, undefined>>

type Line = v.InferOutput<typeof line>

type Summed = Pick<Content, 'lines' | 'by_family' | 'taxes' | 'net' | 'tax' | 'total'>

/** The lines of orders as they are now, after those of earlier statements; of an order that costs what those say, none. */
export function linesOf(charges: readonly Charge[], told: readonly Line[], currency: string): readonly Line[] {
  const negative = (amount: string) => negativeOf(amount, currency)
  const before = grouped(told, keyOf)
  return charges.flatMap((now): readonly Line[] => {
    const earlier = before.get(keyOf(now)) ?? []
    const add = (one: string, others: readonly string[]) => sumOf([one, ...others.map(negative)], currency)
    const net = add(
      now.net,
      earlier.map((one) => one.net),
    )
    const tax = add(
      now.tax,
      earlier.map((one) => one.tax),
    )
    const minus = earlier.flatMap(({ taxes }) =>
      taxes.map((one) => ({ ...one, net: negative(one.net), tax: negative(one.tax) })),
    )
    const taxes = taxesOf([...now.taxes, ...minus], currency)
    if (isNothing(net) && isNothing(tax) && taxes.length === 0) return []
    return [{ ...now, net, tax, taxes, total: sumOf([net, tax], currency) }]
  })
}

/** Some families have separate numbers. */
function keyOf({ family, order_id }: Charge): string {
  return `${family} ${order_id}`
}

/** What lines come to: by family, by rate and region of taxes, and in all. */
export function summed(lines: readonly Line[], currency: string): Summed {
  const sums = (some: readonly Line[]) => {
    const net = sumOf(
      some.map((one) => one.net),
      currency,
    )
    const tax = sumOf(
      some.map((one) => one.tax),
      currency,
    )
    return { net, tax, total: sumOf([net, tax], currency) }
  }
  const byFamily = grouped(lines, ({ family }) => family)
  const by_family = [...byFamily].map(([family, some]) => ({ family, orders: some.length, ...sums(some) }))
  return {
    lines: [...lines],
    by_family,
    taxes: taxesOf(
      lines.flatMap(({ taxes }) => taxes),
      currency,
    ),
    ...sums(lines),
  }
}

/** The movements of a wallet after those of earlier statements, with the balances before and after them. */
export function movementsOf(
  all: readonly ChargedMovement[],
  { told, before }: { readonly told: number; readonly before: string },
  currency: string,
): Pick<Content, 'movements' | 'opening_balance' | 'closing_balance'> {
  const end = all.findIndex(({ number, at }) => number > told && at >= before)
  const movements = all.slice(told, end < 0 ? undefined : end)
  const opening_balance = sumOf([all[told - 1]?.balance ?? '0'], currency)
  return { movements, opening_balance, closing_balance: movements.at(-1)?.balance ?? opening_balance }
}

/** Taxes of one name, rate and region together; those that come to nothing are left out. */
function taxesOf(taxes: readonly ChargedTax[], currency: string): ChargedTax[] {
  const key = ({ name, percent, country, region }: ChargedTax) => JSON.stringify([name, percent, country, region])
  return [...grouped(taxes, key).values()].flatMap((some): readonly ChargedTax[] => {
    const net = sumOf(
      some.map((one) => one.net),
      currency,
    )
    const tax = sumOf(
      some.map((one) => one.tax),
      currency,
    )
    return isNothing(net) && isNothing(tax) ? [] : [{ ...(some[0] as ChargedTax), net, tax }]
  })
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

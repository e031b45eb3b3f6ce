import * as v from 'valibot'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { amountText, compareAmounts, isNothing, percentText, precisionFindings } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { country } from '../../kernel/places/countries.ts'
import { distinct, id, postalPrefix, word } from '../../kernel/schemas.ts'

const amount = v.pipe(amountText, v.maxLength(12))

/** A rule of mark-ups: for which rates it is, and what is added to them. Each member is a column of the table, in this order. */
export const markUp = named(
  'MarkUp',
  v.strictObject({
    carrier_account_id: v.exactOptional(v.pipe(id, v.description('Only rates of this account at a carrier.'))),
    services: v.exactOptional(
      v.pipe(
        v.array(v.pipe(word(60), v.regex(/^\S+$/, 'without_spaces' satisfies Code))),
        v.minLength(1),
        v.maxLength(50),
        distinct<string>(),
        v.description('Only these services of carriers.'),
      ),
    ),
    customers: v.exactOptional(
      v.pipe(
        v.array(id),
        v.minLength(1),
        v.maxLength(1000),
        distinct<number>(),
        v.description('Only these customers.'),
      ),
    ),
    countries: v.exactOptional(
      v.pipe(
        v.array(country),
        v.minLength(1),
        v.maxLength(250),
        distinct<string>(),
        v.description('Only shipments to these countries (ISO 3166-1).'),
      ),
    ),
    postal_codes: v.exactOptional(
      v.pipe(
        v.array(postalPrefix),
        v.minLength(1),
        v.maxLength(200),
        distinct<string>(),
        v.description('Only shipments to postal codes that begin so; in capitals and without spaces.'),
      ),
    ),
    up_to_grams: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(100_000_000),
        v.description('Only shipments whose parcels weigh so much together, or less.'),
      ),
    ),
    is_sold: v.exactOptional(
      v.pipe(v.boolean(), v.description('Whether customers may buy at such rates; yes where absent.')),
    ),
    percent: v.exactOptional(
      v.pipe(percentText, v.description('Of what the carrier takes is added: decimal text, as 8.25 for 8.25 %.')),
    ),
    amount: v.exactOptional(
      v.pipe(amount, v.description('Is added, too: decimal text in the currency of the business.')),
    ),
    minimum: v.exactOptional(v.pipe(amount, v.description('The mark-up is at least this.'))),
    round_to: v.exactOptional(
      v.pipe(amount, v.description('The price is raised to the next multiple of this, as 0.05 or 1.00.')),
    ),
    ending: v.exactOptional(
      v.pipe(
        amount,
        v.description('With round_to: so much above a multiple. 0.95 with round_to 1.00 makes 12.95 of 12.10.'),
      ),
    ),
  }),
)

/** A rule of mark-ups. */
export type MarkUp = v.InferOutput<typeof markUp>

/** The most rules that a business has. */
export const maxRules = 500

/** The rules of a business: the first one that fits a rate holds for it. */
export const rulesSchema = v.pipe(
  v.array(markUp),
  v.maxLength(maxRules),
  v.description('The first rule that fits a rate holds for it; a rate that none fits is not offered to customers.'),
)

const added = ['percent', 'amount', 'minimum', 'round_to', 'ending'] as const
const money = ['amount', 'minimum', 'round_to', 'ending'] as const
const lists = ['services', 'customers', 'countries', 'postal_codes'] as const

/** What the ids of rules may name. */
export interface Nameable {
  readonly accounts: ReadonlySet<number>
  readonly customers: ReadonlySet<number>
}

/** What is wrong with rules that the schema allows, by the place of each rule. */
export function ruleFindings(rules: readonly MarkUp[], currency: string, nameable: Nameable): readonly Finding[] {
  return rules.flatMap((rule, at) => {
    const path = pathTo('rules', at)
    return [
      ...moneyFindings(rule, path, currency),
      ...unknownFindings(rule, path, nameable),
      ...coverFindings(rules, at, path),
    ]
  })
}

function moneyFindings(rule: MarkUp, path: string, currency: string): readonly Finding[] {
  const { round_to, ending } = rule
  const useless = rule.is_sold === false ? added.filter((member) => rule[member] !== undefined) : []
  const isEndless = ending !== undefined && (round_to === undefined || compareAmounts(ending, round_to) >= 0)
  return [
    ...money.flatMap((member) => precisionFindings(pathTo(path, member), rule[member], currency)),
    ...useless.map((member): Finding => ({ path: pathTo(path, member), code: 'not_sold' })),
    ...(round_to !== undefined && isNothing(round_to)
      ? [{ path: pathTo(path, 'round_to'), code: 'nothing_to_round_to' } as const]
      : []),
    ...(isEndless ? [{ path: pathTo(path, 'ending'), code: 'ending_too_large' } as const] : []),
  ]
}

function unknownFindings(rule: MarkUp, path: string, { accounts, customers }: Nameable): readonly Finding[] {
  const { carrier_account_id: account } = rule
  const unknown = (rule.customers ?? []).flatMap((one, at) => (customers.has(one) ? [] : [at]))
  return [
    ...(account !== undefined && !accounts.has(account)
      ? [
          {
            path: pathTo(path, 'carrier_account_id'),
            code: 'carrier_account_not_found',
            params: { account },
          } as const,
        ]
      : []),
    ...unknown.map(
      (at): Finding => ({
        path: pathTo(pathTo(path, 'customers'), at),
        code: 'customer_not_found',
        params: { customer: rule.customers?.[at] ?? 0 },
      }),
    ),
  ]
}

/** A rule that an earlier one leaves nothing to is a mistake. */
function coverFindings(rules: readonly MarkUp[], at: number, path: string): readonly Finding[] {
  const rule = rules[at] as MarkUp
  const first = rules.slice(0, at).findIndex((earlier) => covers(earlier, rule))
  return first < 0 ? [] : [{ path, code: 'rule_never_reached', params: { rule: first + 1 } }]
}

/** Whether every rate that fits a rule fits an earlier one, too. */
function covers(earlier: MarkUp, rule: MarkUp): boolean {
  const { carrier_account_id: account, up_to_grams: limit } = earlier
  if (account !== undefined && account !== rule.carrier_account_id) return false
  if (limit !== undefined && (rule.up_to_grams === undefined || rule.up_to_grams > limit)) return false
  return lists.every((member) => {
    const [wide, narrow] = [earlier[member], rule[member]] as readonly [Listed, Listed]
    if (wide === undefined) return true
    if (narrow === undefined) return false
    const isPrefix = member === 'postal_codes'
    return narrow.every((one) =>
      wide.some((other) => (isPrefix ? String(one).startsWith(String(other)) : one === other)),
    )
  })
}

type Listed = readonly (string | number)[] | undefined

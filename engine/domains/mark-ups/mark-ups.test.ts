import fc from 'fast-check'
import t from 'tap'
import { csvLine } from '../../kernel/csv.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { decimalsOf } from '../../kernel/money.ts'
import { parse } from '../../kernel/parse.ts'
import { runs } from '../../testing/runs.test.fixture.ts'
import { importedRules, markUpColumns, rowOf } from './csv.ts'
import { type MarkUp, ruleFindings, rulesSchema } from './mark-up.ts'
import { maySell, ruleFor, sellPrice } from './price.ts'

const currencies = ['JPY', 'CAD', 'KWD'] as const
const sale = { customerId: 7, accountId: 1, service: 'ground' }
const shipmentOf = (country: string, postal_code: string, ...grams: readonly number[]) => ({
  ...{ from: { country: 'CA' }, to: { country, postal_code } },
  parcels: grams.map((weight_grams) => ({ weight_grams })),
})

/** Decimal text of whole units of the smallest amount of a currency. */
function text(units: bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const units = fc.bigInt({ min: 0n, max: 99_999n })
const rarely = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined })

/** A rule in smallest amounts; `percent` in ten-thousandths of a percent. */
const priced = fc.record({
  currency: fc.constantFrom(...currencies),
  cost: units,
  percent: rarely(fc.bigInt({ min: 0n, max: 9_999_999n })),
  amount: rarely(units),
  minimum: rarely(units),
  step: rarely(fc.bigInt({ min: 1n, max: 500n })),
  part: fc.bigInt({ min: 0n, max: 499n }),
})

t.test('given any cost and rule, then the price is that of whole numbers of the smallest amount', async (t) => {
  fc.assert(
    fc.property(priced, ({ currency, cost, percent, amount, minimum, step, part }) => {
      const ending = step === undefined || part === 0n ? undefined : part % step
      const amounts = { amount, minimum, round_to: step, ending }
      const given = Object.entries(amounts).filter(([, value]) => value !== undefined)
      const rule: MarkUp = Object.fromEntries(given.map(([name, value]) => [name, text(value as bigint, currency)]))
      const share =
        percent === undefined ? {} : { percent: `${percent / 10_000n}.${String(percent % 10_000n).padStart(4, '0')}` }
      // Half up: a percentage of a whole number is a fraction of 1,000,000.
      const exact = cost * (percent ?? 0n)
      const added = exact / 1_000_000n + (exact % 1_000_000n >= 500_000n ? 1n : 0n) + (amount ?? 0n)
      let price = cost + (added > (minimum ?? 0n) ? added : (minimum ?? 0n))
      if (step !== undefined) {
        const above = ending ?? 0n
        if (price < above) price = above
        else while ((price - above) % step !== 0n) price++
      }
      const found = sellPrice(text(cost, currency), { ...rule, ...share }, currency)
      if (found !== text(price, currency)) throw new Error(`${found} is not ${text(price, currency)} ${currency}`)
    }),
    { numRuns: runs(t, 2_000) },
  )
})

t.test('given some prices that people know, then each rounding makes them', async (t) => {
  for (const [cost, rule, expected, currency = 'CAD'] of [
    ['10.00', {}, '10.00'],
    ['10.00', { percent: '12.5' }, '11.25'],
    ['9.99', { percent: '12.5' }, '11.24'],
    ['10.00', { percent: '10', amount: '0.50' }, '11.50'],
    ['10.00', { percent: '10', minimum: '2.00' }, '12.00'],
    ['12.01', { round_to: '0.05' }, '12.05'],
    ['12.05', { round_to: '0.05' }, '12.05'],
    ['12.01', { round_to: '0.10' }, '12.10'],
    ['12.10', { round_to: '1.00', ending: '0.95' }, '12.95'],
    ['12.95', { round_to: '1', ending: '0.95' }, '12.95'],
    ['12.96', { round_to: '1', ending: '0.95' }, '13.95'],
    ['0.10', { round_to: '1', ending: '0.95' }, '0.95'],
    ['1050', { percent: '3', round_to: '100', ending: '80' }, '1180', 'JPY'],
    ['1051', { percent: '10' }, '1156', 'JPY'],
    ['1.005', { percent: '10' }, '1.106', 'KWD'],
  ] as const)
    t.equal(sellPrice(cost, rule, currency), expected, `${cost} ${JSON.stringify(rule)}`)
})

t.test('given rules, then the first that fits account, service, customer, place and weight holds', async (t) => {
  const rules: readonly MarkUp[] = [
    { customers: [9], percent: '1' },
    { carrier_account_id: 2, is_sold: false },
    { services: ['ground'], countries: ['CA'], postal_codes: ['M5', 'H'], up_to_grams: 1_000, percent: '2' },
    { services: ['ground'], countries: ['CA'], postal_codes: ['M5', 'H'], percent: '3' },
    { services: ['ground', 'air'], countries: ['CA', 'US'], percent: '4' },
    { services: ['air'], is_sold: false },
  ]
  const held = (asked: object, ...where: Parameters<typeof shipmentOf>) =>
    rules.indexOf(ruleFor(rules, { ...sale, ...asked }, shipmentOf(...where)) as MarkUp)
  t.equal(held({ customerId: 9 }, 'FR', '', 1), 0)
  t.equal(held({ accountId: 2 }, 'CA', 'M5V', 1), 1)
  t.equal(held({}, 'CA', 'm5v 1a1', 400, 600), 2, 'parcels weigh together')
  t.equal(held({}, 'CA', 'M5V-1A1', 400, 601), 3)
  t.equal(held({}, 'CA', 'V6B', 1), 4)
  t.equal(held({}, 'CA', '', 1), 4, 'who gives no postal code has none that begins so')
  t.equal(held({ service: 'air' }, 'FR', '', 1), 5)
  t.equal(held({}, 'FR', '', 1), -1)
  t.equal(maySell(rules, sale), true)
  t.equal(maySell(rules, { ...sale, accountId: 2 }), false)
  t.equal(maySell(rules, { ...sale, service: 'air' }), true, 'to the US')
  t.equal(maySell(rules, { ...sale, service: 'sea' }), false)
  t.equal(maySell(rules, { customerId: 7, accountId: 1 }), true)
  t.equal(maySell([{ services: ['air'], is_sold: false }, {}], { customerId: 7, accountId: 1 }), true)
  t.equal(maySell([{ services: ['air'], is_sold: false }, {}], { ...sale, service: 'air' }), false)
  t.equal(maySell([], sale), false)
})

const nameable = { accounts: new Set([1]), customers: new Set([7]) }
const wrong = (...rules: readonly MarkUp[]) =>
  ruleFindings(rules, 'JPY', nameable).map(({ path, code }) => `${path} ${code}`)

t.test('given rules that mean nothing, then each is named with its path', async (t) => {
  t.same(wrong({ amount: '1.5', round_to: '0', ending: '0' }), [
    'rules[0].amount too_precise',
    'rules[0].round_to nothing_to_round_to',
    'rules[0].ending ending_too_large',
  ])
  t.same(wrong({ ending: '1' }), ['rules[0].ending ending_too_large'])
  t.same(wrong({ is_sold: false, percent: '5' }), ['rules[0].percent not_sold'])
  t.same(wrong({ carrier_account_id: 2, customers: [7, 8] }), [
    'rules[0].carrier_account_id carrier_account_not_found',
    'rules[0].customers[1] customer_not_found',
  ])
  t.same(wrong({ services: ['a'] }, { services: ['a', 'b'] }, { services: ['b', 'a'], up_to_grams: 5 }), [
    'rules[2] rule_never_reached',
  ])
  t.same(wrong({ postal_codes: ['M5'] }, { postal_codes: ['M5V', 'M5A'] }), ['rules[1] rule_never_reached'])
  t.same(wrong({ up_to_grams: 5 }, { up_to_grams: 10 }, {}), [])
  t.same(wrong({ up_to_grams: 10 }, { up_to_grams: 5 }), ['rules[1] rule_never_reached'])
  for (const rule of [{ percent: '-5' }, { amount: '-1' }, { services: ['a b'] }, { countries: ['zz'] }, { any: 1 }])
    t.not(parse(rulesSchema, [rule]).findings, undefined, JSON.stringify(rule))
})

const rule = fc.record(
  {
    carrier_account_id: fc.integer({ min: 1, max: 99 }),
    services: fc.uniqueArray(fc.stringMatching(/^[=+a-zA-Z0-9_,;"'-]{1,9}$/), { minLength: 1, maxLength: 3 }),
    customers: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 3 }),
    countries: fc.constantFrom(['CA'], ['CA', 'US']),
    postal_codes: fc.constantFrom(['M5V'], ['001', '1E5']),
    up_to_grams: fc.integer({ min: 1, max: 99_999 }),
    is_sold: fc.constant(false),
    percent: fc.constantFrom('0', '12.5'),
    amount: fc.constantFrom('1.50', '0'),
    minimum: fc.constantFrom('2.00'),
    round_to: fc.constantFrom('0.05'),
    ending: fc.constantFrom('0.01'),
  },
  { requiredKeys: [] },
)

t.test('given any rules, when they are exported and imported, then they are the same', async (t) => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 9 }), (rules) => {
      const given = rules as unknown as readonly MarkUp[]
      const lines = given.map((one) => csvLine(markUpColumns.map((column) => rowOf(one)[column])))
      const read = importedRules([csvLine(markUpColumns), ...lines].join('')).map((imported) => imported.rule)
      if (JSON.stringify(sorted(read)) !== JSON.stringify(sorted(given))) throw new Error(JSON.stringify(read))
    }),
    { numRuns: runs(t, 300) },
  )
})

function sorted(rules: readonly object[]) {
  return rules.map((one) => Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
}

t.test('given a text that is no table of mark-ups, then it is refused with what is wrong', async (t) => {
  const codeOf = (csv: string) => {
    try {
      return importedRules(csv).length
    } catch (error) {
      return isEngineError(error) ? error.findings[0]?.code : error
    }
  }
  t.equal(codeOf(''), 'csv_column')
  t.equal(codeOf('percent,percent\r\n'), 'csv_column')
  t.equal(codeOf('price\r\n1'), 'csv_column')
  t.equal(codeOf('percent,amount\r\n1\r\n'), 'csv_cells')
  t.equal(codeOf('"percent\r\n'), 'csv_malformed')
  t.equal(codeOf(`percent\r\n${'1\r\n'.repeat(501)}`), 'csv_rows')
  t.same(importedRules('Services;PERCENT;;Round To\r\nground air;12,5;;0,05\r\n;;;\r\n'), [
    { line: 2, rule: { services: ['ground', 'air'], percent: '12.5', round_to: '0.05' } },
  ])
})

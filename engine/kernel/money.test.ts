import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import {
  amountOf,
  convertedAmount,
  currencies,
  currencyCode,
  decimalsOf,
  exactMoney,
  isExact,
  isNothing,
  lessOf,
  percentOf,
  printedAmount,
  recordedAmount,
  sumOf,
  unitsOf,
} from './money.ts'

t.test('given amounts, when they are printed, then they have the decimals of their currency', async (t) => {
  const cases = [
    ['12.5', 'CAD', '12.50'],
    ['0', 'CAD', '0.00'],
    ['7', 'EUR', '7.00'],
    ['9999999.99', 'USD', '9999999.99'],
    ['105', 'JPY', '105'],
    ['0', 'JPY', '0'],
    ['1.125', 'KWD', '1.125'],
    ['1.1', 'KWD', '1.100'],
    ['3.1415', 'CLF', '3.1415'],
    ['-0.05', 'CAD', '-0.05'],
    ['105.50', 'JPY', '105.5'],
  ] as const
  for (const [amount, currency, printed] of cases) t.equal(printedAmount(amount, currency), printed)
})

t.test('given amounts, when they are added or taken, then nothing of them is lost', async (t) => {
  const tenth = Array.from({ length: 30 }, () => '0.1')
  t.equal(sumOf(tenth, 'CAD'), '3.00')
  t.equal(sumOf([], 'JPY'), '0')
  t.equal(lessOf('11.50', '10.10', 'CAD'), '1.40')
  t.equal(lessOf('1', '1.01', 'CAD'), '0.00')
  t.equal(isNothing('0.00'), true)
  t.equal(isNothing('0.0001'), false)
  const units = fc.bigInt({ min: 0n, max: 10n ** 20n })
  fc.assert(
    fc.property(units, units, fc.constantFrom(...currencies), (one, other, currency) => {
      t.equal(unitsOf(amountOf(one, currency)), one)
      t.equal(sumOf([amountOf(one, currency), amountOf(other, currency)], currency), amountOf(one + other, currency))
      t.equal(lessOf(amountOf(one + other, currency), amountOf(other, currency), currency), amountOf(one, currency))
    }),
  )
})

t.test('given the list of currencies, then each is one that the platform knows, and others are refused', async (t) => {
  const known = new Set(Intl.supportedValuesOf('currency'))
  // Newer than the data of the oldest platform that is supported.
  const isNew = (code: string) => ['SLE', 'VED', 'XCG', 'ZWG'].includes(code)
  const isFund = (code: string) => 'BOV CHE CHW CLF COU MXV USN UYI UYW'.includes(code)
  t.same(
    currencies.filter((code) => !known.has(code) && !isNew(code) && !isFund(code)),
    [],
  )
  t.equal(new Set(currencies).size, currencies.length)
  for (const code of ['ZZZ', 'XXX', 'XAU', 'XTS', 'DEM', 'eur', 'EURO', ''])
    t.equal(v.is(currencyCode, code), false, code)
  t.same(['JPY', 'CAD', 'KWD', 'CLF', 'IQD', 'ALL'].map(decimalsOf), [0, 2, 3, 4, 3, 2])
})

t.test('given amounts, then one with more decimals than its currency is not exact', async (t) => {
  for (const [amount, currency] of [
    ['105', 'JPY'],
    ['105.00', 'JPY'],
    ['1.125', 'KWD'],
    ['12.5000', 'CAD'],
  ] as const)
    t.ok(isExact(amount, currency), `${amount} ${currency}`)
  for (const [amount, currency] of [
    ['105.5', 'JPY'],
    ['1.1255', 'KWD'],
    ['12.505', 'CAD'],
  ] as const)
    t.notOk(isExact(amount, currency), `${amount} ${currency}`)
})

t.test('given money of another system, when it is read, then it is exact or it is none', async (t) => {
  t.same(exactMoney(9.5, 'CAD'), { amount: '9.50', currency: 'CAD' })
  t.same(exactMoney('1050.00', 'JPY'), { amount: '1050', currency: 'JPY' })
  t.same(exactMoney('1.125000', 'KWD'), { amount: '1.125', currency: 'KWD' })
  const none = [
    ...[9.999, '1e400', -5, 1e-7, 'NaN', '123456789012', null, undefined, {}].map((amount) => [amount, 'CAD'] as const),
    ...['ZZZ', 'cad', undefined, null, 7].map((currency) => [1, currency] as const),
  ]
  for (const [amount, currency] of none) t.equal(exactMoney(amount, currency), undefined, `${amount} ${currency}`)
})

t.test('given hundredths of an earlier version, when they are read, then they are the same amount', async (t) => {
  t.equal(recordedAmount(1250, 'CAD'), '12.50')
  t.equal(recordedAmount(105_000, 'JPY'), '1050')
  t.equal(recordedAmount('12.50', 'CAD'), '12.50')
})

/** Half up, by whole numbers of the smallest amount of the currency. */
function halfUp(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator
  return 2n * (numerator % denominator) >= denominator ? whole + 1n : whole
}

t.test('given percentages and rates of exchange, then they are rounded half up to the smallest amount', async (t) => {
  const cases = [
    ['10.01', 'CAD', '1.3725', '13.74'],
    ['0.01', 'CAD', '0.5', '0.01'],
    ['1234.00', 'JPY', '1.5', '1851'],
    ['10.49', 'JPY', '157.1', '1648'],
    ['9999999.99', 'VND', '999999.999999999999', '9999999990000'],
    ['10.00', 'JPY', '153.45', '1535'],
    ['10.00', 'KWD', '0.30755', '3.076'],
    ['1234.00', 'CAD', '0.009', '11.11'],
  ] as const
  for (const [amount, to, rate, converted] of cases)
    t.equal(convertedAmount(amount, { to, rate }), converted, `${amount} at ${rate} in ${to}`)
  const currency = fc.constantFrom('JPY', 'CAD', 'KWD', 'CLF')
  const smallest = fc.bigInt({ min: 0n, max: 10n ** 12n })
  const tenThousandths = fc.integer({ min: 0, max: 9_999_999 })
  fc.assert(
    fc.property(currency, smallest, tenThousandths, (code, count, percent) => {
      const size = 10n ** BigInt(4 - decimalsOf(code))
      const text = `${Math.floor(percent / 10_000)}.${String(percent % 10_000).padStart(4, '0')}`
      t.equal(percentOf(count * size, text, code), halfUp(count * BigInt(percent), 1_000_000n) * size)
      const converted = amountOf(halfUp(count * BigInt(percent), 10_000n) * size, code)
      t.equal(convertedAmount(amountOf(count * size, code), { to: code, rate: text }), converted)
    }),
  )
})

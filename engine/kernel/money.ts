import * as v from 'valibot'
import { EngineError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Finding } from './finding.ts'
import type { Code } from './messages/index.ts'
import { refusing } from './schemas.ts'

/**
 * Money is parsed, rounded and printed here alone. An amount is decimal text with as many decimals as its currency has; sums use
 * whole numbers of units, because floats would round money. A unit is a ten-thousandth, the smallest part that a currency has.
 */
const decimalsOfUnit = 4

const unitsOfOne = 10n ** BigInt(decimalsOfUnit)

/** The currencies of ISO 4217 by their number of decimals, without metals and codes for testing. */
const listed: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU
    CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS
    KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD
    TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const decimals: ReadonlyMap<string, number> = new Map(
  Object.entries(listed).flatMap(([count, codes]) => codes.split(/\s+/).map((code) => [code, Number(count)] as const)),
)

/** The codes of the currencies that amounts may be in (ISO 4217), in order of the alphabet. */
export const currencies: readonly string[] = [...decimals.keys()].sort()

/** How many decimals the amounts of a currency have (ISO 4217); two for one that is not in the list any more. */
export function decimalsOf(currency: string): number {
  return decimals.get(currency) ?? 2
}

/** A currency: a code of ISO 4217. Others are refused with `not_currency`. */
export const currencyCode = v.pipe(
  v.string(),
  refusing((code) => (decimals.has(code) ? undefined : 'not_currency')),
  v.description('Code of ISO 4217, as CAD.'),
)

/** An amount of at most a billion: decimal text. How many decimals it may have, its currency says. */
export const amountText = v.pipe(
  v.string(),
  v.maxLength(14),
  v.regex(/^(0|[1-9]\d{0,8})(\.\d{1,4})?$/, 'not_an_amount' satisfies Code),
  v.description('Decimal text, as 12.50, with at most the decimals of the currency.'),
)

/** An amount of at most a billion that may be below zero, and is not zero. */
export const signedAmountText = v.pipe(
  v.string(),
  v.maxLength(15),
  v.regex(/^-?(?!0(\.0+)?$)(0|[1-9]\d{0,8})(\.\d{1,4})?$/, 'not_an_amount' satisfies Code),
  v.description('Decimal text, as 12.50 or -12.50, with at most the decimals of the currency.'),
)

/** A share of an amount of less than 1000 %. */
export const percentText = v.pipe(
  v.string(),
  v.maxLength(8),
  v.regex(/^(0|[1-9]\d{0,2})(\.\d{1,4})?$/, 'not_a_percentage' satisfies Code),
  v.description('Decimal text, as 8.25 for 8.25 %.'),
)

/** A balance or a change of one, as it is printed: it may be below zero. */
export const balanceText = v.pipe(
  v.string(),
  v.maxLength(21),
  v.regex(/^-?(0|[1-9]\d*)(\.\d{2,4})?$/),
  v.description('Decimal text, as 12.50 or -12.50, with the decimals of the currency.'),
)

/** A sum of amounts, as it is printed. */
export const sumText = v.pipe(
  v.string(),
  v.maxLength(20),
  v.regex(/^(0|[1-9]\d*)(\.\d{2,4})?$/),
  v.description('Decimal text, as 12.50, with the decimals of the currency.'),
)

/** The units of an amount, which may be negative. */
export function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.')
  const units = BigInt(whole) * unitsOfOne + BigInt(fraction.padEnd(decimalsOfUnit, '0'))
  return amount.startsWith('-') ? -units : units
}

/** The amount of so many units: with the decimals of the currency, and with more where an earlier version kept more. */
export function amountOf(units: bigint, currency: string): string {
  const size = units < 0n ? -units : units
  const fraction = String(size % unitsOfOne).padStart(decimalsOfUnit, '0')
  const needed = fraction.replace(/0+$/, '').length
  const shown = fraction.slice(0, Math.max(needed, decimalsOf(currency)))
  return `${units < 0n ? '-' : ''}${size / unitsOfOne}${shown === '' ? '' : `.${shown}`}`
}

/** An amount as it is printed. */
export function printedAmount(amount: string, currency: string): string {
  return amountOf(unitsOf(amount), currency)
}

/** The sum of amounts of a currency. */
export function sumOf(amounts: readonly string[], currency: string): string {
  return amountOf(
    amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n),
    currency,
  )
}

/** The rest of an amount after subtracting another, at least zero. */
export function lessOf(amount: string, taken: string, currency: string): string {
  const rest = unitsOf(amount) - unitsOf(taken)
  return amountOf(rest < 0n ? 0n : rest, currency)
}

/** The opposite of an amount: what takes away as much as the amount adds. */
export function negativeOf(amount: string, currency: string): string {
  return amountOf(-unitsOf(amount), currency)
}

/** What is left of an amount after subtracting another; below zero if that is more. */
export function differenceOf(amount: string, taken: string, currency: string): string {
  return amountOf(unitsOf(amount) - unitsOf(taken), currency)
}

/** Whether a text is an amount of a currency above zero, as it is printed. */
export function isPrinted(amount: string, currency: string): boolean {
  return /^\d+(\.\d+)?$/.test(amount) && printedAmount(amount, currency) === amount && !isNothing(amount)
}

/** Whether an amount is zero. */
export function isNothing(amount: string): boolean {
  return unitsOf(amount) === 0n
}

/** Below zero if an amount is less than another of the same currency, above zero if it is more. */
export function compareAmounts(amount: string, other: string): number {
  const [one, two] = [unitsOf(amount), unitsOf(other)]
  return one < two ? -1 : one > two ? 1 : 0
}

/** Whether an amount has no more decimals than its currency. */
export function isExact(amount: string, currency: string): boolean {
  return !/[1-9]/.test(amount.split('.')[1]?.slice(decimalsOf(currency)) ?? '')
}

/** What is wrong with an amount of a currency: `too_precise`, or nothing. */
export function precisionFindings(path: string, amount: string | undefined, currency: string): readonly Finding[] {
  if (amount === undefined || isExact(amount, currency)) return []
  return [{ path, code: 'too_precise', params: { currency, limit: decimalsOf(currency) } }]
}

/** Refuses an amount with more decimals than its currency has, as `too_precise` at the path. */
export function refuseImprecise(amount: string, currency: string, path = 'amount'): void {
  const findings = precisionFindings(path, amount, currency)
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}

/** An amount and its currency. */
export interface Money {
  /** Decimal text. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
}

/** Checks that an amount has no more decimals than its currency. */
export function exact<Value extends Money>() {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (dataset.typed && !isExact(dataset.value.amount, dataset.value.currency))
      addIssue({ message: 'too_precise' satisfies Code })
  })
}

/** Money as another system wrote it; undefined if its currency is not known, or if the amount is not an exact one of at most 99,999,999. */
export function exactMoney(amount: unknown, currency: unknown): Money | undefined {
  const text = String(amount)
  if (typeof currency !== 'string' || !decimals.has(currency)) return undefined
  if (!/^\d{1,8}(\.\d{1,20})?$/.test(text) || !isExact(text, currency)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  return { amount: printedAmount(`${whole}.${fraction.slice(0, decimalsOfUnit)}`, currency), currency }
}

/** The amount of a number of hundredths, as events of earlier versions had it; of decimal text, itself. */
export function recordedAmount(amount: string | number, currency: string): string {
  return typeof amount === 'string' ? amount : amountOf((BigInt(amount) * unitsOfOne) / 100n, currency)
}

/** A percentage of units, rounded half up to the smallest amount of the currency. */
export function percentOf(units: bigint, percent: string, currency: string): bigint {
  const [numerator, scale] = fractionOf(percent)
  return rounded(units * numerator, scale * 100n, currency)
}

/** The least amount that is so much above a multiple of a step, and not less than the given one. */
export function raisedTo(amount: string, step: string, ending: string, currency: string): string {
  const [size, above] = [unitsOf(step), unitsOf(ending)]
  const rest = unitsOf(amount) - above
  const steps = rest <= 0n ? 0n : (rest + size - 1n) / size
  return amountOf(steps * size + above, currency)
}

/** An amount in another currency at a rate of exchange, rounded half up to its smallest amount. */
export function convertedAmount(amount: string, { to, rate }: Pick<Exchange, 'to' | 'rate'>): string {
  const [numerator, scale] = fractionOf(rate)
  return amountOf(rounded(unitsOf(amount) * numerator, scale, to), to)
}

function fractionOf(decimal: string): readonly [numerator: bigint, scale: bigint] {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)]
}

function rounded(numerator: bigint, denominator: bigint, currency: string): bigint {
  const step = 10n ** BigInt(decimalsOfUnit - decimalsOf(currency))
  const divisor = denominator * step
  return ((2n * numerator + divisor) / (2n * divisor)) * step
}

import { localeOf, onFirstUse } from '../../locales/format.ts'
import { percent } from '../words.ts'

/** Writes numbers in a language. */
export function numbersIn(language: string): (number: number) => string {
  const numbers = onFirstUse(() => new Intl.NumberFormat(localeOf(language)))
  return (number) => numbers().format(number)
}

/** Writes shares from 0 to 1 in percent in a language, by the rules of `percent`. */
export function percentIn(language: string): (share: number) => string {
  if (language === 'en') return percent
  const formatOf = (options: Intl.NumberFormatOptions) =>
    onFirstUse(() => new Intl.NumberFormat(localeOf(language), { style: 'percent', ...options }))
  const [whole, tenths] = [formatOf({}), formatOf({ minimumFractionDigits: 1 })]
  return (share) => {
    if (share === 0 || share === 1) return whole().format(share)
    const rounded = Math.floor(share * 1_000) / 1_000
    return rounded === 0 ? `< ${tenths().format(0.001)}` : tenths().format(rounded)
  }
}

/** Writes bytes in the largest unit of which there is at least one; the units are 1, 1024, 1024² and so on. */
export function bytesIn(language: string, units: readonly string[]): (bytes: number) => string {
  const formatOf = (options: Intl.NumberFormatOptions) =>
    onFirstUse(() => new Intl.NumberFormat(localeOf(language), { useGrouping: false, ...options }))
  const [whole, tenths] = [formatOf({}), formatOf({ minimumFractionDigits: 1, maximumFractionDigits: 1 })]
  return (bytes) => {
    const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
    return `${(unit === 0 ? whole : tenths)().format(bytes / 1024 ** unit)} ${units[unit]}`
  }
}

import type { PageLanguage } from '../../../engine/index.ts'

/** A text in every language of the pages for recipients; `{name}` is a placeholder. */
type Translated = Readonly<Record<PageLanguage, string>>

/** Texts by key, each in every language: a missing one does not compile. */
export interface Table {
  readonly [key: string]: Translated | Table
}

/** A table in one language. */
export type InLanguage<T> = T extends Translated ? string : { readonly [K in keyof T]: InLanguage<T[K]> }

/** The texts of a table in one language. */
export function inLanguage<T extends Table>(table: T, language: PageLanguage): InLanguage<T> {
  const entries = Object.entries(table).map(([key, value]) => [
    key,
    isTranslated(value) ? value[language] : inLanguage(value, language),
  ])
  return Object.fromEntries(entries) as InLanguage<T>
}

function isTranslated(value: Translated | Table): value is Translated {
  return typeof value.en === 'string'
}

/** A text with its placeholders filled in. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The locale by which dates and numbers of a language are written. All of them count hours to 24 and use Latin digits. */
export const locales: Readonly<Record<PageLanguage, string>> = {
  en: 'en-GB',
  fr: 'fr',
  de: 'de',
  es: 'es',
  'zh-Hans': 'zh-Hans-CN',
  'zh-Hant': 'zh-Hant-TW',
  ar: 'ar-u-nu-latn',
}

/** Writes numbers in a language. */
export function numbersIn(language: PageLanguage): (number: number) => string {
  const numbers = onFirstUse(() => new Intl.NumberFormat(locales[language]))
  return (number) => numbers().format(number)
}

/** Writes shares from 0 to 1 in percent in a language, by the rules of `percent`, which writes the English ones. */
export function percentIn(language: PageLanguage): (share: number) => string {
  const formatOf = (options: Intl.NumberFormatOptions) =>
    onFirstUse(() => new Intl.NumberFormat(locales[language], { style: 'percent', ...options }))
  const [whole, tenths] = [formatOf({}), formatOf({ minimumFractionDigits: 1 })]
  return (share) => {
    if (share === 0 || share === 1) return whole().format(share)
    const rounded = Math.floor(share * 1_000) / 1_000
    return rounded === 0 ? `< ${tenths().format(0.001)}` : tenths().format(rounded)
  }
}

/** Writes bytes in the largest unit of which there is at least one; the units are 1, 1024, 1024² and so on. */
export function bytesIn(language: PageLanguage, units: readonly string[]): (bytes: number) => string {
  const formatOf = (options: Intl.NumberFormatOptions) =>
    onFirstUse(() => new Intl.NumberFormat(locales[language], { useGrouping: false, ...options }))
  const [whole, tenths] = [formatOf({}), formatOf({ minimumFractionDigits: 1, maximumFractionDigits: 1 })]
  return (bytes) => {
    const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
    return `${(unit === 0 ? whole : tenths)().format(bytes / 1024 ** unit)} ${units[unit]}`
  }
}

/** A text by the plural of a number; `{number}` is its place. Plurals of a language that have no form of their own read `other`. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Makes the texts of a language that have a number: in the form of its plural, with the number as it is written there. */
export function countedIn(language: PageLanguage): (forms: Forms) => (number: number) => string {
  const plurals = onFirstUse(() => new Intl.PluralRules(language))
  const written = numbersIn(language)
  return (forms) => (number) => fill(forms[plurals().select(number)] ?? forms.other, { number: written(number) })
}

/** Makes a value when it is first needed: the texts of all languages are loaded at the start, and formats take their time. */
function onFirstUse<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

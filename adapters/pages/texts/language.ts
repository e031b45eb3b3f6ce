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

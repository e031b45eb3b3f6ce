import { inEach, memberOf, type Texts, textsAt } from './catalogue.ts'
import { messageIn, placesIn, type Values } from './format.ts'

/** A text with places: given what fills them, it is written. As a string it is the text itself, for a script to fill. */
export type Message<Names extends string> = (values: Readonly<Record<Names, string | number>>) => string

/** Texts in one language: those with places are messages. */
type InLanguage<T> = T extends string
  ? [NamesIn<T>] extends [never]
    ? string
    : Message<NamesIn<T>>
  : { readonly [K in keyof T]: InLanguage<T[K]> }

/** The names of the places in a text: words after braces, where these do not begin a form of a plural. */
type NamesIn<S extends string> = S extends `${infer Before}{${infer Rest}`
  ? NameAfter<Before, Rest> | NamesIn<Rest>
  : never

type NameAfter<Before extends string, Rest extends string> = Before extends `${string}${Form} `
  ? never
  : Rest extends `${infer Name}}${string}`
    ? Name extends `${infer First},${string}`
      ? First
      : Name
    : never

type Form = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other' | '=0' | '=1' | '=2'

/** The English texts of each area that has been declared. */
export const areas = new Map<string, Texts>()

/**
 * The texts of an area in a language, which are made once for each: English as it is here, other languages from their files. What
 * a file lacks is in English.
 */
export function textsOf<const English extends Texts>(
  area: string,
  english: English,
): (language: string) => InLanguage<English> {
  areas.set(area, english)
  return inEach((language) => translated(english, textsAt(language, area), language) as InLanguage<English>)
}

/** Texts that are in English alone. */
export function inEnglish<const English extends Texts>(english: English): InLanguage<English> {
  return translated(english, undefined, 'en') as InLanguage<English>
}

function translated(english: Texts, own: Texts | undefined, language: string): unknown {
  if (typeof english === 'string') return typeof own === 'string' ? spoken(own, language) : spoken(english, 'en')
  if (Array.isArray(english))
    return english.map((text, place) => translated(text, memberOf(own, String(place)), language))
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, translated(text as Texts, memberOf(own, key), language)]),
  )
}

function spoken(text: string, language: string): string | ((values: Values) => string) {
  if (placesIn(text).length === 0) return text
  return Object.assign(messageIn(text, language), { toString: () => text })
}

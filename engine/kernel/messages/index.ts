import type { Catalogue, Kind, Language } from '../catalogue.ts'
import { type DoorCode, doorMessages } from './doors.ts'
import { type RequestCode, requestMessages } from './request.ts'
import { type ValueCode, valueMessages } from './values.ts'

/**
 * Every code that a refusal or a finding can have, with the catalogue that holds its texts. A domain adds its codes beside
 * its catalogue by module augmentation: `interface Codes extends Record<OrderCode, 'orders'> {}`. A misspelled code then
 * does not compile, and neither does a code that two catalogues hold.
 */
export interface Codes extends Record<RequestCode, 'request'>, Record<ValueCode, 'values'>, Record<DoorCode, 'doors'> {}

/** A code of the closed list: what an error, a finding or a remark is about. */
export type Code = keyof Codes

/** What fills the places of a message. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** The messages of one language by their codes. */
export type Messages = Readonly<Partial<Record<Code, string>>>

/** The catalogues of what the kernel, the store and the doors refuse themselves. */
export const kernelMessages: readonly Catalogue[] = [requestMessages, valueMessages, doorMessages]

/** The messages of all catalogues together, by language. */
export function languagesOf(catalogues: readonly Catalogue[]): Readonly<Record<Language, Messages>> {
  const textsIn = (language: Language): Messages =>
    Object.fromEntries(catalogues.flatMap((catalogue) => Object.entries(catalogue[language])))
  return {
    en: textsIn('en'),
    fr: textsIn('fr'),
    de: textsIn('de'),
    es: textsIn('es'),
    'zh-Hans': textsIn('zh-Hans'),
    'zh-Hant': textsIn('zh-Hant'),
  }
}

/** The kind of each refusal of all catalogues together. */
export function kindsOf(catalogues: readonly Catalogue[]): Readonly<Partial<Record<Code, Kind>>> {
  return Object.fromEntries(catalogues.flatMap(({ kinds = {} }) => Object.entries(kinds)))
}

/** The message of a code in a language, its places filled from `params`; the plain text where the language has none. */
export function messageOf(code: Code, params: Params | undefined, messages: Messages): string {
  const text = messages[code]
  if (text === undefined) return plainText(code, params)
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(params?.[name] ?? place))
}

/** A code and its parameters as developers read them: `order_not_found (order: 42)`. */
export function plainText(code: Code, params: Params = {}): string {
  const filled = Object.entries(params).map(([name, value]) => `${name}: ${value}`)
  return filled.length === 0 ? code : `${code} (${filled.join(', ')})`
}

import type { Catalogue, Kind } from '../catalogue.ts'
import { type InterfaceCode, interfaceMessages } from './interfaces.ts'
import { type RequestCode, requestMessages } from './request.ts'
import { type ValueCode, valueMessages } from './values.ts'

/**
 * Every code of a refusal or finding, mapped to its catalogue. A domain adds its codes next to its catalogue by
 * module augmentation: `interface Codes extends Record<OrderCode, 'orders'> {}`. A misspelled code does not compile,
 * and neither does a code in two catalogues.
 */
export interface Codes
  extends Record<RequestCode, 'request'>,
    Record<ValueCode, 'values'>,
    Record<InterfaceCode, 'interfaces'> {}

/** A code of an error, a finding or a remark. */
export type Code = keyof Codes

/** The values of the placeholders in a message. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** The messages of one language by code. */
export type Messages = Readonly<Partial<Record<Code, string>>>

/** The catalogues of the kernel, the store and the interfaces. */
export const kernelMessages: readonly Catalogue[] = [requestMessages, valueMessages, interfaceMessages]

/** The English messages of all catalogues. */
export function englishOf(catalogues: readonly Catalogue[]): Messages {
  return Object.assign({}, ...catalogues.flatMap((catalogue) => Object.values(catalogue)))
}

/** The kinds of refusals of all catalogues. */
export function kindsOf(catalogues: readonly Catalogue[]): Readonly<Partial<Record<Code, Kind>>> {
  const groups = catalogues.flatMap(({ value: _, ...refusals }) => Object.entries(refusals))
  return Object.fromEntries(groups.flatMap(([kind, codes]) => Object.keys(codes).map((code) => [code, kind as Kind])))
}

/**
 * The message of a code in a language, with its placeholders filled in; the plain text if the language has none. A part in
 * brackets is left out if a placeholder in it has no value.
 */
export function messageOf(code: Code, params: Params | undefined, messages: Messages): string {
  const text = messages[code]
  if (text === undefined) return plainText(code, params)
  const isFilled = (part: string) =>
    [...part.matchAll(placeholder)].every(([, name = '']) => params?.[name] !== undefined)
  return text
    .replace(/\[([^\]]*)\]/g, (_, part: string) => (isFilled(part) ? part : ''))
    .replace(placeholder, (place, name: string) => String(params?.[name] ?? place))
}

const placeholder = /\{(\w+)\}/g

/** A code and its parameters as developers read them: `order_not_found (order: 42)`. */
export function plainText(code: Code, params: Params = {}): string {
  const filled = Object.entries(params).map(([name, value]) => `${name}: ${value}`)
  return filled.length === 0 ? code : `${code} (${filled.join(', ')})`
}

import { type Code, en, type Messages } from './en.ts'

export type { Code, Messages } from './en.ts'

/** What fills the places of a message. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** The message of `code` in the language of `messages` (English by default), its places filled from `params`. */
export function messageOf(code: Code, params: Params = {}, messages: Messages = en): string {
  return messages[code].replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place))
}

/** The English catalogue. */
export { en }

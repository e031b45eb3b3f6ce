import { de } from './de.ts'
import { type Code, en, type Messages } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { zhHans } from './zh-hans.ts'
import { zhHant } from './zh-hant.ts'

export type { Code, Messages } from './en.ts'

/** What fills the places of a message. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** The message of `code` in the language of `messages` (English by default), its places filled from `params`. */
export function messageOf(code: Code, params: Params = {}, messages: Messages = en): string {
  return messages[code].replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place))
}

/** The English catalogue. */
export { en }

/** Every catalogue, by its BCP 47 tag. */
export const languages = { en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant } as const satisfies Record<
  string,
  Messages
>

/** A language that the engine speaks, as its BCP 47 tag. */
export type Language = keyof typeof languages

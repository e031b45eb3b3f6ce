import type { Context } from '../../kernel/context.ts'
import type { Message } from '../../kernel/messenger.ts'
import { isoOf } from '../../kernel/time.ts'
import { unlinked } from '../../kernel/web-address.ts'
import { letters } from './letters.ts'

/** An e-mail to people: its name in the texts, and what fills its placeholders. */
export interface Letter {
  readonly kind: keyof typeof letters
  readonly to: string
  readonly values?: Readonly<Record<string, string>>
}

/** The placeholders for names that people have chosen, which may be older than the rule for them. */
const names = ['name', 'business', 'app']

/** A letter in the language of the request. Its lines are those of the texts, whatever people have chosen. */
export function messageFor({ letters: own, clock, source = '' }: Context, { kind, to, values = {} }: Letter): Message {
  const { subject, text } = own?.[kind] ?? letters[kind]
  const time = `${isoOf(clock()).slice(0, 16).replace('T', ' ')} UTC`
  const all: Readonly<Record<string, string>> = { time, source, ...values }
  const valueIn = (name: string) => (names.includes(name) ? unlinked(all[name] ?? '') : (all[name] ?? ''))
  const filled = (words: string) => words.replace(/\{(\w+)\}/g, (_, name: string) => valueIn(name))
  return { to, subject: filled(subject), text: text.split('\n').map(filled) }
}

/** The address of a page with a link. */
export function addressOf({ baseUrl }: Pick<Context, 'baseUrl'>, page: 'password' | 'email', link: string): string {
  return `${baseUrl}/account/${page}?link=${encodeURIComponent(link)}`
}

import { within } from './objects.ts'
import type { Template, Writer } from './template.ts'

/** So much is remembered at a time; then all of it is forgotten. */
const most = 1_024

/** Longer texts are not worth remembering. */
const longest = 2_000

const isShort = ({ length }: string) => length <= longest

/** How things that come again and again are known. */
export interface Likeness<Part> {
  /** What they are looked up by; nothing for what is not to be remembered. */
  keyOf(part: Part): unknown
  /** Whether two that are looked up by the same are alike in all else. */
  isSame(one: Part, other: Part): boolean
}

/** For what is not to be remembered. */
export const unalike: Likeness<unknown> = { keyOf: () => undefined, isSame: () => false }

/** Texts, which are looked up by themselves. */
const texts: Likeness<unknown> = { keyOf: (text) => text, isSame: () => true }

/** The same function for things that come again and again: what it made of each is remembered. */
export function remembering<Part, Made>(
  make: (part: Part) => Made,
  { keyOf, isSame }: Likeness<Part> = texts,
  isWorthIt: (made: Made) => boolean = () => true,
): (part: Part) => Made {
  const memory = new Map<unknown, { readonly part: Part; readonly made: Made }>()
  return (part) => {
    const key = keyOf(part)
    if (key === undefined) return make(part)
    const known = memory.get(key)
    if (known !== undefined && isSame(known.part, part)) return known.made
    const made = make(part)
    if (!isWorthIt(made)) return made
    if (memory.size >= most) memory.clear()
    memory.set(key, { part, made })
    return made
  }
}

/**
 * As `within`, for what comes again and again, such as the places of a network and the codes of a provider: what the
 * template writes of it is remembered.
 */
export function recurring<Given, Part extends NonNullable<unknown>, Made>(
  get: (given: Given) => Part | undefined,
  template: Template<Part, Made>,
  likeness?: Likeness<Part>,
): Template<Given, Made | undefined> {
  return {
    make: within(get, template as Template<NonNullable<Part>, Made>).make,
    writer: (before) => {
      const write = template.writer(before)
      const textOf = recurringText(write, likeness)
      return (given) => {
        const part = get(given)
        return part === undefined ? '' : textOf(part)
      }
    },
  }
}

/** The same writer for things that come again and again. */
export function recurringText<Part>(write: Writer<Part>, likeness: Likeness<Part> = texts): Writer<Part> {
  const remembered = remembering((part: Part) => inOnePiece(write(part)), likeness, isShort)
  return (part) => (likeness.keyOf(part) === undefined ? write(part) : remembered(part))
}

/** The same text, but not joined of pieces, which would be gone through again and again. */
function inOnePiece(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

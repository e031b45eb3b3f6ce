import { within } from './objects.ts'
import type { Template, Writer } from './template.ts'

/** Everything that is remembered takes at most so many bytes. When there would be more, all of it is forgotten. */
const mostBytes = 2 * 1024 * 1024

/** A single thing that takes more bytes is not remembered. */
const mostBytesOfOne = 8 * 1024

/** All of it is also forgotten after so many uses, so that nothing stays that is not used any more. */
const mostUses = 100_000

/** What an entry takes beside its texts: the objects, and its place in the map. */
const overhead = 256

const memories: Map<unknown, unknown>[] = []

let bytes = 0
let uses = 0

/** How many bytes are remembered, as an upper bound. */
export function rememberedBytes(): number {
  return bytes
}

function forget(): void {
  for (const memory of memories) memory.clear()
  bytes = 0
  uses = 0
}

/** How things that come again and again are known. */
export interface Likeness<Part> {
  /** What they are looked up by; nothing for what is not to be remembered. */
  keyOf(part: Part): unknown
  /** Whether two that are looked up by the same are alike in all else. */
  isSame(one: Part, other: Part): boolean
}

/** For what is not to be remembered. */
export const unalike: Likeness<unknown> = { keyOf: () => undefined, isSame: () => false }

/** Texts, numbers, and rows of a table, which are looked up by themselves. */
const itself: Likeness<unknown> = { keyOf: (part) => part, isSame: () => true }

/** The same function for things that come again and again: what it made of each is remembered, in the form that `toKeep` gives it. */
export function remembering<Part, Made>(
  make: (part: Part) => Made,
  { keyOf, isSame }: Likeness<Part> = itself,
  toKeep: (made: Made) => Made = (made) => made,
): (part: Part) => Made {
  const memory = new Map<unknown, { readonly part: Part; readonly made: Made }>()
  memories.push(memory)
  return (part) => {
    const key = keyOf(part)
    if (key === undefined) return make(part)
    if (++uses > mostUses) forget()
    const known = memory.get(key)
    if (known !== undefined && isSame(known.part, part)) return known.made
    const made = make(part)
    const size = overhead + 2 * JSON.stringify([part, made]).length
    if (size > mostBytesOfOne) return made
    if (bytes + size > mostBytes) forget()
    bytes += size
    memory.set(key, { part, made: toKeep(made) })
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
      const textOf = recurringText(template.writer(before), likeness)
      return (given) => {
        const part = get(given)
        return part === undefined ? '' : textOf(part)
      }
    },
  }
}

/** The same writer for things that come again and again. */
export function recurringText<Part>(write: Writer<Part>, likeness?: Likeness<Part>): Writer<Part> {
  return remembering(write, likeness, inOnePiece)
}

/** The same text, but not joined of pieces, which would be gone through again and again. */
function inOnePiece(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

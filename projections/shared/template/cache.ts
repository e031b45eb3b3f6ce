import { within } from './objects.ts'
import type { Template, Writer } from './template.ts'

/** Everything that is remembered takes at most so many bytes. When there would be more, all of it is forgotten. */
const mostBytes = 2 * 1024 * 1024

/** A single thing that takes more bytes is not remembered. */
const mostBytesOfEntry = 8 * 1024

/** All of it is also forgotten after so many uses, so that nothing stays that is not used any more. */
const mostUses = 100_000

/** What an entry takes beside its texts: the objects, and its place in the map. */
const overhead = 256

const caches: Map<unknown, unknown>[] = []

let bytes = 0
let uses = 0

/** How many bytes are remembered, as an upper bound. */
export function cachedBytes(): number {
  return bytes
}

function clearAll(): void {
  for (const entries of caches) entries.clear()
  bytes = 0
  uses = 0
}

/** How things that come again and again are known. */
export interface Identity<Part> {
  /** What they are looked up by; nothing for what is not to be remembered. */
  keyOf(part: Part): unknown
  /** Whether two that are looked up by the same are alike in all else. */
  isSame(one: Part, other: Part): boolean
}

/** For what is not to be remembered. */
export const neverCached: Identity<unknown> = { keyOf: () => undefined, isSame: () => false }

/** Texts, numbers, and rows of a table, which are looked up by themselves. */
const byValue: Identity<unknown> = { keyOf: (part) => part, isSame: () => true }

/** The same function for things that come again and again: what it made of each is remembered, in the form that `toKeep` gives it. */
export function cached<Part, Output>(
  make: (part: Part) => Output,
  { keyOf, isSame }: Identity<Part> = byValue,
  toStore: (made: Output) => Output = (made) => made,
): (part: Part) => Output {
  const entries = new Map<unknown, { readonly part: Part; readonly made: Output }>()
  caches.push(entries)
  return (part) => {
    const key = keyOf(part)
    if (key === undefined) return make(part)
    if (++uses > mostUses) clearAll()
    const entry = entries.get(key)
    if (entry !== undefined && isSame(entry.part, part)) return entry.made
    const made = make(part)
    const size = overhead + 2 * JSON.stringify([part, made]).length
    if (size > mostBytesOfEntry) return made
    if (bytes + size > mostBytes) clearAll()
    bytes += size
    entries.set(key, { part, made: toStore(made) })
    return made
  }
}

/**
 * As `within`, for what comes again and again, such as the places of a network and the codes of a provider: what the
 * template writes of it is remembered.
 */
export function cachedPart<Input, Part extends NonNullable<unknown>, Output>(
  get: (input: Input) => Part | undefined,
  template: Template<Part, Output>,
  identity?: Identity<Part>,
): Template<Input, Output | undefined> {
  return {
    make: within(get, template as Template<NonNullable<Part>, Output>).make,
    writer: (before) => {
      const textOf = cachedWriter(template.writer(before), identity)
      return (input) => {
        const part = get(input)
        return part === undefined ? '' : textOf(part)
      }
    },
  }
}

/** The same writer for things that come again and again. */
export function cachedWriter<Part>(write: Writer<Part>, identity?: Identity<Part>): Writer<Part> {
  return cached(write, identity, inOnePiece)
}

/** The same text, but not joined of pieces, which would be gone through again and again. */
function inOnePiece(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

import { within } from './objects.ts'
import type { Template, Writer } from './template.ts'

/** All caches together take at most this many bytes. They are all cleared when there would be more. */
const mostBytes = 2 * 1024 * 1024

/** Larger entries are not cached. */
const mostBytesOfEntry = 8 * 1024

/** All caches are also cleared after this many look-ups, so that no unused text stays. */
const mostUses = 100_000

/** The size of an entry without its texts: the objects, and its slot in the map. */
const overhead = 256

const caches: Map<unknown, unknown>[] = []

let bytes = 0
let uses = 0

/** The size of all caches in bytes, as an upper bound. */
export function cachedBytes(): number {
  return bytes
}

/** Empties all caches. Places in them may have coordinates, which are personal: an erasure has to drop them. */
export function clearCaches(): void {
  for (const entries of caches) entries.clear()
  bytes = 0
  uses = 0
}

/** How a cache recognises a value. */
export interface Identity<Part> {
  /** The key of a value in the cache. Undefined for a value that must not be cached. */
  keyOf(part: Part): unknown
  /** Whether two values with the same key are equal. */
  isSame(one: Part, other: Part): boolean
}

/** Never caches anything. */
export const neverCached: Identity<unknown> = { keyOf: () => undefined, isSame: () => false }

/** Texts and numbers by their value, and rows of a table by their identity. */
const byValue: Identity<unknown> = { keyOf: (part) => part, isSame: () => true }

/** Caches the results of a function. `toStore` changes a result before it is stored. */
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
    if (++uses > mostUses) clearCaches()
    const entry = entries.get(key)
    if (entry !== undefined && isSame(entry.part, part)) return entry.made
    const made = make(part)
    const size = overhead + 2 * JSON.stringify([part, made]).length
    if (size > mostBytesOfEntry) return made
    if (bytes + size > mostBytes) clearCaches()
    bytes += size
    entries.set(key, { part, made: toStore(made) })
    return made
  }
}

/**
 * Like `within`, with a cache of the texts that the template writes. For parts that recur, such as the places of a
 * network and the codes of a provider.
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

/** The same writer with a cache. */
export function cachedWriter<Part>(write: Writer<Part>, identity?: Identity<Part>): Writer<Part> {
  return cached(write, identity, inOnePiece)
}

/** A flat copy of a text. V8 keeps a concatenated string as a tree, which would be walked at each use. */
function inOnePiece(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

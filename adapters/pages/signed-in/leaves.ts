import { isObject } from '../../../engine/index.ts'

/** The value before and after a change, and its path: `address.city`, `items[0].name`. */
export interface Leaf {
  /** A long path is shortened in the middle. */
  readonly path: string
  readonly from?: unknown
  readonly to?: unknown
}

/** The space that is left on a page, in leaves and in characters of their paths and values. */
export interface Room {
  leaves: number
  characters: number
}

const longestPath = 200

/** Characters of a value that are shown. */
export const longestText = 4000

/**
 * The leaves in which two documents differ, in order, as far as there is room, and the number of those left out. For a
 * single document, all its leaves. Empty lists and empty objects are leaves too. Documents may have any depth.
 */
export function leavesOf(
  { from, to }: Pick<Leaf, 'from' | 'to'>,
  room: Room,
): { readonly leaves: readonly Leaf[]; readonly left: number } {
  const leaves: Leaf[] = []
  const open: Leaf[] = [{ path: '', from, to }]
  let left = 0
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const leaf = leafIn(node)
    if (leaf !== undefined && isFull(room)) left++
    else if (leaf !== undefined) leaves.push(counted(leaf, room))
    for (const part of partsOf(node, room).reverse()) open.push(part)
  }
  return { leaves, left }
}

/** The leaf at this path itself, without its parts: undefined if it does not change, and for the root. */
function leafIn({ path, from, to }: Leaf): Leaf | undefined {
  const [was, becomes] = [hasParts(from) ? undefined : from, hasParts(to) ? undefined : to]
  return path === '' || JSON.stringify(was) === JSON.stringify(becomes) ? undefined : { path, from: was, to: becomes }
}

function partsOf({ path, from, to }: Leaf, room: Room): Leaf[] {
  const [was, becomes] = [membersOf(from), membersOf(to)]
  const names = new Set([...was.keys(), ...becomes.keys()])
  // When the page is full, paths are no longer built either.
  const at = (name: string) => (isFull(room) ? '…' : below(path, name))
  return [...names].map((name) => ({ path: at(name), from: was.get(name), to: becomes.get(name) }))
}

/** The parts of a value, keyed by the suffix that they add to its path. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [`[${index}]`, item]))
  return new Map(isObject(value) ? Object.entries(value).map(([name, item]) => [`.${name}`, item]) : [])
}

function below(path: string, name: string): string {
  return shortened(path === '' && name.startsWith('.') ? name.slice(1) || '.' : `${path}${name}`)
}

function counted(leaf: Leaf, room: Room): Leaf {
  take(room, weightOf(leaf))
  return leaf
}

/** Reserves room for one more leaf with so many characters. */
export function take(room: Room, characters: number): void {
  room.leaves--
  room.characters -= characters
}

/** Whether the page is full. */
export function isFull({ leaves, characters }: Room): boolean {
  return leaves <= 0 || characters <= 0
}

/** The number of characters of a leaf that are shown. */
export function weightOf({ path, from, to }: Leaf): number {
  return path.length + lengthOf(from) + lengthOf(to)
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? Math.min(value.length, longestText) : 0
}

/** Whether a value is a list or an object. */
export function isTree(value: unknown): boolean {
  return isObject(value) || Array.isArray(value)
}

function hasParts(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0
}

/** Shortens a text in the middle to at most this many characters. */
export function shortened(text: string, longest = longestPath): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

import { isObject } from '../../../engine/index.ts'

/** What was and what becomes of a value that has no parts, and where it stands: `address.city`, `items[0].name`. */
export interface Leaf {
  /** Its middle is left out where it is long. */
  readonly path: string
  readonly from?: unknown
  readonly to?: unknown
}

/** How much more is shown on a page, in leaves and in characters of their paths and values; what is shown takes of it. */
export interface Room {
  leaves: number
  characters: number
}

const longestPath = 200

/** Characters of a value that are shown. */
export const longestText = 4000

/**
 * The leaves in which two documents differ, in their order, as far as there is room, and how many are left out; of one
 * document alone all its leaves. Lists and objects without members stand for themselves. Documents may be of any depth.
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
    else if (leaf !== undefined) leaves.push(taken(leaf, room))
    for (const part of partsOf(node, room).reverse()) open.push(part)
  }
  return { leaves, left }
}

/** What a place says itself, beside its parts: nothing where it stays as it is, and nothing of the document as a whole. */
function leafIn({ path, from, to }: Leaf): Leaf | undefined {
  const [was, becomes] = [hasParts(from) ? undefined : from, hasParts(to) ? undefined : to]
  return path === '' || JSON.stringify(was) === JSON.stringify(becomes) ? undefined : { path, from: was, to: becomes }
}

function partsOf({ path, from, to }: Leaf, room: Room): Leaf[] {
  const [was, becomes] = [membersOf(from), membersOf(to)]
  const names = new Set([...was.keys(), ...becomes.keys()])
  // Where nothing more is shown, no path is read either.
  const at = (name: string) => (isFull(room) ? '…' : below(path, name))
  return [...names].map((name) => ({ path: at(name), from: was.get(name), to: becomes.get(name) }))
}

/** The parts of a value by what is added to its path. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [`[${index}]`, item]))
  return new Map(isObject(value) ? Object.entries(value).map(([name, item]) => [`.${name}`, item]) : [])
}

function below(path: string, name: string): string {
  return shortened(path === '' && name.startsWith('.') ? name.slice(1) || '.' : `${path}${name}`)
}

function taken(leaf: Leaf, room: Room): Leaf {
  take(room, weightOf(leaf))
  return leaf
}

/** Takes one more leaf of so many characters. */
export function take(room: Room, characters: number): void {
  room.leaves--
  room.characters -= characters
}

/** Whether nothing more is shown. */
export function isFull({ leaves, characters }: Room): boolean {
  return leaves <= 0 || characters <= 0
}

/** How many characters of a leaf are shown. */
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

/** A text without its middle where it is longer than so many characters. */
export function shortened(text: string, longest = longestPath): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

import { otepPrefix } from '../extension.ts'
import { type Node, rawText } from './xml-names.ts'
import { wholeValue } from './xml-whole.ts'

/** OTEP's own members that are not texts. */
const values: ReadonlyMap<string, (node: Node) => unknown> = new Map([
  ...of(numeric, 'package_id', 'order_id', 'latitude', 'longitude'),
  ...of(truth, 'synthesized'),
  ...of(listed, 'photo_urls'),
  ...of(membersOf, 'subject', 'location', 'address', 'source', 'event', 'pod'),
])

function of<Read>(read: Read, ...names: readonly string[]): readonly (readonly [string, Read])[] {
  return names.map((name) => [otepPrefix + name, read])
}

/**
 * The value of a member of another namespace: OTEP's own with its type restored, others as text, or `whole` with all that
 * they contain.
 */
export function extensionValue(node: Node, whole = false): unknown {
  if (whole) return wholeValue(node)
  const read = values.get(node.key)
  return read === undefined ? textOf(node) : read(node)
}

function textOf(node: Node): string {
  return rawText(node) ?? ''
}

function listed(node: Node): unknown[] {
  return node.elements.length === 0 && node.text === '' ? [] : [textOf(node)]
}

function membersOf(node: Node): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const child of node.elements) {
    const before = Object.hasOwn(members, child.key) ? members[child.key] : undefined
    const value = extensionValue(child)
    if (Array.isArray(before) && Array.isArray(value)) before.push(...value)
    else members[child.key] = value
  }
  return members
}

function numeric(node: Node): unknown {
  const text = textOf(node)
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function truth(node: Node): unknown {
  const text = textOf(node)
  return text === 'true' ? true : text === 'false' ? false : text
}

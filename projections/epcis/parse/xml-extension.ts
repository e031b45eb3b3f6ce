import { isOwnNamespace } from '../extension.ts'
import { type Node, rawText } from './xml-names.ts'

/** OTEP's own members that are not texts. */
const values: ReadonlyMap<string, (node: Node) => unknown> = new Map([
  ...of(numeric, 'package_id', 'order_id', 'latitude', 'longitude'),
  ...of(truth, 'synthesized'),
  ...of(listed, 'photo_urls'),
  ...of(membersOf, 'subject', 'location', 'address', 'source', 'event', 'pod'),
])

function of<Read>(read: Read, ...names: readonly string[]): readonly (readonly [string, Read])[] {
  return names.map((name) => [name, read])
}

/** The value of a member of another namespace: OTEP's own with its type restored, others as text or as members. */
export function extensionValue(node: Node): unknown {
  const read = isOwnNamespace(node.namespace) ? values.get(node.key.slice(node.key.indexOf(':') + 1)) : undefined
  if (read !== undefined) return read(node)
  return node.elements.length === 0 ? textOf(node) : foreignMembers(node)
}

/** The members of an element that only its sender knows; repeated ones become a list. */
function foreignMembers(node: Node): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const child of node.elements) {
    const before = Object.hasOwn(members, child.key) ? members[child.key] : undefined
    const value = extensionValue(child)
    if (before === undefined) members[child.key] = value
    else if (Array.isArray(before)) before.push(value)
    else members[child.key] = [before, value]
  }
  return members
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

import { otepPrefix } from '../extension.ts'
import { elementsOf, type Node, rawText } from './xml-names.ts'

const numbers: ReadonlySet<string> = new Set(['package_id', 'order_id', 'latitude', 'longitude'])
const booleans: ReadonlySet<string> = new Set(['synthesized'])
const lists: ReadonlySet<string> = new Set(['photo_urls'])
const objects: ReadonlySet<string> = new Set(['subject', 'location', 'address', 'source', 'pod'])

/** The value of a member of another namespace: OTEP's own with its type again, of others the text. */
export function extensionValue(node: Node): unknown {
  if (!node.key.startsWith(otepPrefix)) return rawText(node) ?? ''
  const name = node.key.slice(otepPrefix.length)
  if (objects.has(name)) return membersOf(node)
  if (lists.has(name)) return node.children.length === 0 ? [] : [rawText(node) ?? '']
  const text = rawText(node) ?? ''
  if (numbers.has(name)) return numeric(text)
  return booleans.has(name) ? truth(text) : text
}

function membersOf(node: Node): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const child of elementsOf(node)) {
    const before = Object.hasOwn(members, child.key) ? members[child.key] : undefined
    const value = extensionValue(child)
    if (Array.isArray(before) && Array.isArray(value)) before.push(...value)
    else members[child.key] = value
  }
  return members
}

function numeric(text: string): unknown {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function truth(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text
}

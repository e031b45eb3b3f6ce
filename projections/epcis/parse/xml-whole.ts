import { hasText, type Node, rawText } from './xml-names.ts'

/** Whether an extension of an event contains elements or attributes, which its text alone does not tell. */
export function hasNested({ elements }: Node): boolean {
  return elements.some((child) => (child.key.includes(':') ? isNested(child) : hasNested(child)))
}

function isNested({ elements, attributes }: Node): boolean {
  return elements.length > 0 || Object.keys(attributes).length > 0
}

/** An element of an extension in JSON: its text, or an object of its elements, where a repeated one is a list. */
export function wholeValue(node: Node): unknown {
  if (node.elements.length === 0) return rawText(node) ?? ''
  const members: Record<string, unknown> = {}
  for (const child of node.elements) {
    const { key } = child
    const value = wholeValue(child)
    const before = Object.hasOwn(members, key) ? members[key] : undefined
    if (before === undefined) members[key] = value
    else if (Array.isArray(before)) before.push(value)
    else members[key] = [before, value]
  }
  return members
}

/** Attributes and texts between elements of extensions, which have no form in JSON. */
export function lossesIn(node: Node): readonly string[] {
  const { key, elements, attributes } = node
  const isExtension = key.includes(':')
  const others = Object.keys(attributes).filter(
    (name) => !/^xmlns(?::|$)/.test(name) && (isExtension || (name.includes(':') && !/^xsi:/.test(name))),
  )
  const isSensor = key === 'sensorReport' || key === 'sensorMetadata'
  const lost = isSensor ? [] : others.map((name) => `attribute ${name} of ${key}`)
  const text = isExtension && elements.length > 0 && hasText(node) ? [`text of ${key}`] : []
  return [...lost, ...text, ...elements.flatMap(lossesIn)]
}

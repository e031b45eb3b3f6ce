import { hasText, type Node } from './xml-names.ts'

/** Attributes and texts between elements of extensions, which have no form in JSON. */
export function lossesIn(node: Node): readonly string[] {
  const found: string[] = []
  collect(node, found)
  return found
}

function collect(node: Node, found: string[]): void {
  const { key, elements, attributes } = node
  const isExtension = key.includes(':')
  for (const name in attributes) {
    if (isLost(name, isExtension) && key !== 'sensorReport' && key !== 'sensorMetadata') {
      found.push(`attribute ${name} of ${key}`)
    }
  }
  if (isExtension && elements.length > 0 && hasText(node)) found.push(`text of ${key}`)
  for (const element of elements) collect(element, found)
}

function isLost(name: string, isExtension: boolean): boolean {
  if (/^xmlns(?::|$)/.test(name)) return false
  return isExtension || (name.includes(':') && !name.startsWith('xsi:'))
}

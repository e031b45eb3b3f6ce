import { hasText, type Node } from './xml-names.ts'

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

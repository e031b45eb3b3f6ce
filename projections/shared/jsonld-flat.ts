/** A node with its `@id` and all other members. */
type Node = Readonly<Record<string, unknown>>

/**
 * The flattened form of a compacted document: a list with each node once, in document order (JSON-LD 1.1 API, section
 * 5.3). The context must have only prefixes, and all nodes an `@id`. The library is too slow for long timelines,
 * because it compares every value of a member with every other.
 */
export function flattened(document: Node): object {
  const nodes = new Map<unknown, Record<string, unknown>>()
  const met = (id: unknown): Record<string, unknown> => {
    const node = nodes.get(id) ?? { '@id': id }
    nodes.set(id, node)
    return node
  }
  const linked = (value: unknown): unknown => {
    if (!isNode(value)) return value
    const { '@context': _, '@id': id, '@included': beside, ...members } = value
    for (const [name, member] of Object.entries(members)) {
      const node = met(id)
      node[name] = union(node[name], Array.isArray(member) ? member.map(linked) : linked(member))
    }
    listOf(beside).forEach(linked)
    return { '@id': id }
  }
  linked(document)
  return { '@context': document['@context'], '@graph': [...nodes.values()] }
}

/** The values of both, without duplicates. */
function union(one: unknown, other: unknown): unknown {
  if (one === other) return one
  const values = [...listOf(one), ...listOf(other)]
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
  return unique.length === 1 ? unique[0] : unique
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && '@id' in value
}

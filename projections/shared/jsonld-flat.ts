/** A node: its `@id`, and whatever else is known of it. */
type Node = Readonly<Record<string, unknown>>

/**
 * The flattened form of a compacted document: every node once, side by side, in the order in which they are met
 * (JSON-LD 1.1 API, section 5.3). For contexts of prefixes alone, and nodes that all have an `@id`; the library's own
 * way compares every value of a member with every other, which a long timeline cannot afford.
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

/** Both values, each once. */
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

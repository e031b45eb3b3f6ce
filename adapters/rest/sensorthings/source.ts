import { type Context, EngineError } from '../../../engine/index.ts'
import { statusProperty } from '../../../projections/sensorthings/datastreams.ts'
import { type Node, relations } from '../../../projections/sensorthings/graph.ts'
import { linkTo, rootUrl, type SetName } from '../../../projections/sensorthings/links.ts'
import type { Way } from '../../../projections/sensorthings/query/index.ts'
import type { Listed, Stretch } from './list.ts'
import { entitiesOf, groupOf, groupsOf, inOrder, related, thingOf } from './nodes.ts'

/** The entities that a caller may read. */
export interface Source {
  /** Those of a set, of all Things of the caller. */
  list(set: SetName, after: string | undefined): AsyncIterable<Stretch>
  /** An entity; refuses with `resource_not_found`. */
  find(set: SetName, id: string): Promise<Node>
}

/** The entities of the timelines that a caller may read. ObservedProperties are the same for everybody. */
export function sourceFor(context: Context): Source {
  const properties = context.profiles.map(({ name }) => propertyNode(context, name))

  async function find(set: SetName, id: string): Promise<Node> {
    if (set === 'ObservedProperties') return present(properties.find(({ entity }) => entity['@iot.id'] === id))
    const thing = thingOf(set, id)
    const graph = await groupOf(context, present(thing))
    // A Thing is found by all of its identifiers.
    return present(set === 'Things' ? [...graph.Things.values()][0] : graph[set].get(id))
  }

  return {
    list: (set, after) => (set === 'ObservedProperties' ? once(properties) : listOfGroups(context, set, after)),
    find,
  }
}

function propertyNode({ baseUrl }: Context, profile: string): Node {
  const id = `status:${profile}`
  const entity = { '@iot.id': id, '@iot.selfLink': linkTo(rootUrl({ baseUrl }), 'ObservedProperties', id) }
  return { set: 'ObservedProperties', entity: { ...entity, ...statusProperty(profile) }, related: new Map() }
}

async function* listOfGroups(context: Context, set: SetName, after: string | undefined): AsyncGenerator<Stretch> {
  for await (const group of groupsOf(context, after))
    yield { place: group.place, nodes: 'graph' in group ? entitiesOf(group.graph, set) : [] }
}

async function* once(nodes: readonly Node[]): AsyncGenerator<Stretch> {
  yield { place: '', nodes: inOrder(nodes) }
}

/** The entities that are related to one. */
export function listOf(source: Source, node: Node, relation: string): Listed {
  const target = relations[node.set][relation]?.set
  if (node.set !== 'ObservedProperties' || target === undefined) return () => once(related(node, relation))
  return (after) => ofProperty(source.list(target, after), node)
}

async function* ofProperty(stretches: AsyncIterable<Stretch>, property: Node): AsyncGenerator<Stretch> {
  for await (const { place, nodes } of stretches) yield { place, nodes: nodes.filter((node) => isOf(node, property)) }
}

function isOf(stream: Node, { entity }: Node): boolean {
  return related(stream, 'ObservedProperty')[0]?.entity['@iot.id'] === entity['@iot.id']
}

/** The entity at the end of a path, the last step of which has an id or leads to one entity. */
export async function nodeAt(source: Source, ways: readonly Way[]): Promise<Node> {
  const [first, ...rest] = ways
  if (first?.id === undefined) throw new EngineError('resource_not_found')
  let node = await source.find(first.set, first.id)
  for (const { name, id, set } of rest) node = await next(source, node, { name, id, set })
  return node
}

async function next(
  source: Source,
  node: Node,
  { name, id, set }: { readonly name: string; readonly id: string | undefined; readonly set: SetName },
): Promise<Node> {
  if (node.set === 'ObservedProperties') {
    const stream = await source.find(set, present(id))
    return present(isOf(stream, node) ? stream : undefined)
  }
  const nodes = related(node, name)
  return present(id === undefined ? nodes[0] : nodes.find(({ entity }) => entity['@iot.id'] === id))
}

function present<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new EngineError('resource_not_found')
  return found
}

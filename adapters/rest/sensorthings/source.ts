import { type Context, EngineError, sensorTypes } from '../../../engine/index.ts'
import { statusProperty } from '../../../projections/sensorthings/datastreams.ts'
import { type Graph, type Node, relations } from '../../../projections/sensorthings/graph.ts'
import { linkTo, partsOfId, rootUrl, type SetName } from '../../../projections/sensorthings/links.ts'
import type { Way } from '../../../projections/sensorthings/query/index.ts'
import type { Hints, Listed, Stretch } from './list.ts'
import { measuredProperty, measuredThing, readingAt, readingNamed, seriesOf } from './measured.ts'
import { entitiesOf, groupOf, groupsOf, inOrder, related, thingOf } from './nodes.ts'
import { observationsIn } from './observing.ts'

/** The entities that a caller may read. */
export interface Source {
  readonly context: Context
  /** Those of a set, of all Things of the caller. */
  list(set: SetName): Listed
  /** An entity; refuses with `resource_not_found`. */
  find(set: SetName, id: string): Promise<Node>
}

/** The entities of the timelines that a caller may read. ObservedProperties are the same for everybody. */
export function sourceFor(context: Context): Source {
  const properties = [
    ...context.profiles.map(({ name }) => statusNode(context, name)),
    ...sensorTypes.map((type) => measuredProperty(context, type)),
  ]

  async function find(set: SetName, id: string): Promise<Node> {
    if (set === 'ObservedProperties') return present(properties.find(({ entity }) => entity['@iot.id'] === id))
    const graph = await groupOf(context, present(thingOf(set, id)))
    // A Thing is found by all of its identifiers.
    if (set === 'Things') return present([...graph.Things.values()][0])
    return present(graph[set].get(id) ?? (set === 'Observations' ? await measuredIn(graph, id) : undefined))
  }

  async function measuredIn(graph: Graph, id: string): Promise<Node | undefined> {
    const named = readingNamed(id)
    const stream = named && graph.Datastreams.get(named.stream)
    const row = stream && seriesOf(stream)
    return row && readingAt(context, stream, row, named.place)
  }

  return {
    context,
    list: (set) => {
      if (set === 'ObservedProperties') return once(properties)
      if (set === 'Observations') return { read: (after, hints) => observationsOfGroups(context, after, hints) }
      return { read: (after) => listOfGroups(context, set, after) }
    },
    find,
  }
}

function statusNode({ baseUrl }: Context, profile: string): Node {
  const id = `status:${profile}`
  const entity = { '@iot.id': id, '@iot.selfLink': linkTo(rootUrl({ baseUrl }), 'ObservedProperties', id) }
  return { set: 'ObservedProperties', entity: { ...entity, ...statusProperty(profile) }, related: new Map() }
}

async function* listOfGroups(context: Context, set: SetName, after: string | undefined): AsyncGenerator<Stretch> {
  for await (const group of groupsOf(context, after))
    yield { place: group.place, nodes: 'graph' in group ? entitiesOf(group.graph, set) : [] }
}

/** Where a list of Observations is: after a Thing, and within the next one after a stretch. */
type Inside = readonly [done: string | null, group?: string, inner?: string]

async function* observationsOfGroups(
  context: Context,
  after: string | undefined,
  hints: Hints,
): AsyncGenerator<Stretch> {
  const [from, within, inner] = (after === undefined ? [null] : JSON.parse(after)) as Inside
  let done = from
  for await (const group of groupsOf(context, from ?? undefined)) {
    if ('graph' in group) {
      const begun = group.place === within ? inner : undefined
      const status = entitiesOf(group.graph, 'Observations')
      const measured = [...group.graph.Datastreams.values()]
      for await (const stretch of observationsIn(context, status, measured, begun, hints)) {
        const place = JSON.stringify([done, group.place, stretch.place] satisfies Inside)
        yield { ...stretch, place, name: JSON.stringify([group.place, stretch.name]) }
      }
    }
    done = group.place
    yield { place: JSON.stringify([done] satisfies Inside), nodes: [] }
  }
}

function once(nodes: readonly Node[]): Listed {
  return {
    read: async function* () {
      yield { place: '', nodes: inOrder(nodes) }
    },
  }
}

/** The entities that are related to one. */
export function listOf(source: Source, node: Node, relation: string): Listed {
  const target = relations[node.set][relation]?.set
  const { context } = source
  if (node.set === 'ObservedProperties' && target !== undefined) {
    const all = source.list(target)
    return { read: (after, hints) => ofProperty(all.read(after, hints), node) }
  }
  const measured = relation === 'Observations' ? measuredFor(node) : []
  if (measured.length === 0) return once(related(node, relation))
  const status = related(node, relation)
  const count = status.length === 0 && measured.length === 1 ? seriesOf(measured[0] as Node)?.count : undefined
  return {
    read: (after, hints) => observationsIn(context, status, measured, after, hints),
    ...(count !== undefined && { inOrderOfTime: count }),
  }
}

/** The Datastreams of sensors whose Observations belong to an entity. */
function measuredFor(node: Node): readonly Node[] {
  if (seriesOf(node) !== undefined) return [node]
  const isItself = node.set === 'FeaturesOfInterest' && partsOfId(String(node.entity['@iot.id']))?.[1] === measuredThing
  return isItself ? related(node, 'Datastreams').filter((stream) => seriesOf(stream) !== undefined) : []
}

async function* ofProperty(stretches: AsyncIterable<Stretch>, property: Node): AsyncGenerator<Stretch> {
  for await (const { nodes, ...stretch } of stretches)
    yield { ...stretch, nodes: nodes.filter((node) => isOf(node, property)) }
}

function isOf(stream: Node, { entity }: Node): boolean {
  return related(stream, 'ObservedProperty')[0]?.entity['@iot.id'] === entity['@iot.id']
}

/** The entity at the end of a path, the last step of which has an id or leads to one entity. */
export async function nodeAt(source: Source, ways: readonly Way[]): Promise<Node> {
  const [first, ...rest] = ways
  if (first?.id === undefined) throw new EngineError('resource_not_found')
  let node = await source.find(first.set, first.id)
  for (const way of rest) node = await next(source, node, way)
  return node
}

async function next(source: Source, node: Node, { name, id, set }: Way): Promise<Node> {
  if (id !== undefined && (node.set === 'ObservedProperties' || measuredFor(node).length > 0)) {
    const found = await source.find(set, id)
    const isRelated = node.set === 'ObservedProperties' ? isOf(found, node) : isBelow(found, node)
    return present(isRelated ? found : undefined)
  }
  const nodes = related(node, name)
  return present(id === undefined ? nodes[0] : nodes.find(({ entity }) => entity['@iot.id'] === id))
}

function isBelow(observation: Node, { entity }: Node): boolean {
  return ['Datastream', 'FeatureOfInterest'].some(
    (relation) => related(observation, relation)[0]?.entity['@iot.id'] === entity['@iot.id'],
  )
}

function present<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new EngineError('resource_not_found')
  return found
}

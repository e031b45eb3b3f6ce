import type { Context, LoadedTimeline } from '../../../engine/index.ts'
import { EngineError, idInStream, inSteps, isEngineError, ownTimelines, readVisible } from '../../../engine/index.ts'
import {
  type Entity,
  type Graph,
  graphOf,
  type Node,
  ownMembers,
  relatedTo,
} from '../../../projections/sensorthings/graph.ts'
import { partsOfId, type SetName } from '../../../projections/sensorthings/links.ts'
import { documents } from '../../../projections/sensorthings/project.ts'
import { featureOf, measuredStreams, observes } from './measured.ts'

/** The entities of one Thing. */
export interface Group {
  /** The place of its Thing in the list of those of the caller. */
  readonly place: string
  readonly graph: Graph
}

/** A part of the list of Things that was looked at; without a group, the caller may not see what is there. */
export type GroupAt = Group | { readonly place: string }

/** The Things of the caller with all that belongs to them, in a lasting order. */
export async function* groupsOf(context: Context, after: string | undefined): AsyncGenerator<GroupAt> {
  for await (const listed of ownTimelines(context, after)) {
    if (!('timeline' in listed)) yield listed
    else yield { place: listed.place, graph: await graphIn(context, listed, true) }
  }
}

/** The entities of the Thing that an id names, as the caller sees them; refuses with `resource_not_found`. */
export async function groupOf(context: Context, thing: string): Promise<Graph> {
  try {
    const read = await readVisible(context, thing)
    return await graphIn(context, read, read.view !== 'reduced')
  } catch (error) {
    const isMissing = isEngineError(error, 'timeline_not_found') || isEngineError(error, 'ambiguous_identifier')
    throw isMissing ? new EngineError('resource_not_found') : error
  }
}

/** What sensors measured is not a part of what the public sees of a timeline in the reduced view. */
async function graphIn(
  context: Context,
  { stream, name, timeline }: Pick<LoadedTimeline, 'stream' | 'name' | 'timeline'>,
  isMeasured: boolean,
): Promise<Graph> {
  const target = { baseUrl: context.baseUrl, timeline: name, options: {} }
  const graph = graphOf(await inSteps(documents.steps(timeline, target), context.pause))
  const [thing] = graph.Things.values()
  if (thing === undefined || !isMeasured) return graph
  for (const measured of await measuredStreams(context, thing, idInStream(stream))) addStream(context, graph, measured)
  return graph
}

function addStream(context: Context, graph: Graph, stream: Node): void {
  const made = featureOf(context, stream)
  const feature = graph.FeaturesOfInterest.get(made.entity['@iot.id']) ?? made
  observes(stream, feature)
  add(graph, feature)
  add(graph, stream)
  for (const [name, nodes] of stream.related)
    for (const node of nodes) {
      const known = graph[node.set].get(node.entity['@iot.id']) ?? node
      add(graph, known)
      stream.related.set(name, new Set([known]))
      known.related.set('Datastreams', new Set([...(known.related.get('Datastreams') ?? []), stream]))
    }
}

function add(graph: Graph, node: Node): void {
  graph[node.set].set(node.entity['@iot.id'], node)
}

/** The id of the Thing that an entity of a set belongs to; undefined if it belongs to none. */
export function thingOf(set: SetName, id: string): string | undefined {
  return set === 'Things' ? id : partsOfId(id)?.[0]
}

/** The entities of a set in a group, in order: those of a history by time, all others by id. */
export function entitiesOf(graph: Graph, set: SetName): readonly Node[] {
  return inOrder([...graph[set].values()])
}

/** Related entities in the same order. */
export function related(node: Node, relation: string): readonly Node[] {
  return inOrder(relatedTo(node, relation))
}

/** Entities in their order. */
export function inOrder(nodes: readonly Node[]): readonly Node[] {
  return nodes
    .map((node) => ({ node, place: placeOf(node) }))
    .sort((one, other) => comparePlaces(one.place, other.place))
    .map(({ node }) => node)
}

/** The place of an entity in its group. */
export type EntityPlace = readonly [at: number, id: string]

/** The place of an entity in its group. */
export function placeOf({ entity }: Node): EntityPlace {
  const time = entity.phenomenonTime ?? entity.time
  const isHistory = 'result' in entity || entity.time !== undefined
  return [isHistory && typeof time === 'string' ? Date.parse(time.split('/')[0] ?? '') : 0, String(entity['@iot.id'])]
}

/** The order of two places. */
export function comparePlaces([at, id]: EntityPlace, [otherAt, otherId]: EntityPlace): number {
  return at - otherAt || (id < otherId ? -1 : id > otherId ? 1 : 0)
}

/** An entity with the related ones that paths of relations lead to, at most `maxRelated` of each. */
export function withRelated(node: Node, paths: readonly (readonly string[])[]): Entity {
  const own = ownMembers(node)
  const relations = new Map<string, (readonly string[])[]>()
  for (const [first, ...rest] of paths)
    if (first !== undefined) relations.set(first, [...(relations.get(first) ?? []), rest])
  const members = [...relations].map(([relation, further]) => [
    relation,
    related(node, relation)
      .slice(0, maxRelated)
      .map((one) => withRelated(one, further)),
  ])
  return members.length === 0 ? own : { ...own, ...Object.fromEntries(members) }
}

const maxRelated = 1_000

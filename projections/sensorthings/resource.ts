import { type Graph, graphOf, type Node, relatedTo, relations } from './graph.ts'
import type { SetName } from './links.ts'
import type { Thing } from './schema.ts'

/** One step of a resource path: `Things('SR1')`, `Datastreams`, `$ref`. */
interface Step {
  readonly name: string
  readonly id?: string
}

/**
 * The target of a link of the document (18-088, 9.2): the service itself, a set, an entity, a related entity, a
 * property, or the links alone (`$ref`). `path` is decoded, or as written in the link.
 */
export function resource(thing: Thing, path: string): object | undefined {
  const graph = graphOf(thing)
  return found(graph, thing, path) ?? found(graph, thing, decoded(path))
}

function found(graph: Graph, thing: Thing, path: string): object | undefined {
  const [version, ...steps] = stepsOf(path)
  if (version?.name !== 'v1.1' || version.id !== undefined) return undefined
  const [step, ...rest] = steps
  if (step === undefined) return serviceOf(thing)
  if (!isSet(step.name)) return undefined
  return among([...graph[step.name].values()], step, rest)
}

function among(nodes: readonly Node[], { id }: Step, rest: readonly Step[]): object | undefined {
  if (id !== undefined) {
    const node = nodes.find(({ entity }) => entity['@iot.id'] === id)
    return node === undefined ? undefined : at(node, rest)
  }
  if (rest.length === 0) return { value: nodes.map(bare) }
  return isReference(rest) ? { value: nodes.map(reference) } : undefined
}

function at(node: Node, rest: readonly Step[]): object | undefined {
  const [step, ...further] = rest
  if (step === undefined) return bare(node)
  if (isReference(rest)) return reference(node)
  if (Object.hasOwn(relations[node.set], step.name)) {
    const nodes = relatedTo(node, step.name)
    if (isSet(step.name)) return among(nodes, step, further)
    return nodes[0] === undefined || step.id !== undefined ? undefined : at(nodes[0], further)
  }
  const isProperty = !step.name.includes('@') && Object.hasOwn(node.entity, step.name)
  return isProperty && step.id === undefined && further.length === 0
    ? { [step.name]: node.entity[step.name] }
    : undefined
}

/** An entity by itself, with nothing expanded. */
function bare({ set, entity }: Node): object {
  const own = Object.entries(entity).filter(
    ([key]) => !Object.hasOwn(relations[set], key.replace('@iot.navigationLink', '')),
  )
  const links = Object.keys(relations[set]).map((name) => [
    `${name}@iot.navigationLink`,
    `${entity['@iot.selfLink']}/${name}`,
  ])
  return Object.fromEntries([...own, ...links])
}

function reference({ entity }: Node): object {
  return { '@iot.selfLink': entity['@iot.selfLink'] }
}

function isReference(rest: readonly Step[]): boolean {
  return rest.length === 1 && rest[0]?.name === '$ref' && rest[0].id === undefined
}

function isSet(name: string): name is SetName {
  return Object.hasOwn(relations, name)
}

/** The sets and their addresses (18-088, 9.2.1); of the requirements, the data model is met without query options. */
function serviceOf(thing: Thing): object {
  const self = thing['@iot.selfLink']
  const root = self.slice(0, self.lastIndexOf("/Things('"))
  return {
    value: Object.keys(relations).map((name) => ({ name, url: `${root}/${name}` })),
    serverSettings: { conformance: ['http://www.opengis.net/spec/iot_sensing/1.1/req/datamodel'] },
  }
}

/** The steps of a path; empty for an invalid path. A slash in an id does not separate steps. */
function stepsOf(path: string): readonly Step[] {
  const step = /([\w.$@]+)(?:\('((?:[^']|'')*)'\))?(?:\/|$)/y
  const steps: Step[] = []
  while (step.lastIndex < path.length) {
    const [, name, id] = step.exec(path) ?? []
    if (name === undefined) return []
    steps.push(id === undefined ? { name } : { name, id: id.replaceAll("''", "'") })
  }
  return steps
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

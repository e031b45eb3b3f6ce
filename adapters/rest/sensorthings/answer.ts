import { EngineError, isObject, type Members } from '../../../engine/index.ts'
import { type Node, ownMembers, relations } from '../../../projections/sensorthings/graph.ts'
import {
  type Expansion,
  type Options,
  optionsOf,
  type Path,
  pathOf,
  targetOf,
  type Way,
} from '../../../projections/sensorthings/query/index.ts'
import { isPassMember } from '../../http/pass.ts'
import type { ThingsCall } from './call.ts'
import { conformance } from './conformance.ts'
import { type ListPage, pageOf } from './list.ts'
import { related } from './nodes.ts'
import { listOf, nodeAt, type Source } from './source.ts'

/** What a read is answered with: JSON, or the text of a value. */
export type Answered = { readonly json: unknown } | { readonly text: string }

/** The path of a request below the root, as it was sent. */
export function pathIn({ request }: ThingsCall, prefix: string): string {
  return new URL(request.req.url).pathname.slice(prefix.length).replace(/^\//, '')
}

/** The query options of a request. */
export function writtenOptions({ request }: ThingsCall): Options['written'] {
  return [...new URL(request.req.url).searchParams].filter(([name]) => !isPassMember(name))
}

/** Answers a read (18-088, 9.2 and 9.3). */
export async function answerRead(call: ThingsCall, source: Source, path: string): Promise<Answered> {
  const written = writtenOptions(call)
  if (path === '') {
    optionsOf(written, 'Things', 'value')
    return { json: serviceOf(call) }
  }
  const found = pathOf(path)
  if (found === undefined) throw new EngineError('resource_not_found')
  const { set, target } = targetOf(found)
  const options = optionsOf(written, set, target)
  const last = found.ways.at(-1) as Way
  if (found.property === undefined && last.isMany && last.id === undefined)
    return answerList(call, source, found, options)
  const node = await nodeAt(source, found.ways)
  if (found.property !== undefined) return propertyOf(node, found.property, found)
  if (found.isReference) return { json: reference(node) }
  return { json: await entityOf(call, source, node, options) }
}

/** The sets and their addresses, and what of the standard is met (18-088, 9.2.1). */
function serviceOf({ root }: ThingsCall): object {
  return {
    value: Object.keys(relations).map((name) => ({ name, url: `${root}/${name}` })),
    serverSettings: { conformance },
  }
}

async function answerList(call: ThingsCall, source: Source, path: Path, options: Options): Promise<Answered> {
  const [address, list] = await listAt(call, source, path.ways)
  if (path.isCount) {
    const { count = 0 } = await pageOf(call, address, list, { ...options, count: true, top: 0 })
    return { text: String(count) }
  }
  const page = await pageOf(call, path.isReference ? `${address}/$ref` : address, list, options)
  if (path.isReference) return { json: listed(page, page.nodes.map(reference)) }
  if (options.isDataArray) return { json: listed(page, await dataArrays(call, source, page, options)) }
  return { json: listed(page, await entitiesOf(call, source, page, options)) }
}

async function listAt({ root }: ThingsCall, source: Source, ways: readonly Way[]) {
  const [{ name, set }, before] = [ways.at(-1) as Way, ways.slice(0, -1)]
  if (before.length === 0) return [`${root}/${set}`, source.list(set)] as const
  const node = await nodeAt(source, before)
  return [`${node.entity['@iot.selfLink']}/${name}`, listOf(source, node, name)] as const
}

function listed({ count, nextLink }: ListPage, value: readonly unknown[]): object {
  return {
    ...(count !== undefined && { '@iot.count': count }),
    value,
    ...(nextLink !== undefined && { '@iot.nextLink': nextLink }),
  }
}

async function entitiesOf(call: ThingsCall, source: Source, { nodes }: ListPage, options: Options) {
  const entities: Members[] = []
  for (const node of nodes) entities.push(await entityOf(call, source, node, options))
  return entities
}

/** An entity with what is selected, what is expanded, and links to the other related entities. */
async function entityOf(call: ThingsCall, source: Source, node: Node, options: Options): Promise<Members> {
  const { select, expand } = options
  const own = Object.entries(ownMembers(node)).filter(([name]) => select === undefined || select.includes(name))
  const links = Object.entries(
    linksOf(node, (name) => !expand.some(({ relation }) => relation === name) && (select?.includes(name) ?? true)),
  )
  const expanded: Members[] = []
  for (const expansion of expand) expanded.push(await expandedOf(call, source, node, expansion))
  return Object.assign(Object.fromEntries([...own, ...links]), ...expanded)
}

function linksOf(node: Node, isWanted: (relation: string) => boolean = () => true): Record<string, string> {
  const self = node.entity['@iot.selfLink']
  const wanted = Object.keys(relations[node.set]).filter(isWanted)
  return Object.fromEntries(wanted.map((name) => [`${name}@iot.navigationLink`, `${self}/${name}`]))
}

async function expandedOf(call: ThingsCall, source: Source, node: Node, expansion: Expansion): Promise<Members> {
  const { relation, isMany, options } = expansion
  if (!isMany) {
    const [one] = related(node, relation)
    return one === undefined ? {} : { [relation]: await entityOf(call, source, one, options) }
  }
  const page = await pageOf(
    call,
    `${node.entity['@iot.selfLink']}/${relation}`,
    listOf(source, node, relation),
    options,
  )
  const { count, nextLink } = page
  return {
    ...(count !== undefined && { [`${relation}@iot.count`]: count }),
    [relation]: await entitiesOf(call, source, page, options),
    ...(nextLink !== undefined && { [`${relation}@iot.nextLink`]: nextLink }),
  }
}

function reference({ entity }: Node): object {
  return { '@iot.selfLink': entity['@iot.selfLink'] }
}

/** A property by its name, or its value as text (18-088, 9.2.4 and 9.2.5). */
function propertyOf(node: Node, name: string, { members = [], isValue }: Path): Answered {
  let [value, last]: [unknown, string] = [node.entity[name], name]
  for (const member of members) {
    value = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined
    last = member
  }
  if (value === undefined) throw new EngineError('resource_not_found')
  if (!isValue) return { json: { [last]: value } }
  return { text: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Observations as lists of values, for each Datastream (18-088, 12.3). */
async function dataArrays(call: ThingsCall, source: Source, { nodes }: ListPage, options: Options) {
  const plain = { ...options, ...(options.select === undefined && { select: dataArrayMembers }) }
  const groups = new Map<string, { readonly link: string; readonly rows: Members[] }>()
  for (const node of nodes) {
    const [stream] = related(node, 'Datastream')
    const link = String(stream?.entity['@iot.selfLink'])
    const group = groups.get(link) ?? { link, rows: [] }
    groups.set(link, group)
    group.rows.push(await entityOf(call, source, node, plain))
  }
  const components = (plain.select ?? []).concat(options.expand.map(({ relation }) => relation))
  return [...groups.values()].map(({ link, rows }) => ({
    'Datastream@iot.navigationLink': link,
    components: components.map((name) => name.replace('@iot.', '')),
    'dataArray@iot.count': rows.length,
    dataArray: rows.map((row) => components.map((name) => row[name] ?? null)),
  }))
}

const dataArrayMembers = ['@iot.id', 'phenomenonTime', 'result', 'resultTime', 'parameters']

/** An entity with nothing selected or expanded. */
export function bareEntity(node: Node): Members {
  return Object.assign(ownMembers(node), linksOf(node))
}

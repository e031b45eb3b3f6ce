import type { Judged } from '../judge.ts'
import type { Graph, Node, Term } from './graph.ts'
import { type Ontology, upwards } from './ontology.ts'
import { short } from './shapes.ts'

type Faults = readonly string[]
type Rule = (graph: Graph, document: Judged, ontology: Ontology) => Faults

const cargo = (name: string) => `https://onerecord.iata.org/ns/cargo#${name}`
const api = (name: string) => `https://onerecord.iata.org/ns/api#${name}`

/** API 2.2, Logistics Object URI, Logistics Events URI; implementation guidelines, embedded objects; code lists, URI structure. */
const objectUri = /^https?:\/\/[^/\s]+\/(?:[^\s]*\/)?logistics-objects\/[^/\s?#]+$/
const eventUri = /^(https?:\/\/[^/\s]+\/(?:[^\s]*\/)?logistics-objects\/[^/\s?#]+)\/logistics-events\/[^/\s?#]+$/
const embeddedUri = /^internal:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const codeUri = /^https?:\/\/[^\s#]+\/[^/\s#]+#[^\s#]+$/
const utc = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** "Terms of the standard are those of its ontologies, by their whole names." */
const knownTerms: Rule = ({ nodes }, _, { terms }) => {
  const named = [...nodes.values()].flatMap(({ id, types, values }) => [
    id,
    ...types,
    ...values.keys(),
    ...[...values.values()].flat().flatMap(({ termType, value }) => (termType === 'NamedNode' ? [value] : [])),
  ])
  const properties = [...nodes.values()].flatMap(({ values }) => [...values.keys()])
  const types = [...nodes.values()].flatMap(({ types }) => types)
  return [
    ...[...new Set(named)]
      .filter((name) => /^https?:\/\/([^/]*\.)?iata\.org\b/i.test(name) && !terms.has(name))
      .map((name) => `${name} is no term of the standard`),
    ...[...new Set([...properties, ...types])]
      .filter((name) => !/^https:\/\/onerecord\.iata\.org\//.test(name))
      .map((name) => `${name} is from another vocabulary`),
  ]
}

/** "Every node has an id that lasts, and a type." */
const ownIds: Rule = ({ nodes }) =>
  [...nodes.values()].flatMap(({ id, types }) => [
    ...(id.startsWith('_:') ? [`${id} is a blank node`] : []),
    ...(types.length === 0 ? [`${id} has no type`] : []),
  ])

/** "An id is built according to the API, from what it names." */
const uriPatterns: Rule = ({ nodes }, { target }, { parents }) =>
  [...nodes.values()].flatMap(({ id, types }) => {
    const classes = types.flatMap((type) => upwards(parents, type))
    const is = (name: string) => classes.includes(cargo(name))
    if (is('LogisticsObject'))
      return [...unless(objectUri.test(id), `${id} is no URI of a logistics object`), ...ours(id)]
    if (is('LogisticsEvent')) return [...unless(eventUri.test(id), `${id} is no URI of a logistics event`), ...ours(id)]
    if (is('CodeListElement')) return unless(/^https?:/.test(id), `${id} is no URI of a code`)
    if (types.includes(api('Collection'))) return ours(id)
    return unless(embeddedUri.test(id), `${id} is no id of an embedded object`)

    function ours(uri: string): Faults {
      return unless(uri.startsWith(`${target.baseUrl}/`), `${uri} is outside of the server`)
    }
  })

/** "Dates and times are in UTC, and literals of their type; empty members are left out." */
const literals: Rule = ({ nodes, json }) => [
  ...[...nodes.values()].flatMap(({ id, values }) =>
    [...values.values()]
      .flat()
      .filter(({ datatype, value }) => datatype?.value.endsWith('#dateTime') && !isInstant(value))
      .map(({ value }) => `${short(id)}: ${value} is no instant in UTC`),
  ),
  ...oddJson(json, ''),
]

/** The shapes look at the letters of a time, not at its calendar. */
function isInstant(value: string): boolean {
  const day = value.slice(0, 10)
  return utc.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(day)
}

function oddJson(value: unknown, path: string): Faults {
  if (value === null) return [`${path} is null`]
  if (typeof value === 'string') return unless(value.isWellFormed(), `${path} holds half a character`)
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...unless(!Array.isArray(member) || member.length > 0 || path === '', `${path}.${name} is empty`),
    ...oddJson(member, `${path}.${name}`),
  ])
}

/** "An event has a time, concerns exactly one thing, and is below it; its code is a reference to a list." */
const wholeEvents: Rule = (graph) =>
  eventsOf(graph).flatMap((event) => {
    const { id, values } = event
    const [subject] = valuesOf(event, 'eventFor')
    const codes = valuesOf(event, 'eventCode')
    return [
      ...exactlyOne(event, 'eventDate'),
      ...exactlyOne(event, 'eventFor'),
      ...unless(eventUri.exec(id)?.[1] === subject?.value, `${id} does not stand below ${subject?.value}`),
      ...unless(
        subject === undefined || [...(graph.nodes.get(subject.value)?.types ?? [])].length > 0,
        `${subject?.value} is of no type`,
      ),
      ...unless(values.has(cargo('eventCode')) || values.has(cargo('eventName')), `${id} says not what happened`),
      ...codes.flatMap(({ value }) => [
        ...unless(codeUri.test(value), `${value} is not built as {base}/{list}#{code}`),
        ...unless((graph.nodes.get(value)?.values.size ?? 0) === 0, `${value} is embedded`),
      ]),
    ]
  })

const timeTypes = ['ACTUAL', 'ESTIMATED', 'EXPECTED', 'PLANNED', 'REQUESTED'].map(cargo)

/** "SCHEDULED is a type of movement times, and none of event times; an event without type might be a plan." */
const timeTypeOfEvents: Rule = (graph) =>
  eventsOf(graph).flatMap((event) => [
    ...exactlyOne(event, 'eventTimeType'),
    ...valuesOf(event, 'eventTimeType')
      .filter(({ termType, value }) => termType !== 'NamedNode' || !timeTypes.includes(value))
      .map(({ value }) => `${short(value)} is no type of event time`),
  ])

/** "The answer is one Collection with the address of the endpoint, all events of its object, and their number." */
const oneCollection: Rule = (graph, { timeline }) => {
  const [collection, ...others] = [...graph.nodes.values()].filter(({ types }) => types.includes(api('Collection')))
  if (collection === undefined || others.length > 0) return [`${others.length + 1} collections, or none`]
  const items = collection.values.get(api('hasItem')) ?? []
  const total = collection.values.get(api('hasTotalItems')) ?? []
  const about = new Set(eventsOf(graph).flatMap((event) => valuesOf(event, 'eventFor').map(({ value }) => value)))
  return [
    ...unless(/\/logistics-objects\/[^/]+\/logistics-events$/.test(collection.id), `${collection.id} is no endpoint`),
    ...unless(
      total.length === 1 && total[0]?.value === String(items.length),
      `${items.length} items are not the total`,
    ),
    ...unless(items.length === timeline.events.length, `${items.length} events of ${timeline.events.length}`),
    ...unless(eventsOf(graph).length === items.length, 'an event is no item'),
    ...items
      .filter(({ value }) => !graph.nodes.get(value)?.types.includes(cargo('LogisticsEvent')))
      .map(({ value }) => `${value} is no event`),
    ...[...about]
      .filter((object) => collection.id !== `${object}/logistics-events`)
      .map((object) => `${object} has events in the collection ${collection.id}`),
  ]
}

/** "Every event of the timeline is there, at its instant, and no other." */
const sameInstants: Rule = (graph, { timeline }) => {
  const written = eventsOf(graph).flatMap((event) => valuesOf(event, 'eventDate').map(({ value }) => Date.parse(value)))
  const expected = timeline.events.map(({ occurred_at }) => Date.parse(occurred_at))
  const sorted = (instants: readonly number[]) => JSON.stringify([...instants].sort((one, other) => one - other))
  return unless(sorted(written) === sorted(expected), 'the events are not at the instants of the timeline')
}

/** "A form of JSON-LD is what its name says" (JSON-LD 1.1, section 8 of the API: document forms). */
const ownForm: Rule = ({ json }, { form }) => {
  const of = form?.split('#')[1] ?? 'compacted'
  if (of === 'expanded') return unless(Array.isArray(json) && isExpanded(json), 'it is not expanded')
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [`it is not ${of}`]
  if (of === 'compacted') return unless('@id' in json && '@type' in json && !('@graph' in json), 'it is not compacted')
  const { '@graph': graph } = json as { readonly '@graph'?: unknown }
  const isFlat =
    Array.isArray(graph) &&
    graph.every(
      (node) =>
        !Object.values(node as object)
          .flat()
          .some(isEmbedded),
    )
  const ids = isFlat ? (graph as readonly { '@id'?: unknown }[]).map((node) => node['@id']) : []
  return unless(isFlat && new Set(ids).size === ids.length, 'it is not flattened')
}

function isEmbedded(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '@id' in value && Object.keys(value).length > 1
}

function isExpanded(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExpanded)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) =>
    name.startsWith('@') ? name !== '@context' : /^https:/.test(name) && Array.isArray(member) && isExpanded(member),
  )
}

const rules: readonly Rule[] = [
  ...[knownTerms, ownIds, uriPatterns, literals, wholeEvents, timeTypeOfEvents, oneCollection, sameInstants, ownForm],
]

/** What the API's text, and not the ontology, finds wrong with a document. */
export function ruleFaults(graph: Graph, document: Judged, ontology: Ontology): Faults {
  return rules.flatMap((rule) => rule(graph, document, ontology))
}

function eventsOf({ nodes }: Graph): readonly Node[] {
  return [...nodes.values()].filter(({ types }) => types.includes(cargo('LogisticsEvent')))
}

function valuesOf({ values }: Node, name: string): readonly Term[] {
  return values.get(cargo(name)) ?? []
}

function exactlyOne(node: Node, name: string): Faults {
  const { length } = valuesOf(node, name)
  return unless(length === 1, `${node.id} has ${length} ${name}`)
}

function unless(isRight: boolean, fault: string): Faults {
  return isRight ? [] : [fault]
}

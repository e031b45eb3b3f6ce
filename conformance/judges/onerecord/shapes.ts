import env from '@zazuko/env'
import Validator from 'rdf-validate-shacl'
import type { Graph, Term } from './graph.ts'
import { type Ontology, type Restriction, upwards } from './ontology.ts'

const { sh, rdf, rdfs } = env.ns
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const thing = 'http://www.w3.org/2002/07/owl#Thing'

let known: Validator | undefined

/** What the shapes of the ontology find wrong with a document, a sentence each. */
export async function shapeFaults(graph: Graph, ontology: Ontology): Promise<readonly string[]> {
  known ??= new Validator(shapesOf(ontology), { factory: env })
  const { results } = await known.validate(dataOf(graph, ontology))
  return results.map(({ focusNode, path, message }) => {
    const said = message.map(({ value }) => value).join(' ')
    return `${short(focusNode?.value)} ${short((path as Term | null)?.value)}: ${said}`
  })
}

/** Members that no class of their node has; shapes are open, and do not report them. */
export function strangeMembers({ nodes }: Graph, { parents, restrictions }: Ontology): readonly string[] {
  return [...nodes.values()].flatMap(({ id, types, values }) => {
    const classes = types.flatMap((type) => upwards(parents, type))
    const known = new Set(classes.flatMap((name) => (restrictions.get(name) ?? []).map(({ property }) => property)))
    return [...values.keys()]
      .filter((property) => !known.has(property))
      .map(
        (property) => `${short(id)}: ${types.map(short).join(', ') || 'a node without type'} has no ${short(property)}`,
      )
  })
}

function shapesOf({ restrictions, lists }: Ontology) {
  const shapes = env.dataset()
  const add = (subject: Term, predicate: Term, object: Term) =>
    shapes.add(env.quad(subject as never, predicate as never, object as never))
  for (const [name, members] of restrictions) {
    const shape = env.blankNode()
    add(shape, rdf.type, sh.NodeShape)
    add(shape, sh.targetClass, env.namedNode(name))
    for (const restriction of members) {
      const property = env.blankNode()
      add(shape, sh.property, property)
      add(property, sh.path, env.namedNode(restriction.property))
      constrain(restriction, lists, (predicate, object) => add(property, predicate, object), add)
    }
  }
  return shapes
}

function constrain(
  { range, min, max }: Restriction,
  lists: Ontology['lists'],
  say: (predicate: Term, object: Term) => void,
  add: (subject: Term, predicate: Term, object: Term) => void,
): void {
  if (min !== undefined) say(sh.minCount, integer(min))
  if (max !== undefined) say(sh.maxCount, integer(max))
  if (range === undefined || range === thing) return
  const members = lists.get(range)
  if (range.startsWith(xsd)) say(sh.datatype, env.namedNode(range))
  else if (members === undefined) say(sh.class, env.namedNode(range))
  else say(sh.in, listOf(members, add))
}

function listOf(members: readonly string[], add: (subject: Term, predicate: Term, object: Term) => void): Term {
  return members.reduceRight<Term>((rest, member) => {
    const item = env.blankNode()
    add(item, rdf.first, env.namedNode(member))
    add(item, rdf.rest, rest)
    return item
  }, rdf.nil)
}

/** The statements of the document, the classes above classes, and the types of the individuals that it names. */
function dataOf({ nodes }: Graph, { parents, individuals }: Ontology) {
  const data = env.dataset()
  const add = (subject: string, predicate: string, object: Term) =>
    data.add(env.quad(termOf(subject), env.namedNode(predicate), object as never))
  for (const [name, above] of parents) {
    for (const parent of above) add(name, rdfs.subClassOf.value, env.namedNode(parent))
  }
  for (const node of nodes.values()) {
    for (const type of node.types) add(node.id, rdf.type.value, env.namedNode(type))
    for (const [property, values] of node.values) {
      for (const value of values) {
        add(node.id, property, copyOf(value))
        for (const type of individuals.get(value.value) ?? []) add(value.value, rdf.type.value, env.namedNode(type))
      }
    }
  }
  return data
}

function copyOf({ termType, value, datatype }: Term): Term {
  if (termType === 'Literal') return env.literal(value, env.namedNode(datatype?.value ?? `${xsd}string`))
  return termOf(value)
}

function termOf(id: string) {
  return id.startsWith('_:') ? env.blankNode(id.slice(2)) : env.namedNode(id)
}

function integer(value: number): Term {
  return env.literal(String(value), env.namedNode(`${xsd}integer`))
}

/** An IRI without the part that all have. */
export function short(iri = ''): string {
  return iri.replace(/^https?:\/\/onerecord\.iata\.org\/ns\//, '').slice(-120)
}

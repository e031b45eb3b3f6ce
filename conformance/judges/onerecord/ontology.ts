import { readFileSync } from 'node:fs'
import { Parser } from 'n3'
import { official } from '../official.ts'

const files = [
  'one-record/3.2/IATA-1R-DM-Ontology.ttl',
  'one-record/3.2/ONE-Record-API-Ontology.ttl',
  'one-record/IATA-1R-CL-Ontology.ttl',
] as const

/** The restrictions of a class on the values of one property: `owl:allValuesFrom`, and cardinalities. */
export interface Restriction {
  readonly property: string
  readonly range?: string
  readonly min?: number
  readonly max?: number
}

/** The data model, its code lists and the API, joined. */
export interface Ontology {
  /** Every class, property and individual that is declared and not deprecated. */
  readonly terms: ReadonlySet<string>
  readonly restrictions: ReadonlyMap<string, readonly Restriction[]>
  /** The classes right above a class. */
  readonly parents: ReadonlyMap<string, readonly string[]>
  /** The classes of each individual. */
  readonly individuals: ReadonlyMap<string, readonly string[]>
  /** The members of classes that are lists of individuals (`owl:oneOf`). */
  readonly lists: ReadonlyMap<string, readonly string[]>
}

const owl = 'http://www.w3.org/2002/07/owl#'
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'

/** The ontology of the official files. */
export const ontology = official(files, (paths) => ontologyOf(paths.map((path) => readFileSync(path, 'utf8'))))

/** A class and all above it. */
export function upwards(parents: Ontology['parents'], name: string): readonly string[] {
  const all = new Set([name])
  for (const one of all) for (const parent of parents.get(one) ?? []) all.add(parent)
  return [...all]
}

type Index = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

function ontologyOf(texts: readonly string[]): Ontology {
  const index = indexOf(texts)
  const objects = (subject: string, predicate: string) => index.get(subject)?.get(predicate) ?? []
  const named = [...index.keys()].filter((name) => !isBlank(name))
  const kindsOf = (name: string) => objects(name, `${rdf}type`)
  const classes = named.filter((name) => kindsOf(name).includes(`${owl}Class`))
  const byClass = <Value>(value: (name: string) => Value) => new Map(classes.map((name) => [name, value(name)]))
  return {
    terms: new Set(
      named.filter((name) => kindsOf(name).length > 0 && !objects(name, `${owl}deprecated`).includes('true')),
    ),
    restrictions: byClass((name) =>
      objects(name, `${rdfs}subClassOf`)
        .filter(isBlank)
        .map((restriction) => restrictionOf((predicate) => objects(restriction, `${owl}${predicate}`)[0])),
    ),
    parents: byClass((name) => objects(name, `${rdfs}subClassOf`).filter((parent) => !isBlank(parent))),
    individuals: new Map(
      named
        .filter((name) => kindsOf(name).includes(`${owl}NamedIndividual`))
        .map((name) => [name, kindsOf(name).filter((kind) => !kind.startsWith(owl))]),
    ),
    lists: new Map(
      classes.flatMap((name) => {
        const [list] = objects(name, `${owl}equivalentClass`).flatMap((same) => objects(same, `${owl}oneOf`))
        return list === undefined ? [] : [[name, listed(objects, list)] as const]
      }),
    ),
  }
}

/** `owl:someValuesFrom` is left out: it would require an item in a Collection, which may be empty (API 2.2). */
function restrictionOf(object: (predicate: string) => string | undefined): Restriction {
  const range = object('allValuesFrom') ?? object('onDataRange') ?? object('onClass')
  const min = object('minCardinality') ?? object('minQualifiedCardinality')
  const max = object('maxCardinality') ?? object('maxQualifiedCardinality')
  const exact = object('cardinality') ?? object('qualifiedCardinality')
  return {
    property: object('onProperty') ?? '',
    ...(range === undefined ? {} : { range }),
    ...((min ?? exact) === undefined ? {} : { min: Number(min ?? exact) }),
    ...((max ?? exact) === undefined ? {} : { max: Number(max ?? exact) }),
  }
}

function listed(objects: (subject: string, predicate: string) => readonly string[], list: string): readonly string[] {
  const items: string[] = []
  for (let rest = list; rest !== `${rdf}nil`; rest = objects(rest, `${rdf}rest`)[0] ?? `${rdf}nil`) {
    items.push(...objects(rest, `${rdf}first`))
  }
  return items
}

function indexOf(texts: readonly string[]): Index {
  const index = new Map<string, Map<string, string[]>>()
  for (const text of texts) {
    for (const { subject, predicate, object } of new Parser().parse(text)) {
      const members = index.get(nameOf(subject)) ?? new Map<string, string[]>()
      index.set(nameOf(subject), members)
      members.set(predicate.value, [...(members.get(predicate.value) ?? []), nameOf(object)])
    }
  }
  return index
}

function nameOf({ termType, value }: { readonly termType: string; readonly value: string }): string {
  return termType === 'BlankNode' ? `_:${value}` : value
}

function isBlank(name: string): boolean {
  return name.startsWith('_:')
}

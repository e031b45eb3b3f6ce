import type { SetName } from '../links.ts'
import { conditionOf, type Expression, expressionOf, maxDepth } from './expression.ts'
import { type Meaning, meaningOf, namesOf } from './model.ts'
import { refused, shown, unknownName } from './refused.ts'

/** The query options of a request, or of what is expanded in it (18-088, 9.3). */
export interface Options {
  readonly filter?: Expression
  readonly orderBy: readonly Order[]
  /** Names of properties and relations; all if absent. */
  readonly select?: readonly string[]
  readonly expand: readonly Expansion[]
  readonly top?: number
  readonly skip: number
  readonly count: boolean
  readonly isDataArray: boolean
  /** Where a page begins; only this server knows what it means. */
  readonly skipToken?: string
  /** The options as they were written, for links to further pages. */
  readonly written: readonly (readonly [name: string, value: string])[]
}

/** One criterion of an order. */
export interface Order {
  readonly expression: Expression
  readonly isDescending: boolean
}

/** A relation whose entities are written in place of the link to them. */
export interface Expansion {
  readonly relation: string
  readonly set: SetName
  readonly isMany: boolean
  readonly options: Options
}

/** What options are for: entities of a set, one entity, links alone, or a value that has no options. */
export type Target = 'entities' | 'entity' | 'references' | 'value'

const ofEntities = ['$filter', '$orderby', '$top', '$skip', '$count', '$skiptoken'] as const
const known: Readonly<Record<Target, readonly string[]>> = {
  entities: [...ofEntities, '$select', '$expand'],
  entity: ['$select', '$expand'],
  references: ofEntities,
  value: [],
}

/** How deeply relations are expanded at most, how many in all, and how long the text of one option may be. */
export const limits = { depth: 6, expansions: 30, characters: 8_000, criteria: 10, skip: 1_000_000 } as const

/** No options. */
export const noOptions: Options = { orderBy: [], expand: [], skip: 0, count: false, isDataArray: false, written: [] }

/** The query options of a request. Throws `query_parameter_refused` for one that is not known, malformed, or repeated. */
export function optionsOf(pairs: Iterable<readonly [string, string]>, set: SetName, target: Target): Options {
  return checked(read([...pairs], { set, target, depth: 0 }))
}

interface Place {
  readonly set: SetName
  readonly target: Target
  readonly depth: number
}

function read(written: Options['written'], place: Place): Options {
  const { set, target } = place
  const seen = new Map<string, string>()
  const isObserving = set === 'Observations' && target === 'entities' && place.depth === 0
  const names = isObserving ? [...known[target], '$resultFormat'] : known[target]
  for (const [name, value] of written) {
    if (!names.includes(name)) throw unknownOption(name, target, names)
    if (seen.has(name)) throw refused(name, 'it is given twice')
    if (value.length > limits.characters) throw refused(name, `it is longer than ${limits.characters} characters`)
    seen.set(name, value)
  }
  const given = <Read>(name: string, of: (text: string) => Read) => {
    const text = seen.get(name)
    return text === undefined ? undefined : of(text)
  }
  return {
    ...defined({
      filter: given('$filter', (text) => conditionOf(text, set)),
      select: given('$select', (text) => selected(text, set)),
      top: given('$top', (text) => countOf('$top', text)),
      skipToken: seen.get('$skiptoken'),
    }),
    orderBy: given('$orderby', (text) => ordersOf(text, set)) ?? [],
    expand: given('$expand', (text) => expansionsOf(text, place)) ?? [],
    skip: given('$skip', (text) => countOf('$skip', text, limits.skip)) ?? 0,
    count: given('$count', truthOf) ?? false,
    isDataArray: given('$resultFormat', isDataArray) ?? false,
    written,
  }
}

type Defined = Partial<Pick<Options, 'filter' | 'select' | 'top' | 'skipToken'>>

function defined(members: { readonly [Name in keyof Defined]: Defined[Name] | undefined }): Defined {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function unknownOption(name: string, target: Target, names: readonly string[]) {
  const elsewhere = [...Object.values(known).flat(), '$resultFormat'].includes(name)
  if (!elsewhere) return unknownName(name, 'query option', name, [...known.entities, '$resultFormat'])
  if (names.length === 0) return refused(name, 'a value has no query options')
  const what = { entities: 'these entities', entity: 'one entity', references: 'links', value: 'a value' }[target]
  return refused(name, `it is not for ${what}; ${names.join(', ')} are`)
}

function countOf(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (count <= most) return count
  throw refused(name, `it is a whole number from 0 to ${most}, not ${shown(text)}`)
}

function truthOf(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw refused('$count', 'true or false')
}

function isDataArray(text: string): boolean {
  if (text === 'dataArray') return true
  throw refused('$resultFormat', 'dataArray is the only one')
}

function selected(text: string, set: SetName): readonly string[] {
  return split('$select', text, ',').map((name) => {
    const meaning = meaningIn('$select', set, name)
    return 'relation' in meaning ? meaning.relation : meaning.property
  })
}

function meaningIn(option: string, set: SetName, name: string): Meaning {
  const meaning = meaningOf(set, name)
  if (meaning !== undefined) return meaning
  throw unknownName(option, 'property', `${name} of ${set}`, namesOf(set))
}

function ordersOf(text: string, set: SetName): readonly Order[] {
  const parts = split('$orderby', text, ',')
  if (parts.length > limits.criteria) throw refused('$orderby', `it has more than ${limits.criteria} criteria`)
  return parts.map((part) => {
    const [, written = part, direction = 'asc'] = /^(.*?)\s+(asc|desc)$/s.exec(part) ?? []
    return { expression: expressionOf('$orderby', written, set), isDescending: direction === 'desc' }
  })
}

function expansionsOf(text: string, place: Place): readonly Expansion[] {
  const expansions = new Map<string, Expansion>()
  for (const part of split('$expand', text, ',')) {
    const expansion = expansionOf(part, place)
    const other = expansions.get(expansion.relation)
    expansions.set(expansion.relation, other === undefined ? expansion : joined(other, expansion))
  }
  return [...expansions.values()]
}

function expansionOf(text: string, { set, depth }: Place): Expansion {
  if (depth >= limits.depth) throw refused('$expand', `it is nested more than ${limits.depth} deep`)
  const [, name = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(text) ?? []
  const meaning = meaningIn('$expand', set, name === '' ? text : name)
  if (!('relation' in meaning)) throw refused('$expand', `${name} is a property, which is not expanded`)
  const { relation, set: target, isMany } = meaning
  const place: Place = { set: target, target: isMany ? 'entities' : 'entity', depth: depth + 1 }
  return { relation, set: target, isMany, options: read(nestedIn(rest), place) }
}

/** The options in parentheses after a relation, or the relation after a slash. */
function nestedIn(rest: string): Options['written'] {
  if (rest === '') return []
  if (rest.startsWith('/')) return [['$expand', rest.slice(1)]]
  if (!rest.startsWith('(') || !rest.endsWith(')')) throw refused('$expand', `${shown(rest)} is not understood`)
  return split('$expand', rest.slice(1, -1), ';').map((option) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(option) ?? []
    if (name === '') throw refused('$expand', `${shown(option)} is no query option`)
    return [name.trim(), value] as const
  })
}

/** `Datastreams/Sensor` and `Datastreams/Observations` are one expansion. */
function joined(one: Expansion, other: Expansion): Expansion {
  const isPlain = [one, other].every(({ options }) => options.written.every(([name]) => name === '$expand'))
  if (!isPlain) throw refused('$expand', `${one.relation} is expanded twice`)
  const further = new Map(one.options.expand.map((expansion) => [expansion.relation, expansion]))
  for (const expansion of other.options.expand) {
    const known = further.get(expansion.relation)
    further.set(expansion.relation, known === undefined ? expansion : joined(known, expansion))
  }
  return { ...one, options: { ...one.options, expand: [...further.values()] } }
}

/** The parts of a text between separators that are outside of parentheses and quotes. */
function split(option: string, text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let [start, depth, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === "'") isQuoted = !isQuoted
    if (isQuoted) continue
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (depth > maxDepth) throw refused(option, `it is nested more than ${maxDepth} deep`)
    if (depth < 0) throw refused(option, 'a parenthesis is closed that was not opened')
    if (sign !== separator || depth > 0) continue
    parts.push(text.slice(start, at).trim())
    start = at + 1
  }
  if (isQuoted || depth > 0) throw refused(option, isQuoted ? 'a quote is not closed' : 'a parenthesis is not closed')
  parts.push(text.slice(start).trim())
  if (parts.includes('')) throw refused(option, 'a part of it is empty')
  return parts
}

function checked(options: Options): Options {
  const count = (list: readonly Expansion[]): number =>
    list.reduce((sum, { options: { expand } }) => sum + 1 + count(expand), 0)
  if (count(options.expand) > limits.expansions) throw refused('$expand', `more than ${limits.expansions} relations`)
  return options
}

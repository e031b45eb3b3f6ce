import { allowsMove, type Entity, entities, type Operation, type Part } from '../../../engine/index.ts'
import { type Member, type Members, membersOfInput, membersOfOutput } from './schema.ts'
import { mayNow, type Visitor } from './session.ts'

/** A kind of things that has pages because an operation lists them (`Operation.page`), with the operations below its path. */
export interface Kind {
  /** What people call one: `carrier package`. */
  readonly noun: string
  /** What people call many. */
  readonly plural: string
  /** What its addresses call it: `carrier-package`. */
  readonly name: string
  /** The member that has the id of one, and what the paths and inputs of operations call it. */
  readonly id: string
  readonly param: string
  /** The members of answers that have many and one; the answer is the thing itself where `one` is absent. */
  readonly many: string
  readonly one?: string | undefined
  /** The member that says how one is, and the category of the words for it. */
  readonly status?: { readonly member: string; readonly category?: string } | undefined
  readonly fields: Readonly<Record<string, KindField>>
  /** Its table, where it has one. */
  readonly table?: Entity | undefined
  readonly list: Operation
  /** What reads one; where there is nothing, it is looked for in the list. */
  readonly get?: Operation | undefined
  /** What can be done: what begins one first. */
  readonly actions: readonly Action[]
  /** What answers a file of one, such as the document of a label. */
  readonly files: readonly Operation[]
}

/** A field of a kind of things. */
export interface KindField {
  /** Where answers have it. */
  readonly shownAs: string
  readonly isListed: boolean
  /** Whether its values are chosen from a list. */
  readonly isChosen: boolean
  /** Whether it is the id of an order. */
  readonly isOrder: boolean
}

/** Something that can be done with a form: it begins a thing, or is done to one; the table says of a move when. */
interface Action {
  readonly operation: Operation
  readonly begins: boolean
  readonly move?: string
}

/** A thing as an answer has it. */
export type Values = Readonly<Record<string, unknown>>

/** The tables that have an interface. */
const tables = entities.flatMap((table) => ('api' in table ? [table as Entity] : []))

const known = new WeakMap<readonly Operation[], readonly Kind[]>()

/** All kinds of things that have pages, in the order of their operations; found once for each list of operations. */
export function kindsIn(operations: readonly Operation[]): readonly Kind[] {
  const found = known.get(operations) ?? operations.flatMap((list) => kindOf(list, operations))
  known.set(operations, found)
  return found
}

function kindOf(list: Operation, operations: readonly Operation[]): readonly Kind[] {
  const { page: noun, rest } = list
  if (noun === undefined || rest === undefined) return []
  const table = tables.find(({ api }) => api.list.operation === list.name)
  const named = { noun, name: noun.replaceAll(' ', '-'), list }
  const kind = table === undefined ? listedKind(named, operations) : tableKind(named, table, operations)
  return kind === undefined ? [] : [{ ...kind, files: operations.filter((one) => isFileOf(kind, one)) }]
}

type Listing = Pick<Kind, 'noun' | 'name' | 'list'>

/** Whether an operation answers a file of a thing that its input names by the id of the kind. */
function isFileOf({ noun, param }: Pick<Kind, 'noun' | 'param'>, operation: Operation): boolean {
  return operation.file !== undefined && namedBy(operation, param) === noun
}

/** What a member of an input names by its id, as people call it; nothing if the handler looks at it. */
export function namedBy({ ids = {} }: Pick<Operation, 'ids'>, member: string): string | undefined {
  const { [member]: id } = ids
  return typeof id === 'object' ? id.noun.replaceAll('_', ' ') : undefined
}

/** A kind that has a table: its moves and fields are those of the table. */
function tableKind(listing: Listing, table: Entity, operations: readonly Operation[]): Omit<Kind, 'files'> | undefined {
  const { api, id, moves } = table
  const named = (name: string | undefined) => operations.find((operation) => operation.name === name)
  const get = named(api.get?.operation)
  if (get === undefined) return undefined
  const actions = Object.entries(moves).flatMap(([move, { call, from }]): readonly Action[] => {
    const operation = named(call?.operation)
    return operation === undefined ? [] : [{ move, operation, begins: from === 'nothing' }]
  })
  const forms = (api.get?.forms ?? []).flatMap((name): readonly Action[] => {
    const operation = named(name)
    return operation === undefined ? [] : [{ operation, begins: false }]
  })
  const status = { member: 'status', category: table.category }
  return {
    ...listing,
    plural: api.many,
    id,
    param: id,
    many: api.many,
    one: api.one,
    status,
    fields: fieldsOf(table),
    table,
    get,
    actions: [...actions, ...forms],
  }
}

/** The fields of a table, or of a part of one, as pages show them. */
export function fieldsOf({ fields }: Pick<Part, 'fields'>): Kind['fields'] {
  const shown = Object.entries(fields).map(([name, { shownAs = name, listed, type, names }]) => {
    const isOrder = typeof names === 'object' && names.noun === 'order'
    const isListed = listed === 'filter' || listed === 'column'
    return [name, { shownAs, isListed, isChosen: type.type === 'picklist', isOrder }] as const
  })
  return Object.fromEntries(shown)
}

/** A kind without a table: its fields are those of the rows that its list answers, its actions the operations below the path. */
function listedKind(listing: Listing, operations: readonly Operation[]): Omit<Kind, 'files'> | undefined {
  const { noun, list } = listing
  const path = list.rest?.path ?? ''
  const [many, { items } = {}] = Object.entries(membersOfOutput(list)).find(([, one]) => isRows(one)) ?? []
  const param = operations.map(({ rest }) => idBelow(path, rest?.path)).find((found) => found !== undefined) ?? ''
  if (many === undefined || items === undefined) return undefined
  const { members } = items
  const id = Object.hasOwn(members, param) ? param : 'id'
  const own = `${path}/{${param}}`
  const get = operations.find(({ rest }) => rest?.method === 'GET' && rest.path === own)
  const isForm = ({ rest }: Operation) => rest?.method !== 'GET' && rest?.document === undefined
  const forms = operations.filter(isForm)
  const begins = forms.filter(({ rest }) => rest?.path === path || isBeside(path, rest?.path))
  const does = forms
    .filter(({ rest }) => rest?.path === own || rest?.path.startsWith(`${own}/`))
    .filter((operation) => isBegunWith(members, param, operation))
  const status = ['status', 'state'].find((name) => (members[name]?.choices.length ?? 0) > 0)
  return {
    ...{ ...listing, plural: `${noun}s`, id, param, many, get, one: get && oneIn(get) },
    status: status === undefined ? undefined : { member: status },
    fields: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, fieldOf(name, member)])),
    actions: [
      ...begins.map((operation) => ({ operation, begins: true })),
      ...does.map((operation) => ({ operation, begins: false })),
    ],
  }
}

/**
 * Whether a form can begin with what is there, where an operation puts something in its place: else it would take away what the form
 * does not show.
 */
function isBegunWith(fields: Members, param: string, operation: Operation): boolean {
  if (operation.rest?.method !== 'PUT') return true
  return Object.keys(membersOfInput(operation)).every((name) => name === param || Object.hasOwn(fields, name))
}

function isRows({ items }: Member): boolean {
  return items !== undefined && Object.keys(items.members).length > 0
}

/** The parameter that follows a path in another one: `key_id` of `/api/v1/api-keys/{key_id}/rotate`. */
function idBelow(path: string, other: string | undefined): string | undefined {
  return other?.startsWith(`${path}/{`) ? /^\w+/.exec(other.slice(path.length + 2))?.[0] : undefined
}

/** Whether another path is one step below a path, and names no thing: `/api/v1/accounts/invitations`. */
function isBeside(path: string, other = ''): boolean {
  return other.startsWith(`${path}/`) && /^[\w-]+$/.test(other.slice(path.length + 1))
}

/** The member of an answer that has one thing, if it is the only one beside `result`. */
function oneIn(get: Operation): string | undefined {
  const { result: _, ...members } = membersOfOutput(get)
  const [[name, { members: inside }] = ['', { members: {} }], ...others] = Object.entries(members)
  return others.length === 0 && Object.keys(inside).length > 0 ? name : undefined
}

function fieldOf(name: string, { choices, members, items }: Member): KindField {
  const isListed = items === undefined && Object.keys(members).length === 0
  return { shownAs: name, isListed, isChosen: choices.length > 0, isOrder: name === 'order_id' }
}

/** Whether a visitor may see things of a kind. */
export function isShown({ list }: Kind, visitor: Visitor): boolean {
  return mayNow(visitor, list)
}

/**
 * What a visitor can do to things of a kind, each operation once: to begin one (`nothing`), with one of a status, or with one of
 * `any` status. Without a table, the operation says itself what a status forbids.
 */
export function openActions(
  { table, actions }: Kind,
  visitor: Visitor,
  on: { readonly status: string } | 'any' | 'nothing',
): readonly Operation[] {
  const open = actions.filter(({ move, begins, operation }) => {
    if (!mayNow(visitor, operation) || begins !== (on === 'nothing')) return false
    return typeof on === 'string' || move === undefined || table === undefined || allowsMove(table, on.status, move)
  })
  return [...new Set(open.map(({ operation }) => operation))]
}

/** The members of the input of a list by which it can be filtered. */
export function filtersOf(list: Operation): Members {
  const { page: _, per_page: __, sort: ___, updated_since: ____, cursor: _____, ...filters } = membersOfInput(list)
  return filters
}

/**
 * The members that the form of an operation asks for: all but the id of the thing, where it is done to one. Where an input may leave
 * out the id, it can name the thing by something else that it has, which is not asked for either.
 */
export function formOf({ param, fields }: Pick<Kind, 'param' | 'fields'>, operation: Operation): Members {
  const { [param]: id, ...others } = membersOfInput(operation)
  if (id === undefined) return others
  if (operation.rest?.path.includes(`{${param}}`)) return others
  if (id.isRequired) return { [param]: id, ...others }
  return Object.fromEntries(Object.entries(others).filter(([name]) => !(name in fields || `${name}s` in fields)))
}

/** What the answers of an action have that no other answer has, by name: a code or a key that was just made. */
export function secretsOf({ table, actions, param, fields }: Kind, operation: Operation): readonly string[] {
  if (operation.secret !== true) return []
  const made = actions.filter((one) => one.operation === operation)
  const isMove = made.every(({ move }) => move !== undefined)
  const names =
    table === undefined || !isMove
      ? Object.keys(membersOfOutput(operation)).filter(
          (name) => !['result', param, ...Object.keys(fields)].includes(name),
        )
      : made.flatMap(({ move = '' }) => Object.keys(table.moves[move]?.call?.answers ?? {}))
  return [...new Set(names)]
}

/** Whether an operation is done only by a form that has shown what it does: what is of high risk, and what takes something away. */
export function isGrave({ risk, rest }: Operation): boolean {
  return risk === 'high' || rest?.method === 'DELETE'
}

/** The status of a thing; nothing if its kind has none. */
export function statusIn({ status }: Kind, thing: Values): string | undefined {
  const value = status && thing[status.member]
  return typeof value === 'string' ? value : undefined
}

/** What asks for a page of a list; nothing where the list has no pages. */
export function rangeOf(list: Operation, page: number, per_page: number): Values {
  return Object.hasOwn(membersOfInput(list), 'per_page') ? { page, per_page } : {}
}

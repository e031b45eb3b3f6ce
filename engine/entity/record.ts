import * as v from 'valibot'
import { exampled, named, schemaName } from '../kernel/named.ts'
import { priceOf } from '../kernel/prices.ts'
import { instant, recordedInstant } from '../kernel/schemas.ts'
import { zonedIso } from '../kernel/zone.ts'
import {
  type AlwaysSet,
  everybody,
  type Field,
  type Part,
  settingOf,
  type Table,
  type ValueOf,
  type Values,
  type View,
} from './field.ts'
import { described, isChange, type Taking } from './input.ts'

/**
 * The schema of an entity in answers and webhooks: what the table shows to anybody, under the names it has there. A field that
 * each of these moves sets is always there. With a name, it is a separate schema in the description of the interface.
 */
export function recordSchemaOf<const E extends Part>(
  entity: E,
  moves: readonly string[] = [],
  name?: string,
): v.StrictObjectSchema<RecordEntries<E>, undefined> {
  const entries: Record<string, v.GenericSchema> = {}
  for (const [place, fields] of shownFields(entity)) {
    const group = groupOf(entity, place, fields, moves, name && `${name}${schemaName(place)}`)
    Object.assign(entries, entriesAt(entity, place, group ?? entryOf(entity, fields[0] as Shown, moves)))
  }
  for (const [list, part] of shownParts(entity)) entries[list] = v.array(recordSchemaOf(part, [], partName(part, name)))
  const schema = v.strictObject(entries)
  return (name === undefined ? schema : named(name, schema)) as unknown as v.StrictObjectSchema<
    RecordEntries<E>,
    undefined
  >
}

/** What the schema of an entity is called: `carrier package` becomes `CarrierPackage`. */
export function recordName({ noun }: Pick<Table, 'noun'>): string {
  return schemaName(noun.replaceAll(' ', '_'))
}

/** What the schema of a part is called: as its entity, and then as the field that names it. */
function partName({ id }: Part, name: string | undefined): string | undefined {
  return id === undefined || name === undefined ? undefined : `${name}${schemaName(id.replace(/_id$/, ''))}`
}

/** An entry at its place; that of the id is `id`, and the name of its field beside it is deprecated. */
function entriesAt(entity: Part, place: string, entry: v.GenericSchema): v.ObjectEntries {
  return isIdAt(entity, place) ? idEntries(place, entry) : { [place]: entry }
}

/** Whether a place is that of the id, and answers call it `id`, too; they do not if the table says what they call it. */
function isIdAt({ id, fields }: Part, place: string): boolean {
  return place === id && fields[id]?.shownAs === undefined
}

/** The id of an entity in an answer: `id`, and beside it the name that it had until 0.2. */
export function idEntries(name: string, schema: v.GenericSchema): v.ObjectEntries {
  return {
    id: schema,
    [name]: v.pipe(schema, v.metadata({ deprecated: true, description: 'Deprecated: the same as id.' })),
  }
}

type IdEntry<E extends Part> = E extends { readonly id: infer Id extends keyof E['fields'] }
  ? E['fields'][Id] extends { readonly shownAs: string }
    ? unknown
    : { readonly id: Taking<ValueOf<E['fields'][Id]>> }
  : unknown

type RecordEntries<E extends Part> = IdEntry<E> & {
  readonly [Name in keyof E['fields'] & string as E['fields'][Name] extends
    | { readonly shownTo: readonly [] }
    | { readonly shownAs: string }
    ? never
    : Name]: Name extends AlwaysSet<E> | 'status' | Computed<E>
    ? Taking<ValueOf<E['fields'][Name]>>
    : E['missing'] extends 'null'
      ? Taking<ValueOf<E['fields'][Name]> | null>
      : v.ExactOptionalSchema<Taking<ValueOf<E['fields'][Name]>>, undefined>
}

type Computed<E extends Part> = {
  [Name in keyof E['fields']]: E['fields'][Name] extends { readonly always: true } ? Name : never
}[keyof E['fields']]

/** Some members of a record or of its schema. */
export function pick<Members extends object, Name extends keyof Members & string>(
  members: Members,
  names: readonly Name[],
): Pick<Members, Name> {
  const kept = names.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]] as const)
  return Object.fromEntries(kept) as Pick<Members, Name>
}

/** An entity as a reader sees it. */
export function recordOf(entity: Part, state: Values, view: View): Values {
  const record: Record<string, unknown> = {}
  for (const [place, fields] of shownFields(entity)) {
    const seen = fields.filter(({ field }) => field.shownTo.includes(view.reader))
    const members = seen.flatMap((one) => memberOf(entity, one, state, view))
    const isGroup = fields[0]?.member !== undefined
    if (!isGroup) {
      const [[, id] = []] = members
      Object.assign(record, isIdAt(entity, place) && { id }, Object.fromEntries(members))
    } else if (isGroupThere(entity, fields, state)) record[place] = Object.fromEntries(members)
    else if (entity.missing === 'null') record[place] = null
  }
  for (const [list, part] of shownParts(entity))
    record[list] = ((state[list] ?? []) as readonly Values[]).map((one) => recordOf(part, one, view))
  return record
}

/** A group is there once its first field was set by the move that creates the entity, or has a value. */
function isGroupThere(entity: Part, [first]: readonly Shown[], state: Values): boolean {
  return first !== undefined && (opensAtOnce(entity, first.field) || state[first.name] !== undefined)
}

/** Whether the move that creates the entity sets a field, be it with a value or without. */
function opensAtOnce(entity: Part, field: Field): boolean {
  return settingOf(field, firstMove(entity)) !== undefined
}

/** A field in the record: its name, its place there, and the member of that place if the place is a group. */
interface Shown {
  readonly name: string
  readonly place: string
  readonly field: Field
  readonly member?: string
}

/** A table with what is shown beside the record, which is then in one. */
export function besideRecord(entity: Part): Part {
  const { fields, parts = {} } = entity
  return { ...entity, fields: besideIn(fields), parts: besideIn(parts) }
}

function besideIn<One extends { readonly beside?: true }>(all: Readonly<Record<string, One>>) {
  const found = Object.entries(all).flatMap(([name, { beside, ...one }]) => (beside ? [[name, one] as const] : []))
  return Object.fromEntries(found)
}

function shownParts({ parts = {} }: Part): readonly (readonly [list: string, part: Part])[] {
  return Object.entries(parts).filter(([, { beside }]) => !beside)
}

/** The fields that anybody sees, by their places in the record, in order of the table. */
function shownFields({ fields }: Part): ReadonlyMap<string, readonly Shown[]> {
  const places = new Map<string, Shown[]>()
  for (const [name, field] of Object.entries(fields)) {
    if (field.shownTo.length === 0 || field.beside) continue
    const [place = name, member] = (field.shownAs ?? name).split('.')
    const shown = { name, field, place, ...(member !== undefined && { member }) }
    places.set(place, [...(places.get(place) ?? []), shown])
  }
  return places
}

function memberOf(
  { missing }: Part,
  { name, field, place, member = place }: Shown,
  state: Values,
  view: View,
): readonly (readonly [string, unknown])[] {
  const value = field.of === undefined ? inZone(field, state[name], view) : field.of(state as never, view)
  if (value !== undefined && (value !== null || field.of !== undefined)) return [[member, value]]
  return (field.missing ?? missing) === 'null' && !field.personal ? [[member, null]] : []
}

/** An instant in the time zone of the reader, as ISO 8601; other values as they are. */
export function inZone({ type }: Pick<Field, 'type'>, value: unknown, { timeZone }: Pick<View, 'timeZone'>): unknown {
  const isInstant = (type === recordedInstant || type === instant) && typeof value === 'string'
  return isInstant && timeZone !== 'UTC' ? zonedIso(Date.parse(value), timeZone) : value
}

function groupOf(
  entity: Part,
  place: string,
  fields: readonly Shown[],
  moves: readonly string[],
  name: string | undefined,
): v.GenericSchema | undefined {
  const [first] = fields
  if (first?.member === undefined) return undefined
  const opening = Object.keys(entity.moves).find((move) => isPresent(first.field, move)) ?? ''
  const entries = fields.map((one) => [one.member ?? one.name, entryOf(entity, one, [opening])] as const)
  const members = v.strictObject(Object.fromEntries(entries))
  const group = name === undefined ? members : named(name, members)
  const sentence = entity.groups?.[place]
  const isAlways = opensAtOnce(entity, first.field) || isAlwaysSet(entity, first.field, moves)
  const schema = isAlways ? group : missingAs(entity, group)
  return sentence === undefined ? schema : described(schema, sentence)
}

/** The member of a field, which is always there if the move that creates the entity sets it, or each of these does. */
function entryOf(entity: Part, { name, field }: Shown, moves: readonly string[]): v.GenericSchema {
  const { price, type, about, personal, example } = field
  const schema = exampled(price === 'none' ? type : priceOf(price, type), example)
  const isAlways = field.always || (!personal && (name === 'status' || isAlwaysSet(entity, field, moves)))
  const { readers = everybody } = entity
  const isForAll = readers.every((party) => field.shownTo.includes(party))
  if (!isForAll || (personal && !isAlways)) return v.exactOptional(described(schema, about))
  return isAlways ? described(schema, about) : missingAs({ missing: field.missing ?? entity.missing }, schema, about)
}

function missingAs({ missing }: Pick<Part, 'missing'>, schema: v.GenericSchema, about?: string): v.GenericSchema {
  const said = (one: v.GenericSchema) => (about === undefined ? one : described(one, about))
  return missing === 'null' ? said(v.nullable(schema)) : v.exactOptional(said(schema))
}

/** The move that creates the entity. */
export function firstMove({ moves }: Pick<Part, 'moves'>): string {
  return Object.keys(moves).find((name) => moves[name]?.from === 'nothing') ?? ''
}

function isAlwaysSet(entity: Part, field: Field, moves: readonly string[]): boolean {
  return isKept(entity, field) || (moves.length > 0 && moves.every((move) => isPresent(field, move)))
}

/** Whether a field has a value from the beginning to the end. */
function isKept(entity: Part, field: Field): boolean {
  return isPresent(field, firstMove(entity)) && !Object.values(field.set).includes('cleared')
}

/** Whether a field has a value after a move. */
function isPresent(field: Field, move: string): boolean {
  const setting = settingOf(field, move)
  if (typeof setting === 'object') return 'is' in setting || 'required' in setting || isChange(setting)
  return setting !== undefined && !['optional', 'kept', 'sometimes', 'cleared'].includes(setting)
}

/** The fields that lists show, by their names. */
export function listedFields({ fields }: Part): readonly [string, Field][] {
  return Object.entries(fields).filter(([, { listed }]) => listed === 'filter' || listed === 'column')
}

/** What lists call a field: as answers do, where those have it in no group. */
export function nameInLists(name: string, { shownAs = name }: Pick<Field, 'shownAs'>): string {
  return shownAs.includes('.') ? name : shownAs
}

/** The schema of an entity in lists. */
export function listedSchemaOf(entity: Table): v.GenericSchema {
  const entries = listedFields(entity).map(([name, field]) => {
    const { type, about, price, example } = field
    const isAlways = name === 'status' || isKept(entity, field)
    const schema = exampled(price === 'none' ? type : priceOf(price, type), example)
    return entriesAt(entity, nameInLists(name, field), described(isAlways ? schema : v.nullable(schema), about))
  })
  return named(`${recordName(entity)}Summary`, v.strictObject(Object.assign({}, ...entries)))
}

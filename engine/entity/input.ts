import * as v from 'valibot'
import { isObject } from '../kernel/members.ts'
import { exampled } from '../kernel/named.ts'
import type { Ids } from '../kernel/operation.ts'
import {
  type Change,
  type Field,
  type MoveOf,
  type Part,
  type PartsOf,
  type Required,
  type Setting,
  settingOf,
  type ValueOf,
  type Values,
} from './field.ts'

/** The names of the fields that a move sets so. */
export type FieldsSetBy<E extends Part, Name extends MoveOf<E>, S> = {
  [F in keyof E['fields']]: E['fields'][F]['set'] extends { readonly [M in Name]: S } ? F : never
}[keyof E['fields']]

type InputOf<F> = F extends { readonly input: { readonly type: infer Schema extends v.GenericSchema } }
  ? v.InferOutput<Schema>
  : ValueOf<F>

type ChangeOf<F, Name extends string> = F extends {
  readonly set: { readonly [M in Name]: { readonly input: infer Schema extends v.GenericSchema } }
}
  ? v.InferOutput<Schema>
  : never

/** The values that a caller gives with a move, or the engine before it is decided, in the form that events record. */
export type StoredOf<E extends Part, Name extends MoveOf<E>> = {
  readonly [F in FieldsSetBy<E, Name, Required>]: ValueOf<E['fields'][F]>
} & {
  readonly [F in FieldsSetBy<E, Name, 'optional' | 'defaulted' | 'kept' | 'engine'>]?: ValueOf<E['fields'][F]>
} & {
  readonly [F in FieldsSetBy<E, Name, Change>]: ChangeOf<E['fields'][F], Name>
} & Shared<PartStored<PartsOf<E>[keyof PartsOf<E>], Name>>

/** The values of the part that has the move too. */
type PartStored<P, Name extends string> = P extends Part ? (Name extends MoveOf<P> ? StoredOf<P, Name> : never) : never

type Shared<Values> = [Values] extends [never] ? unknown : Values

/** A schema of a value that it does not change. */
export type Taking<Value> = v.GenericSchema<Value, Value>

type Ungrouped<E extends Part, Name extends keyof E['fields']> = Name extends string
  ? E['fields'][Name] extends { readonly inputAs: string }
    ? never
    : Name
  : never

/** The members of a request that makes a move. */
type InputEntries<E extends Part, Name extends MoveOf<E>> = {
  readonly [F in Ungrouped<E, FieldsSetBy<E, Name, Required>>]: Taking<InputOf<E['fields'][F]>>
} & {
  readonly [F in Ungrouped<E, FieldsSetBy<E, Name, 'optional' | 'defaulted' | 'kept'>>]: v.ExactOptionalSchema<
    Taking<InputOf<E['fields'][F]>>,
    undefined
  >
} & {
  readonly [F in FieldsSetBy<E, Name, Change>]: Taking<ChangeOf<E['fields'][F], Name>>
}

/** The type within whose bounds a move sets a field, where those are narrower than the bounds of the field. */
export function narrowedType(setting: Setting | undefined): v.GenericSchema | undefined {
  return typeof setting === 'object' && 'required' in setting ? setting.required : undefined
}

/** Whether a move sets a field by a change of it. */
export function isChange(setting: Setting | undefined): setting is Change {
  return typeof setting === 'object' && 'input' in setting
}

/** The fields that a move may set: those of the entity, and of the parts that have the move too. */
function fieldsOf({ fields, parts = {} }: Fielded, move: string): readonly [string, Field][] {
  const moved = Object.values(parts).filter(({ moves }) => Object.hasOwn(moves, move))
  return [fields, ...moved.map((part) => part.fields)].flatMap((one) => Object.entries(one))
}

type Fielded = Pick<Part, 'fields' | 'parts'>

/** The fields that a caller gives with a move, by their names. */
export function inputFields(entity: Fielded, move: string): readonly [string, Field][] {
  return fieldsOf(entity, move).filter(([, field]) => {
    const setting = settingOf(field, move)
    const isInput = ['required', 'optional', 'defaulted', 'kept'].includes(String(setting))
    return isInput || isChange(setting) || narrowedType(setting) !== undefined
  })
}

/** The members of a request that makes a move. */
export function inputEntries<const E extends Part, Name extends MoveOf<E>>(
  entity: E,
  move: Name,
): InputEntries<E, Name> {
  const entries: Record<string, v.GenericSchema> = {}
  const groups = new Map<string, Record<string, v.GenericSchema>>()
  for (const [name, field] of inputFields(entity, move)) {
    const [place = name, member] = (field.inputAs ?? name).split('.')
    const group = groups.get(place) ?? {}
    if (member === undefined) entries[place] = inputOf(field, move)
    else groups.set(place, Object.assign(group, { [member]: inputOf(field, move) }))
    if (member !== undefined) entries[place] = v.strictObject(group)
  }
  return entries as InputEntries<E, Name>
}

function inputOf(field: Field, move: string): v.GenericSchema {
  const setting = settingOf(field, move)
  if (isChange(setting)) return described(withExample(setting.input, setting.example), setting.about)
  const { type, input, about, example } = field
  const schema = described(withExample(narrowedType(setting) ?? input?.type ?? type, example), about)
  return ['optional', 'defaulted', 'kept'].includes(String(setting)) ? v.exactOptional(schema) : schema
}

/** The schema with the example of a table, unless that has a form that events record and nobody gives. */
function withExample(schema: v.GenericSchema, example: unknown): v.GenericSchema {
  return v.is(schema, example) ? exampled(schema, example) : schema
}

/** The value of a field in a request. */
export function inputValue(name: string, { inputAs = name }: Field, input: Values): unknown {
  return inputAs.split('.').reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), input)
}

/** The values of a request as events record them. */
export function storedValues(entity: Fielded, move: string, input: Values): Values {
  const stored = inputFields(entity, move).flatMap(([name, field]) => {
    const value = inputValue(name, field, input)
    return value === undefined ? [] : [[name, field.input === undefined ? value : field.input.stored(value as never)]]
  })
  return Object.fromEntries(stored)
}

/** What the ids name that a caller gives with a move, by their places in the request. */
export function idsIn(entity: Fielded, move: string): Ids {
  const ids = inputFields(entity, move).flatMap(([name, { names, type, inputAs = name }]) =>
    names === undefined ? [] : [[type.type === 'array' ? `${inputAs}.*` : inputAs, names] as const],
  )
  return Object.fromEntries(ids)
}

/** The values of an entity that a copy of it is created with. */
export function carriedValues(entity: Fielded, creation: string, state: Values): Values {
  const carried = inputFields(entity, creation).filter(([name, field]) => field.carried && state[name] !== undefined)
  return Object.fromEntries(carried.map(([name]) => [name, state[name]]))
}

/** A schema with its sentence. */
export function described(schema: v.GenericSchema, sentence: string): v.GenericSchema {
  return v.pipe(schema, v.description(sentence))
}

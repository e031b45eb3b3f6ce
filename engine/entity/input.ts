import * as v from 'valibot'
import {
  type Change,
  type Field,
  type GivenWith,
  isChange,
  type MoveOf,
  settingOf,
  type Table,
  type ValueOf,
  type Values,
} from './field.ts'

type ChangeOf<F, Name extends string> = F extends {
  readonly set: { readonly [M in Name]: { readonly given: infer Schema extends v.GenericSchema } }
}
  ? v.InferOutput<Schema>
  : never

/** The values that a caller gives with a move, in the form that events record. */
export type StoredOf<E extends Table, Name extends MoveOf<E>> = {
  readonly [F in GivenWith<E, Name, 'required'>]: ValueOf<E['fields'][F]>
} & {
  readonly [F in GivenWith<E, Name, 'optional' | 'defaulted' | 'kept'>]?: ValueOf<E['fields'][F]>
} & {
  readonly [F in GivenWith<E, Name, Change>]: ChangeOf<E['fields'][F], Name>
}

type InputOf<F> = F extends { readonly input: { readonly type: infer Schema extends v.GenericSchema } }
  ? v.InferOutput<Schema>
  : ValueOf<F>

/** A schema of a value that it does not change. */
export type Taking<Value> = v.GenericSchema<Value, Value>

/** The members of a request that makes a move. */
export type InputEntries<E extends Table, Name extends MoveOf<E>> = {
  readonly [F in GivenWith<E, Name, 'required'>]: Taking<InputOf<E['fields'][F]>>
} & {
  readonly [F in GivenWith<E, Name, 'optional' | 'defaulted' | 'kept'>]: v.ExactOptionalSchema<
    Taking<InputOf<E['fields'][F]>>,
    undefined
  >
} & {
  readonly [F in GivenWith<E, Name, Change>]: Taking<ChangeOf<E['fields'][F], Name>>
}

/** The fields that a caller gives with a move, by their names. */
export function givenFields({ fields }: Pick<Table, 'fields'>, move: string): readonly [string, Field][] {
  return Object.entries(fields).filter(([, field]) => {
    const setting = settingOf(field, move)
    return isChange(setting) || ['required', 'optional', 'defaulted', 'kept'].includes(String(setting))
  })
}

/** The members of a request that makes a move. */
export function inputEntries<const E extends Table, Name extends MoveOf<E>>(
  entity: E,
  move: Name,
): InputEntries<E, Name> {
  const entries = givenFields(entity, move).map(([name, field]) => {
    const setting = settingOf(field, move)
    if (isChange(setting)) return [name, described(setting.given, setting.about)]
    const schema = described(field.input?.type ?? field.type, field.about)
    return [name, setting === 'required' ? schema : v.exactOptional(schema)]
  })
  return Object.fromEntries(entries) as InputEntries<E, Name>
}

/** The values of a request as events record them. */
export function storedValues(entity: Pick<Table, 'fields'>, move: string, given: Values): Values {
  const stored = givenFields(entity, move).flatMap(([name, { input }]) => {
    const value = given[name]
    return value === undefined ? [] : [[name, input === undefined ? value : input.stored(value as never)]]
  })
  return Object.fromEntries(stored)
}

/** The values of an entity that a copy of it is created with. */
export function carriedValues(entity: Pick<Table, 'fields'>, creation: string, state: Values): Values {
  const carried = givenFields(entity, creation).filter(([name, field]) => field.carried && state[name] !== undefined)
  return Object.fromEntries(carried.map(([name]) => [name, state[name]]))
}

/** A schema with its sentence. */
export function described(schema: v.GenericSchema, sentence: string): v.GenericSchema {
  return v.pipe(schema, v.description(sentence))
}

import { type Field, type MoveOf, type Part, type Required, settingOf, type ValueOf, type Values } from './field.ts'
import { type FieldsSetBy, isChange, narrowedType } from './input.ts'

/** The values of the fields that the event of a move records: those of people apart, where they can be erased. */
export type RecordedOf<E extends Part, Name extends MoveOf<E>> = {
  readonly [F in Exclude<FieldsSetBy<E, Name, Always>, PersonalOf<E>>]: ValueOf<E['fields'][F]>
} & {
  readonly [F in Exclude<FieldsSetBy<E, Name, 'optional' | 'kept' | 'sometimes'>, PersonalOf<E>>]?: ValueOf<
    E['fields'][F]
  >
} & {
  readonly personal?: {
    readonly [F in Extract<FieldsSetBy<E, Name, Always | 'optional' | 'kept' | 'sometimes'>, PersonalOf<E>>]?: ValueOf<
      E['fields'][F]
    >
  }
}

type Always = Required | 'defaulted' | 'engine' | 'repeated'

type PersonalOf<E extends Part> = {
  [F in keyof E['fields']]: E['fields'][F]['personal'] extends true ? F : never
}[keyof E['fields']]

/** The values of a move as its event records them: the personal ones apart, so that they can be erased. */
export function recorded<const E extends Part, Name extends MoveOf<E>>(
  entity: E,
  move: Name,
  values: Values = {},
): RecordedOf<E, Name> {
  const moved = Object.values(entity.parts ?? {}).filter(({ moves }) => Object.hasOwn(moves, move))
  const tables = [entity, ...moved]
  const open = tables.flatMap((table) => openValues(table, move, values))
  const personal = tables.flatMap((table) => personalValues(table, move, values))
  const erasable = personal.length > 0 && { personal: Object.fromEntries(personal) }
  return { ...Object.fromEntries(open), ...erasable } as RecordedOf<E, Name>
}

type Entries = readonly (readonly [name: string, value: unknown])[]

function openValues({ fields, missing }: Part, move: string, values: Values): Entries {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.personal || !isRecorded(field, move)) return []
    const value = values[name] ?? null
    const setting = settingOf(field, move)
    // A change to null is recorded: the field has no value after it.
    if (values[name] === null && (isChange(setting) || setting === 'kept')) return [[name, null]]
    const isLeftOut = setting === 'kept' || (field.missing ?? missing) === 'left out'
    return value === null && isLeftOut ? [] : [[name, value] as const]
  })
}

function personalValues({ fields }: Part, move: string, values: Values): Entries {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = values[name] ?? undefined
    return field.personal && isRecorded(field, move) && value !== undefined ? [[name, value] as const] : []
  })
}

const recordedSettings = ['required', 'optional', 'defaulted', 'kept', 'engine', 'sometimes', 'repeated']

/** Whether the event of a move has the value of a field; what a move says has it in any case. */
export function isRecorded(field: Field, move: string): boolean {
  const setting = settingOf(field, move)
  return isChange(setting) || narrowedType(setting) !== undefined || recordedSettings.includes(String(setting))
}

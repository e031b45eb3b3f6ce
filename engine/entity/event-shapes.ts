import type * as v from 'valibot'
import type { EventShapes, FlatShape, MemberKind } from '../kernel/event-shape.ts'
import { type Field, type Move, settingOf, type Table } from './field.ts'
import { isChange } from './input.ts'
import { isRecorded } from './recorded.ts'

/**
 * The shapes of the events of an entity, by their type. Each names its entity and says when it was; any other value may be
 * missing, as in events of before a field was added.
 */
export function eventShapesOf(table: Table): EventShapes {
  const shapes: Record<string, FlatShape> = {}
  for (const [name, move] of Object.entries(table.moves)) {
    const before = shapes[move.event]
    const shape = shapeOf(table, name, move)
    // An event of several moves has the members of any, and must have those of all.
    shapes[move.event] =
      before === undefined ? shape : { ...missable(before), ...missable(shape), ...both(before, shape) }
  }
  return shapes
}

function shapeOf(table: Table, name: string, { timeAs = 'at' }: Move): FlatShape {
  const parts = Object.values(table.parts ?? {}).filter(({ moves }) => Object.hasOwn(moves, name))
  const fields = [table, ...parts].flatMap((part) => Object.entries(part.fields))
  const open = fields.filter(([, field]) => !field.personal && isRecorded(field, name))
  const members = open.map(([member, field]) => [member, `${kindIn(field, name)} or null?`])
  const named = open.some(([member]) => member === table.id) ? { [table.id]: 'number' } : {}
  const status = table.recordsStatus ? { from: 'text?', to: 'text?' } : {}
  return { ...status, ...Object.fromEntries(members), ...named, [timeAs]: 'text' }
}

function missable(shape: FlatShape): FlatShape {
  return Object.fromEntries(Object.entries(shape).map(([name, kind]) => [name, optional(kind)]))
}

function optional(kind: MemberKind): MemberKind {
  return kind.endsWith('?') ? kind : (`${kind}?` as MemberKind)
}

function both(one: FlatShape, other: FlatShape): FlatShape {
  return Object.fromEntries(Object.entries(one).filter(([name, kind]) => other[name] === kind))
}

function kindIn(field: Field, move: string): string {
  return isChange(settingOf(field, move)) ? 'anything' : kindOf(field.type as Schema)
}

/** The parts of a valibot schema that are read here. */
interface Schema extends Pick<v.GenericSchema, 'type'> {
  readonly wrapped?: Schema
}

const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'text', picklist: 'text', number: 'number', boolean: 'flag', array: 'list', tuple: 'list' },
  ...{ object: 'object', strict_object: 'object', loose_object: 'object', record: 'object' },
}

function kindOf({ type, wrapped }: Schema): string {
  return wrapped === undefined ? (kinds[type] ?? 'anything') : kindOf(wrapped)
}

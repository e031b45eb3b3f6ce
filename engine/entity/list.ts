import type { Event, RecordedEvent } from '../kernel/event.ts'
import { isObject } from '../kernel/members.ts'
import type { Cell, ReadModel, Row } from '../kernel/read-model.ts'
import type { ChangeColumns } from './changed.ts'
import type { AccessRule, Entity, Field, Listed, Table, Values, View } from './field.ts'
import { type EntityEvent, effectsOf, isEffectOf } from './machine.ts'
import { inZone, listedFields, nameInLists } from './record.ts'

/** The fields of a table that read models have columns of. */
function columnFields({ fields }: Pick<Table, 'fields'>): readonly [string, Field][] {
  return Object.entries(fields).filter(([, { listed }]) => listed !== 'no')
}

/** The columns of the listed fields of a table. */
export function columnsOf(table: Pick<Table, 'fields'>): ReadModel['columns'] {
  return Object.fromEntries(columnFields(table).map(([name, field]) => [name, columnOf(field)]))
}

/** Makes the cells that an event leaves behind; nothing if it changes none. */
export function cellsOf(table: Table): (event: Event) => Row | undefined {
  const { fields } = table
  const effects = effectsOf({ ...table, fields: Object.fromEntries(columnFields(table)) })
  return (event) => {
    const { type, data } = event as EntityEvent
    const effect = effects.find((one) => one.move.event === type && isEffectOf(one, data))
    if (effect === undefined) return undefined
    const { to, unlists = [] } = effect.move
    const isUnsaid = (name: string) => effect.keeps.has(name) && !Object.hasOwn(data, name)
    const values = effect.reads
      .map(([name, read]) => [name, read(data, {}) ?? null] as const)
      .filter(([name, value]) => value !== null || !(name === 'status' || isUnsaid(name)))
    const status = to !== undefined && fields.status?.listed !== 'no' && fields.status ? { status: to } : {}
    const unlisted = Object.fromEntries(unlists.map((name) => [name, null]))
    const cells = { ...rowOf(Object.fromEntries(values)), ...status, ...unlisted }
    return Object.keys(cells).length === 0 ? undefined : cells
  }
}

/** The read model of an entity: one row each, with the fields that are listed. */
export function readModelOf(entity: Listed): ReadModel {
  const { category, id, indexes, listVersion } = entity
  const cellsIn = cellsOf(entity)
  const isPersonal = columnFields(entity).some(([, { personal }]) => personal)
  return {
    name: `${category}s`,
    version: listVersion,
    category,
    columns: columnsOf(entity),
    key: [id],
    indexes,
    ...(!isPersonal && { opens: () => false }),
    rows: (event) => {
      const cells = cellsIn(event)
      return cells === undefined ? [] : [{ ...cells, [id]: idOf(entity, event) }]
    },
  }
}

/** The columns of what changed, in a read model whose list can be followed. */
export const changeColumns: ChangeColumns = { position: 'changed', time: 'changed_at' }

/** The read model of an entity whose list can be sorted and followed: by a cursor behind which every change comes. */
export function followedModelOf(entity: Entity): ReadModel {
  const model = readModelOf(entity)
  return {
    ...model,
    columns: { ...model.columns, changed: 'text', changed_at: 'text' },
    rows: (event) => {
      const { position: changed, data } = event as RecordedEvent<EntityEvent>
      // What has no cell here has changed the entity, too.
      const [row = { [entity.id]: idOf(entity, event) }] = model.rows(event)
      return [{ ...row, changed, changed_at: data.at ?? null }]
    },
  }
}

/** The id of the entity that an event is about: the one that it has, else that of its stream. */
export function idOf({ id, category }: Pick<Entity, 'id' | 'category'>, { data, stream }: RecordedEvent): number {
  return Number((isObject(data) && data[id]) || stream.slice(category.length + 1))
}

/** A row of a list as answers show it. */
export function listedOf(entity: Entity, row: Row, view: Pick<View, 'timeZone'>): Values {
  const members = listedFields(entity).flatMap(([name, field]) => {
    const value = inZone(field, shown(field, row[name]), view)
    const place = nameInLists(name, field)
    return place === entity.id ? [['id', value] as const, [place, value] as const] : [[place, value] as const]
  })
  return Object.fromEntries(members)
}

function shown({ type }: Field, cell: Cell = null): Cell | boolean {
  return type.type === 'boolean' && cell !== null ? cell === 1 : cell
}

/** Values as cells of a read model, where 1 is true and 0 is false. */
export function rowOf(values: Values): Row {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cellOf(value)])) as Row
}

function cellOf(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

/** The access rule of entities that belong to a caller if they have these cells. */
export function ownedByCells(cells: AccessRule['cells']): AccessRule {
  const belongs: AccessRule['belongs'] = (context, state) =>
    Object.entries(cells(context)).every(([name, cell]) => cellOf(state[name]) === cell)
  return { belongs, cells }
}

function columnOf({ type }: Field): 'integer' | 'text' {
  return type.type === 'number' || type.type === 'boolean' ? 'integer' : 'text'
}

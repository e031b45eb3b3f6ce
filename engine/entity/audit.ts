import * as v from 'valibot'
import { markOf, priceOf } from '../kernel/prices.ts'
import type { Table, Values, View } from './field.ts'
import { recordOf, recordSchemaOf } from './record.ts'

/** The schema of the changes that an event makes: for each member of the record, its value before and after the event. */
export function changesSchemaOf(table: Table, unaudited: readonly string[]): v.GenericSchema {
  const members = Object.entries(recordSchemaOf(table).entries).filter(([name]) => !unaudited.includes(name))
  const entries = members.map(([name, member]) => [name, v.exactOptional(changeOf(unwrapped(member)))] as const)
  return v.strictObject(Object.fromEntries(entries))
}

function changeOf(value: v.GenericSchema): v.GenericSchema {
  const change = v.strictObject({ from: v.exactOptional(value), to: v.exactOptional(value) })
  const price = markOf(value)
  return price === undefined || price === 'none' ? change : priceOf(price, change)
}

/** A schema without what allows a missing value. */
function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? unwrapped(schema.wrapped as v.GenericSchema) : schema
}

/** The changes between two states of an entity, as a reader sees them; before the entity existed there is no state. */
export function changesBetween(
  table: Table,
  before: Values | undefined,
  after: Values | undefined,
  view: View,
  unaudited: readonly string[],
): Values {
  const [from, to] = [before, after].map((state) => (state === undefined ? {} : recordOf(table, state, view)))
  const names = [...new Set([from, to].flatMap((record) => Object.keys(record ?? {})))]
  const changes = names.flatMap((name) => {
    const [old, current] = [from?.[name] ?? undefined, to?.[name] ?? undefined]
    if (unaudited.includes(name) || JSON.stringify(old) === JSON.stringify(current)) return []
    return [[name, { ...(old !== undefined && { from: old }), ...(current !== undefined && { to: current }) }] as const]
  })
  return Object.fromEntries(changes)
}

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Cell, EventStore, Query, ReadModel, Row } from '../../../engine/index.ts'

/** A list whose events each set some columns. */
export const lots: ReadModel = {
  name: 'lots',
  version: 1,
  category: 'lot',
  columns: { number: 'integer', part: 'text', owner: 'text', state: 'text', weight: 'integer' },
  key: ['number', 'part'],
  indexes: [['owner'], ['state', 'weight']],
  rows: ({ data }) => (data as { readonly rows: readonly Row[] }).rows,
}

/** Records an event that results in these rows. */
export async function recordLots(store: EventStore, rows: readonly Row[]): Promise<void> {
  const event = { id: randomUUID(), type: 'LotsChanged', data: { rows }, metadata: { schemaVersion: 1 } }
  await store.append('lot-1', [event], 'any')
}

/** The expected contents of a list after these rows, computed without a model: in order of the key, as UTF-8. */
export function lotsOf(rows: readonly Row[]): readonly Row[] {
  const keys = [
    ...new Map(rows.map(({ number = null, part = null }) => [`${number} ${part}`, { number, part }])).values(),
  ]
  const cellOf = ({ number, part }: Row, column: string): Cell =>
    rows.findLast((row) => row.number === number && row.part === part && row[column] !== undefined)?.[column] ?? null
  return keys
    .sort((one, other) => Number(one.number) - Number(other.number) || compareBytes(one.part, other.part))
    .map((key) => Object.fromEntries(Object.keys(lots.columns).map((column) => [column, cellOf(key, column)])))
}

function compareBytes(one: Cell, other: Cell): number {
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

const texts = fc.constantFrom('', 'a', 'B', 'ab', 'é', '\uffee', '\u{10000}', `it's "x"`)
const numbers = fc.constantFrom(-3, 0, 1, 2, 10, 2 ** 40)
const orNull = (cell: fc.Arbitrary<Cell>) => fc.option(cell)
const cells = { number: numbers, part: texts, owner: orNull(texts), state: orNull(texts), weight: orNull(numbers) }
const rows: fc.Arbitrary<Row> = fc.record(cells, { requiredKeys: ['number', 'part'] })

/** A history of such events, with reads in between. */
export const stepsOfLots = fc.array(fc.record({ rows: fc.array(rows, { maxLength: 4 }), isRead: fc.boolean() }))

const of = <Given>(by: (cell: fc.Arbitrary<Cell>) => fc.Arbitrary<Given>) =>
  fc.record(
    {
      number: by(orNull(numbers)),
      part: by(orNull(texts)),
      owner: by(orNull(texts)),
      state: by(orNull(texts)),
      weight: by(orNull(numbers)),
    },
    { requiredKeys: [] },
  )

const bound = (cell: fc.Arbitrary<Cell>) => fc.option(cell, { nil: undefined })
const condition = {
  where: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    of((cell) => cell),
  ),
  among: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    of((cell) => fc.array(cell)),
  ),
  between: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    of((cell) => fc.tuple(bound(cell), bound(cell))),
  ),
}

/** Conditions on the columns of the list. */
export const conditions = fc.record(condition, { requiredKeys: [] })

/** Pages of the list. */
export const queries: fc.Arbitrary<Query> = fc.record(
  {
    ...condition,
    orderBy: fc.constantFrom(...Object.keys(lots.columns)),
    newestFirst: fc.boolean(),
    limit: fc.nat(4),
    offset: fc.nat(4),
  },
  { requiredKeys: ['limit'] },
)

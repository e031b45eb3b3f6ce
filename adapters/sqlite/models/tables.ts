import type { ReadModel, RecordedEvent, Row } from '../../../engine/index.ts'
import type { Database, Statement } from '../database.ts'
import { inTransaction } from '../open.ts'
import { createGenerations, type Generation, type LastApplied } from './generations.ts'
import { insertionOf, keptCell, selectionOf, tableOf } from './sql.ts'

/** Events to apply, from one checkpoint to the next. */
export interface Page {
  readonly events: readonly RecordedEvent[]
  readonly from: string | null
  readonly to: string | null
  /** Whether nothing stood after it when it was read. */
  readonly isEnd: boolean
}

/** A generation, and what this process knows of the way after its checkpoint. */
export interface Reached extends Generation {
  /** No event of the model's category stands between the checkpoint and here. */
  readonly reach: string | null
}

/** The tables of one store's read models in a file. */
export interface Tables {
  /** The generation that look-ups are answered from, if one was ever finished. */
  serving(model: ReadModel): Reached | undefined
  /** The generation that is being built; begun where there is none. */
  building(model: ReadModel): Reached
  /** The rows, where the serving generation has all up to `target`. */
  rows(model: ReadModel, where: Row, limit: number, target: string | undefined): readonly Row[] | undefined
  /** Applies a page in one transaction, unless the generation is not where the page begins, or gone. Whether it did. */
  apply(model: ReadModel, generation: number, page: Page): boolean
  count(model: ReadModel, generation: number): number
  lastApplied(): readonly LastApplied[]
  drop(generation: number): void
  /** Lets every generation begin again after the event that was applied last to it. */
  rewind(): void
  close(): void
}

/** The tables in an open file of the models that follow from the store of this name. */
export function createTables(database: Database, store: string): Tables {
  const prepare = preparedOn(database)
  const generations = createGenerations(database, prepare, store)
  const ways = new Map<number, { readonly from: string | null; readonly to: string | null }>()

  function reached(known: Generation): Reached {
    const way = ways.get(known.generation)
    return { ...known, reach: way?.from === known.checkpoint ? way.to : known.checkpoint }
  }

  function serving(model: ReadModel): Reached | undefined {
    const known = generations.newest(model, 1)
    return known === undefined ? undefined : reached(known)
  }

  function rows(model: ReadModel, where: Row, limit: number, target: string | undefined) {
    const known = serving(model)
    if (known === undefined || isBehind(known.reach, target)) return undefined
    const select = prepare(selectionOf(model, known.generation, Object.keys(where)))
    const found = select.all(...Object.values(where).map(keptCell), limit) as readonly Row[]
    return found.map((row) => ({ ...row }))
  }

  function apply(model: ReadModel, generation: number, { events, from, to, isEnd }: Page): boolean {
    const known = generations.find(generation)
    if (known === undefined || known.checkpoint !== from) return false
    insert(prepare(insertionOf(model, generation)), model, events)
    generations.move(generation, to, events.at(-1))
    const isNext = isEnd && known.serves === 0 && !isBehind(to, generations.newest(model, 1)?.checkpoint)
    if (isNext) generations.serve(model, generation)
    return true
  }

  /** Most facts are of other categories: that nothing came is only remembered, and costs no transaction. */
  function applyOrRemember(model: ReadModel, generation: number, page: Page): boolean {
    const isServing = page.events.length === 0 && generations.find(generation)?.serves === 1
    if (isServing) ways.set(generation, { from: page.from, to: page.to })
    return isServing || writing(() => apply(model, generation, page))
  }

  /** A transaction that writes takes the lock first, so that what it has read still holds. */
  function writing<Result>(body: () => Result): Result {
    return inTransaction(database, 'IMMEDIATE', body)
  }

  return {
    serving,
    building: (model) => reached(generations.newest(model, 0) ?? writing(() => generations.begin(model))),
    rows: (...asked) => inTransaction(database, 'DEFERRED', () => rows(...asked)),
    apply: applyOrRemember,
    count: (model, generation) => countOf(prepare(`SELECT count(*) AS count FROM ${tableOf(model, generation)}`)),
    lastApplied: generations.lastApplied,
    drop: (generation) => writing(() => generations.remove(generation)),
    rewind: generations.rewind,
    close: () => database.close(),
  }
}

function insert(statement: Statement, model: ReadModel, events: readonly RecordedEvent[]) {
  const columns = Object.keys(model.columns)
  for (const event of events)
    for (const row of model.rows(event)) statement.run(...columns.map((column) => keptCell(row[column] ?? null)))
}

/** Whether a reader at this checkpoint has not seen what stands at `target`. */
export function isBehind(checkpoint: string | null, target: string | null | undefined): boolean {
  return (target ?? null) !== null && (checkpoint === null || checkpoint < (target as string))
}

function countOf(statement: Statement): number {
  return (statement.get() as { readonly count: number }).count
}

function preparedOn(database: Database): (sql: string) => Statement {
  const statements = new Map<string, Statement>()
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

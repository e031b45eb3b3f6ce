import type { ReadModel, RecordedEvent, Row } from '../../../engine/index.ts'
import type { Database, Statement } from '../database.ts'
import { inTransaction } from '../open.ts'
import { createGenerations, type Generation, type Generations, type LastApplied } from './generations.ts'
import { createLookUps } from './look-ups.ts'
import { isBehind, type Reached } from './reach.ts'
import { insertionOf, keptCell, selectionOf, tableOf } from './sql.ts'

/** Events to apply, from one checkpoint to the next. */
export interface Page {
  readonly events: readonly RecordedEvent[]
  readonly from: string | null
  readonly to: string | null
  /** Whether nothing stood after it when it was read. */
  readonly isEnd: boolean
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
  const { reached, serving, rows, remember } = createReader(database, prepare, generations)

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
    if (isServing) remember(generation, page)
    return isServing || writing(() => apply(model, generation, page))
  }

  /** A transaction that writes takes the lock first, so that what it has read still holds. */
  function writing<Result>(body: () => Result): Result {
    return inTransaction(database, 'IMMEDIATE', body)
  }

  return {
    serving,
    building: (model) => reached(generations.newest(model, 0) ?? writing(() => generations.begin(model))),
    rows,
    apply: applyOrRemember,
    count: (model, generation) => countOf(prepare(`SELECT count(*) AS count FROM ${tableOf(model, generation)}`)),
    lastApplied: generations.lastApplied,
    drop: (generation) => writing(() => generations.remove(generation)),
    rewind: generations.rewind,
    close: () => database.close(),
  }
}

/** Reads the generations and their rows, and remembers what it has seen of them. */
function createReader(database: Database, prepare: (sql: string) => Statement, generations: Generations) {
  const ways = new Map<number, { readonly from: string | null; readonly to: string | null }>()
  const lookUps = createLookUps()

  function reached(known: Generation): Reached {
    const way = ways.get(known.generation)
    return { ...known, reach: way?.from === known.checkpoint ? way.to : known.checkpoint }
  }

  function serving(model: ReadModel): Reached | undefined {
    const known = generations.newest(model, 1)
    const now = known === undefined ? undefined : reached(known)
    lookUps.see(model, now)
    return now
  }

  function rows(model: ReadModel, where: Row, limit: number, target: string | undefined) {
    const asked = JSON.stringify([where, limit])
    const known = lookUps.find(model, asked, target)
    if (known !== undefined) return known
    const found = inTransaction(database, 'DEFERRED', () => selected(model, where, limit, target))
    if (found !== undefined) lookUps.keep(model, asked, found)
    return found
  }

  function selected(model: ReadModel, where: Row, limit: number, target: string | undefined) {
    const known = serving(model)
    if (known === undefined || isBehind(known.reach, target)) return undefined
    const select = prepare(selectionOf(model, known.generation, Object.keys(where)))
    const found = select.all(...Object.values(where).map(keptCell), limit) as readonly Row[]
    return found.map((row) => ({ ...row }))
  }

  return {
    reached,
    serving,
    rows,
    /** That nothing of the model stands between two positions. */
    remember: (generation: number, { from, to }: Pick<Page, 'from' | 'to'>) => void ways.set(generation, { from, to }),
  }
}

function insert(statement: Statement, model: ReadModel, events: readonly RecordedEvent[]) {
  const columns = Object.keys(model.columns)
  for (const event of events)
    for (const row of model.rows(event)) statement.run(...columns.map((column) => keptCell(row[column] ?? null)))
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

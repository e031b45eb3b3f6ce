import type { ReadModel, RecordedEvent, Row } from '../../../engine/index.ts'
import type { Database, Statement } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import { createGenerations, type Generation, type Generations, type LastApplied } from './generations.ts'
import { countOf, createLists, type Lists, rowsOf } from './lists.ts'
import { createLookUps } from './look-ups.ts'
import { isBehind, type Reached } from './reach.ts'
import { changeOf, deletionOf, insertionOf, keptCell, selectionOf, tableOf } from './sql.ts'

/** Events to apply between two checkpoints. */
interface Batch {
  readonly events: readonly RecordedEvent[]
  readonly from: string | null
  readonly to: string | null
  /** Whether the store had no later event when it was read. */
  readonly isEnd: boolean
}

/** The tables of one store's read models in a file. */
export interface Tables extends Lists {
  /** The generation that answers lookups, if one was ever finished. */
  serving(model: ReadModel): Reached | undefined
  /** The generation that is being built, started if absent. */
  building(model: ReadModel): Reached
  /** The rows, if the serving generation has reached `target`. */
  rows(model: ReadModel, where: Row, limit: number, target: string | undefined): readonly Row[] | undefined
  /**
   * Applies a batch in one transaction, unless the generation is at another checkpoint or gone; returns whether it did.
   */
  apply(model: ReadModel, generation: number, batch: Batch): boolean
  count(model: ReadModel, generation: number): number
  lastApplied(): readonly LastApplied[]
  drop(generation: number): void
  /** Drops the tables of other histories than this; all others are of it from now on. Returns how many were dropped. */
  claim(history: string): number
  /** Rewinds generations that are beyond a position to it, or to their last applied event. */
  rewind(known: string): void
  close(): void
}

/** Milliseconds between two saves of a checkpoint without new rows; after a kill, no more than this is read again. */
const keepingInterval = 10_000

/** The tables of an open file for the store of this name. */
export function createTables(database: Database, store: string): Tables {
  const prepare = preparedOn(database)
  const generations = createGenerations(database, prepare, store)
  const { remember, moved, ...reader } = createReader(database, prepare, generations)
  const isDue = createDue()

  function apply(model: ReadModel, generation: number, { events, from, to, isEnd }: Batch): boolean {
    const known = generations.find(generation)
    if (known === undefined || known.checkpoint !== from) return false
    const move = { generation, from: known.position, to: events.at(-1)?.position ?? known.position }
    moved(model, move, insert(prepare, model, generation, events))
    generations.move(generation, to, events.at(-1))
    const isNext = isEnd && known.serves === 0 && !isBehind(to, generations.newest(model, 1)?.position)
    if (isNext) generations.serve(model, generation)
    return true
  }

  /** Most events are of other categories: a checkpoint without rows is remembered, and saved only now and then. */
  function applyOrRemember(model: ReadModel, generation: number, batch: Batch): boolean {
    const isServing = batch.events.length === 0 && generations.find(generation)?.serves === 1
    if (!isServing) return writing(() => apply(model, generation, batch))
    remember(generation, batch)
    if (batch.to !== batch.from && isDue(generation)) keep(() => apply(model, generation, batch))
    return true
  }

  function keep(body: () => void) {
    try {
      writing(body)
    } catch {
      // A process that does not find it in the file reads the events again.
    }
  }

  /** Writing transactions take the lock first, so that what they have read stays valid. */
  function writing<Result>(body: () => Result): Result {
    return inTransaction(database, 'IMMEDIATE', body)
  }

  return {
    serving: reader.serving,
    rows: reader.rows,
    page: reader.page,
    counts: reader.counts,
    scan: reader.scan,
    building: (model) => reader.reached(generations.newest(model, 0) ?? writing(() => generations.begin(model))),
    apply: applyOrRemember,
    count: (model, generation) => countOf(prepare(`SELECT count(*) AS count FROM ${tableOf(model, generation)}`)),
    lastApplied: generations.lastApplied,
    drop: (generation) => writing(() => generations.remove(generation)),
    claim: (history) =>
      writing(() => {
        const others = generations.claim(history)
        for (const generation of others) generations.remove(generation)
        return others.length
      }),
    rewind: generations.rewind,
    close: () => database.close(),
  }
}

/** Returns the function that tells whether a checkpoint without rows is to be saved: the first one, and now and then another. */
function createDue(): (generation: number) => boolean {
  const keptAt = new Map<number, number>()
  return (generation) => {
    const now = performance.now()
    const isDue = now - (keptAt.get(generation) ?? Number.NEGATIVE_INFINITY) >= keepingInterval
    if (isDue) keptAt.set(generation, now)
    return isDue
  }
}

/** Reads generations and rows, and remembers how far they reach. */
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

  /** Reads the serving generation at one moment, if it has reached `target`. */
  function look<Seen>(model: ReadModel, target: string | undefined, see: (generation: number) => Seen) {
    return inTransaction(database, 'DEFERRED', () => {
      const known = serving(model)
      return known === undefined || isBehind(known.reach, target) ? undefined : see(known.generation)
    })
  }

  function rows(model: ReadModel, where: Row, limit: number, target: string | undefined) {
    const asked = { where, limit }
    const known = lookUps.find(model, asked, target)
    if (known !== undefined) return known
    const found = look(model, target, (generation) =>
      rowsOf(prepare(selectionOf(model, generation, Object.keys(where))), [
        ...Object.values(where).map(keptCell),
        limit,
      ]),
    )
    if (found !== undefined) lookUps.keep(model, asked, found)
    return found
  }

  /** Remembers that the model has no event between two positions. */
  function remember(generation: number, { from, to }: Pick<Batch, 'from' | 'to'>) {
    ways.set(generation, { from, to })
  }

  return { reached, serving, rows, remember, moved: lookUps.moved, ...createLists(prepare, look) }
}

/**
 * Complete rows replace those of the same key; partial ones update only their cells. Returns them, or `undefined` if rows
 * were removed.
 */
function insert(
  prepare: (sql: string) => Statement,
  model: ReadModel,
  generation: number,
  events: readonly RecordedEvent[],
): readonly Row[] | undefined {
  const set: Row[] = []
  let isRemoved = false
  const columns = Object.keys(model.columns)
  const whole = prepare(insertionOf(model, generation))
  const changes = new Map<string, Statement>()
  for (const event of events) {
    for (const where of model.gone?.(event) ?? []) {
      isRemoved = true
      prepare(deletionOf(model, generation, Object.keys(where))).run(...Object.values(where).map(keptCell))
    }
    for (const row of model.rows(event)) {
      set.push(row)
      const named = columns.filter((column) => row[column] !== undefined)
      const statement = named.length === columns.length ? whole : changeTo(named)
      statement.run(...named.map((column) => keptCell(row[column] ?? null)))
    }
  }
  return isRemoved ? undefined : set

  function changeTo(named: readonly string[]): Statement {
    const known = changes.get(named.join()) ?? prepare(changeOf(model, generation, named))
    changes.set(named.join(), known)
    return known
  }
}

function preparedOn(database: Database): (sql: string) => Statement {
  const statements = new Map<string, Statement>()
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

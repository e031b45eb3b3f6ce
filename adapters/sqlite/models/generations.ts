import type { ReadModel, RecordedEvent } from '../../../engine/index.ts'
import type { Database, Statement } from '../database.ts'
import { definitionOf, tableOf } from './sql.ts'

/** A table of a model with its checkpoint. */
export interface Generation {
  readonly generation: number
  readonly checkpoint: string | null
  /** Position of the last applied event; the rows are unchanged while it is the same. */
  readonly position: string | null
}

/** The last event that was applied to a generation. */
export interface LastApplied {
  readonly generation: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly position: string
}

/** The generations of the models of a store. Changes need a transaction. */
export interface Generations {
  /** The newest generation that serves (1) or is being built (0). */
  newest(model: ReadModel, serves: 0 | 1): Generation | undefined
  /** The generation that is being built, created if absent. */
  begin(model: ReadModel): Generation
  /** A generation; `undefined` if it was deleted. */
  find(generation: number): (Generation & { readonly serves: 0 | 1 }) | undefined
  move(generation: number, checkpoint: string | null, last: RecordedEvent | undefined): void
  /** Makes a generation serve, and deletes the one that it replaces. */
  serve(model: ReadModel, generation: number): void
  remove(generation: number): void
  lastApplied(): readonly LastApplied[]
  /** The generations of other histories than this, which all others are of from now on. */
  claim(history: string): readonly number[]
  /** Rewinds generations that are beyond a position to it, or to their last applied event. */
  rewind(known: string): void
}

/** The generations in an open file for the store of this name. */
export function createGenerations(database: Database, prepare: (sql: string) => Statement, store: string): Generations {
  const claims = createClaims(prepare, store)
  const newestOf = prepare(
    `SELECT generation, checkpoint, position FROM generations
     WHERE store = ? AND model = ? AND version = ? AND serves = ? ORDER BY generation DESC LIMIT 1`,
  )
  const one = prepare('SELECT generation, checkpoint, position, serves FROM generations WHERE generation = ?')
  const insert = prepare('INSERT INTO generations (store, model, version, history) VALUES (?, ?, ?, ?)')
  const setCheckpoint = prepare('UPDATE generations SET checkpoint = ? WHERE generation = ?')
  const setLast = prepare('UPDATE generations SET stream = ?, revision = ?, id = ?, position = ? WHERE generation = ?')
  const setServing = prepare('UPDATE generations SET serves = 1 WHERE generation = ?')
  // Older generations and versions, and those of other stores.
  const replaced = prepare(
    `SELECT generation FROM generations WHERE model = ?1 AND generation <> ?2
     AND (store <> ?3 OR version < ?4 OR version = ?4 AND generation < ?2)`,
  )
  const nameOf = prepare('SELECT model AS name, version FROM generations WHERE generation = ?')
  const deleteOne = prepare('DELETE FROM generations WHERE generation = ?')
  const last = prepare(
    'SELECT generation, stream, revision, id, position FROM generations WHERE store = ? AND id IS NOT NULL',
  )

  function remove(generation: number) {
    const model = nameOf.get(generation) as Pick<ReadModel, 'name' | 'version'> | undefined
    if (model === undefined) return
    database.exec(`DROP TABLE ${tableOf(model, generation)}`)
    deleteOne.run(generation)
  }

  function newest({ name, version }: ReadModel, serves: 0 | 1): Generation | undefined {
    return newestOf.get(store, name, version, serves) as Generation | undefined
  }

  return {
    newest,
    begin: (model) => {
      const known = newest(model, 0)
      if (known !== undefined) return known
      const generation = Number(insert.run(store, model.name, model.version, claims.history()).lastInsertRowid)
      database.exec(definitionOf(model, generation))
      return { generation, checkpoint: null, position: null }
    },
    find: (generation) => one.get(generation) as ReturnType<Generations['find']>,
    move: (generation, checkpoint, event) => {
      setCheckpoint.run(checkpoint, generation)
      if (event !== undefined) setLast.run(event.stream, event.revision, event.id, event.position, generation)
    },
    serve: ({ name, version }, generation) => {
      setServing.run(generation)
      const gone = replaced.all(name, generation, store, version) as readonly Generation[]
      for (const other of gone) remove(other.generation)
    },
    remove,
    lastApplied: () => last.all(store) as readonly LastApplied[],
    claim: claims.claim,
    rewind: claims.rewind,
  }
}

/** Which history the generations of a store are of, and up to where. */
function createClaims(prepare: (sql: string) => Statement, store: string) {
  const others = prepare('SELECT generation FROM generations WHERE store = ? AND history <> ?')
  const set = prepare('UPDATE generations SET history = ?2 WHERE store = ?1 AND history IS NULL')
  const lastKnown = "max(coalesce(position, ''), ?2)"
  const reset = prepare(
    `UPDATE generations SET checkpoint = nullif(${lastKnown}, '') WHERE store = ?1 AND checkpoint > ${lastKnown}`,
  )
  let claimed: string | null = null

  function claim(history: string): readonly number[] {
    claimed = history
    set.run(store, history)
    return (others.all(store, history) as readonly Generation[]).map(({ generation }) => generation)
  }

  return { claim, history: () => claimed, rewind: (known: string) => void reset.run(store, known) }
}

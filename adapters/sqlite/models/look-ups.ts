import type { ReadModel, Row } from '../../../engine/index.ts'
import { isBehind, type Reached } from './reach.ts'
import { keptCell } from './sql.ts'

/** A lookup: the required cells, and the most rows. */
interface LookUp {
  readonly where: Row
  readonly limit: number
}

/** Cached lookups, valid until their rows may have changed. */
interface LookUps {
  /** A cached result, if the table had reached `target`. */
  find(model: ReadModel, asked: LookUp, target: string | undefined): readonly Row[] | undefined
  keep(model: ReadModel, asked: LookUp, rows: readonly Row[]): void
  /** Called with the serving table; drops results of another table or of another position. */
  see(model: ReadModel, serving: Reached | undefined): void
  /** Called when this process has moved a table by setting rows; `undefined` for rows if some were removed. */
  moved(model: ReadModel, move: Move, rows: readonly Row[] | undefined): void
}

/** A change of a table, between the positions of the last events that were applied. */
interface Move {
  readonly generation: number
  readonly from: string | null
  readonly to: string | null
}

interface Found {
  at: Reached
  /** Results by the names of the columns of their lookups, and then by the lookup. */
  readonly shapes: Map<string, Shape>
}

interface Shape {
  readonly columns: readonly string[]
  readonly limit: number
  /** Whether all columns are of the key. A row never changes its key, so it is known which lookups have it. */
  readonly isOfKey: boolean
  readonly results: Map<string, readonly Row[]>
}

/** Maximum cached answers per model and kind of lookup, kinds of lookup, and rows of a cached answer. */
const cacheLimits = { answers: 20_000, shapes: 10, rows: 20 }

/** Creates an empty cache. */
export function createLookUps(): LookUps {
  const found = new Map<ReadModel, Found>()

  function shapeOf(model: ReadModel, { shapes }: Found, { where, limit }: LookUp): Shape {
    const columns = Object.keys(where)
    const name = `${limit} ${columns.join()}`
    const isOfKey = columns.every((column) => model.key.includes(column))
    const shape = shapes.get(name) ?? { columns, limit, isOfKey, results: new Map() }
    if (!shapes.has(name) && shapes.size >= cacheLimits.shapes) shapes.clear()
    shapes.set(name, shape)
    return shape
  }

  return {
    find: (model, asked, target) => {
      const known = found.get(model)
      if (known === undefined || isBehind(known.at.reach, target)) return undefined
      return shapeOf(model, known, asked).results.get(nameOf(Object.values(asked.where)))
    },
    keep: (model, asked, rows) => {
      const known = found.get(model)
      if (known === undefined || rows.length > cacheLimits.rows) return
      const { results } = shapeOf(model, known, asked)
      if (results.size >= cacheLimits.answers) results.clear()
      results.set(nameOf(Object.values(asked.where)), rows)
    },
    see: (model, serving) => {
      const { at, shapes } = found.get(model) ?? {}
      const stands = at?.generation === serving?.generation && at?.position === serving?.position
      if (serving === undefined) found.delete(model)
      else found.set(model, { at: serving, shapes: stands && shapes !== undefined ? shapes : new Map() })
    },
    moved: (model, { generation, from, to }, rows) => {
      const known = found.get(model)
      if (known === undefined || known.at.generation !== generation || known.at.position !== from) return
      for (const { columns, isOfKey, results } of known.shapes.values()) {
        if (!isOfKey || rows === undefined) results.clear()
        else if (results.size > 0)
          for (const row of rows) results.delete(nameOf(columns.map((one) => row[one] ?? null)))
      }
      known.at = { ...known.at, position: to }
    },
  }
}

function nameOf(cells: Row[string][]): string {
  return JSON.stringify(cells.map(keptCell))
}

import type { ReadModel, Row } from '../../../engine/index.ts'
import { isBehind, type Reached } from './reach.ts'

/** Cached lookups, valid until something is applied to their table. */
export interface LookUps {
  /** A cached result, if the table had reached `target`. */
  find(model: ReadModel, asked: string, target: string | undefined): readonly Row[] | undefined
  keep(model: ReadModel, asked: string, rows: readonly Row[]): void
  /** Called with the serving table; drops results of another table or of an earlier checkpoint. */
  see(model: ReadModel, serving: Reached | undefined): void
}

interface Found {
  readonly at: Reached
  readonly rows: Map<string, readonly Row[]>
}

/** Maximum cached answers per model, and maximum rows of a cached answer. */
const cacheLimits = { answers: 20_000, rows: 20 }

/** Creates an empty cache. */
export function createLookUps(): LookUps {
  const found = new Map<ReadModel, Found>()
  return {
    find: (model, asked, target) => {
      const known = found.get(model)
      return known === undefined || isBehind(known.at.reach, target) ? undefined : known.rows.get(asked)
    },
    keep: (model, asked, rows) => {
      const known = found.get(model)
      if (known === undefined || rows.length > cacheLimits.rows) return
      if (known.rows.size >= cacheLimits.answers) known.rows.clear()
      known.rows.set(asked, rows)
    },
    see: (model, serving) => {
      const { at, rows } = found.get(model) ?? {}
      const stands = at?.generation === serving?.generation && at?.position === serving?.position
      if (serving === undefined) found.delete(model)
      else found.set(model, { at: serving, rows: stands && rows !== undefined ? rows : new Map() })
    },
  }
}

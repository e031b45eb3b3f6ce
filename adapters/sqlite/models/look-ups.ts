import type { ReadModel, Row } from '../../../engine/index.ts'
import { isBehind, type Reached } from './reach.ts'

/** What look-ups have found, as long as nothing is applied to the table that they looked in. */
export interface LookUps {
  /** What was found before, where the table had all up to `target`. */
  find(model: ReadModel, asked: string, target: string | undefined): readonly Row[] | undefined
  keep(model: ReadModel, asked: string, rows: readonly Row[]): void
  /** Is told what serves: what was found in another table, or before another event was applied, holds no more. */
  see(model: ReadModel, serving: Reached | undefined): void
}

interface Found {
  readonly at: Reached
  readonly rows: Map<string, readonly Row[]>
}

/** So many answers are kept of a model, and none of more rows than this. */
const room = { answers: 20_000, rows: 20 }

/** Nothing was looked up yet. */
export function createLookUps(): LookUps {
  const found = new Map<ReadModel, Found>()
  return {
    find: (model, asked, target) => {
      const known = found.get(model)
      return known === undefined || isBehind(known.at.reach, target) ? undefined : known.rows.get(asked)
    },
    keep: (model, asked, rows) => {
      const known = found.get(model)
      if (known === undefined || rows.length > room.rows) return
      if (known.rows.size >= room.answers) known.rows.clear()
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

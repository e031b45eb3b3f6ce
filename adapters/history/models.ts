import { type Cell, EngineError, type ReadModel, type Row } from '../../engine/index.ts'
import type { ReportDamage } from '../node/damage.ts'
import type { ModelState, NodeModels } from '../node/models.ts'
import type { ReportCount } from './verify.ts'

/**
 * Comparisons to try: while others write, two tables cannot be read at the same instant, so differences are checked
 * again.
 */
const maxComparisons = 5

/** Rows of each table that are read at a time. */
const pageSize = 1_000

/** Checks between which nothing at all was read, after which catching up is given up. */
const maxStalledChecks = 100

/**
 * Compares the read models of a node with `fresh` ones, which were built from the same store from its beginning. Both
 * must have the same rows.
 */
export async function verifyModels(
  { own, fresh }: { readonly own: NodeModels; readonly fresh: NodeModels },
  found: ReportDamage,
  progress: ReportCount = () => {},
): Promise<void> {
  await Promise.all([caughtUp(own), caughtUp(fresh)])
  for (const model of own.models) {
    let rows = 0
    for await (const page of pagesOf({ own, fresh }, model)) {
      for (const key of await differing({ own, fresh }, model, page.differing))
        found({ check: 'models', place: `${model.name} ${key.join(' ')}`, problem: 'the row is not what follows' })
      rows += page.rows
      progress('rows', rows)
    }
  }
}

/** The nodes whose tables are compared. */
interface Compared {
  readonly own: NodeModels
  readonly fresh: NodeModels
}

/** The cells of a key, in the order of its columns. */
type Key = readonly Cell[]

/** Compares two tables in order of the key. Yields the number of rows, and the keys of those that differ. */
async function* pagesOf({ own, fresh }: Compared, model: ReadModel) {
  const keyOf = (row: Row): Key => model.key.map((column) => row[column] ?? null)
  for (let after: Row | undefined; ; ) {
    const pages = [await own.scan(model, after, pageSize), await fresh.scan(model, after, pageSize)] as const
    // Where a page is full, the other one may lack what comes after its last row.
    const ends = pages.filter((page) => page.length === pageSize).map((page) => page.at(-1) as Row)
    const end = ends.sort((one, other) => byKey(keyOf(one), keyOf(other)))[0]
    const isWithin = (row: Row) => end === undefined || byKey(keyOf(row), keyOf(end)) <= 0
    const [ours, theirs] = pages.map(
      (page) => new Map(page.filter(isWithin).map((row) => [JSON.stringify(keyOf(row)), JSON.stringify(row)])),
    ) as [Map<string, string>, Map<string, string>]
    const keys = [...new Set([...ours.keys(), ...theirs.keys()])]
    yield {
      rows: keys.length,
      differing: keys.filter((key) => ours.get(key) !== theirs.get(key)).map((key): Key => JSON.parse(key)),
    }
    if (end === undefined) return
    after = end
  }
}

/** Those of the keys whose rows differ still when both tables are up to date. */
async function differing({ own, fresh }: Compared, model: ReadModel, keys: readonly Key[]): Promise<readonly Key[]> {
  let rest = keys
  for (let count = 0; rest.length > 0 && count < maxComparisons; count++) {
    if (count > 0) await Promise.all([caughtUp(own), caughtUp(fresh)])
    const still: Key[] = []
    for (const key of rest) {
      const where = Object.fromEntries(model.key.map((column, place) => [column, key[place] ?? null]))
      const [one, other] = [await own.rows(model, where), await fresh.rows(model, where)]
      if (JSON.stringify(one) !== JSON.stringify(other)) still.push(key)
    }
    rest = still
  }
  return rest
}

/** The order of the tables: null, then numbers, then text by its bytes. */
function byKey(one: Key, other: Key): number {
  for (const [place, cell] of one.entries()) {
    const order = byCell(cell, other[place] ?? null)
    if (order !== 0) return order
  }
  return 0
}

function byCell(one: Cell, other: Cell): number {
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other))
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return kinds.indexOf(typeof one) - kinds.indexOf(typeof other)
}

const kinds = ['object', 'number', 'string']

/** Each check of the state also advances the models. */
async function caughtUp(models: NodeModels): Promise<void> {
  let before = ''
  for (let still = 0; ; ) {
    const states = await models.state()
    if (states.every(({ isCaughtUp }) => isCaughtUp)) return
    // A model of rare events keeps its checkpoint while its reader goes through all others.
    const read = JSON.stringify(states.map(({ checkpoint, looks }) => [checkpoint, looks]))
    still = read === before ? still + 1 : 0
    before = read
    if (still === maxStalledChecks) throw notCaughtUp(states)
  }
}

function notCaughtUp(states: readonly ModelState[]): EngineError {
  const behind = states.filter(({ isCaughtUp }) => !isCaughtUp).map(({ name }) => name)
  const failure = new EngineError('store_unavailable')
  failure.cause = new Error(`These read models do not catch up: ${behind.join(', ')}`)
  return failure
}

import { EngineError, type EventStore, type Row } from '../../engine/index.ts'
import type { ReportDamage } from '../node/damage.ts'
import type { ModelState, NodeModels } from '../node/models.ts'
import type { ReportCount } from './verify.ts'

/**
 * Comparisons to try: while others write, two tables cannot be read at the same instant, so differences are checked
 * again.
 */
const maxComparisons = 5

/** Checks without progress after which catching up is given up. */
const maxStalledChecks = 100

/**
 * Compares the read models of a node with `fresh` ones, which were built from the same store from its beginning. Both
 * must have the same rows.
 */
export async function verifyModels(
  { store, own, fresh }: { readonly store: EventStore; readonly own: NodeModels; readonly fresh: NodeModels },
  found: ReportDamage,
  progress: ReportCount = () => {},
): Promise<void> {
  await Promise.all([caughtUp(own), caughtUp(fresh)])
  for (const model of own.models) {
    const { name, category, opens } = model
    let events = 0
    for await (const event of store.readAll(undefined, { category, opens })) {
      for (const row of model.rows(event)) {
        const key = Object.fromEntries(model.key.map((column) => [column, row[column] ?? null]))
        if (!(await agree(own, fresh, (models) => models.rows(model, key))))
          found({
            check: 'models',
            place: `${name} ${Object.values(key).join(' ')}`,
            problem: 'the row is not what follows',
          })
      }
      progress('events', ++events)
    }
    if (!(await agree(own, fresh, (models) => models.count(model))))
      found({ check: 'models', place: name, problem: 'there are other rows than those that follow' })
  }
}

async function agree(
  own: NodeModels,
  fresh: NodeModels,
  look: (models: NodeModels) => Promise<readonly Row[] | number>,
): Promise<boolean> {
  for (let count = 0; count < maxComparisons; count++) {
    const [one, other] = [await look(own), await look(fresh)]
    if (JSON.stringify(one) === JSON.stringify(other)) return true
    await Promise.all([caughtUp(own), caughtUp(fresh)])
  }
  return false
}

/** Each check of the state also advances the models. */
async function caughtUp(models: NodeModels): Promise<void> {
  let before = ''
  for (let still = 0; ; ) {
    const states = await models.state()
    if (states.every(({ isCaughtUp }) => isCaughtUp)) return
    const checkpoints = JSON.stringify(states.map(({ checkpoint }) => checkpoint))
    still = checkpoints === before ? still + 1 : 0
    before = checkpoints
    if (still === maxStalledChecks) throw notCaughtUp(states)
  }
}

function notCaughtUp(states: readonly ModelState[]): EngineError {
  const behind = states.filter(({ isCaughtUp }) => !isCaughtUp).map(({ name }) => name)
  const failure = new EngineError('store_unavailable')
  failure.cause = new Error(`These read models do not catch up: ${behind.join(', ')}`)
  return failure
}

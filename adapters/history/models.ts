import { EngineError, type EventStore, type Row } from '../../engine/index.ts'
import type { ReportDamage } from '../node/damage.ts'
import type { NodeModels } from '../node/models.ts'
import type { ReportCount } from './verify.ts'

/** While others write, two looks at two tables are not at one moment: what differs is looked at again, so often. */
const looks = 5

/** After so many looks without a step forward, models are given up. */
const patience = 100

/**
 * Holds the read models of a node against `fresh` ones, which were built from the same store from its beginning: every row
 * that an event leaves behind is there as it is there, and there are no others.
 */
export async function verifyModels(
  { store, own, fresh }: { readonly store: EventStore; readonly own: NodeModels; readonly fresh: NodeModels },
  found: ReportDamage,
  progress: ReportCount = () => {},
): Promise<void> {
  await Promise.all([caughtUp(own), caughtUp(fresh)])
  for (const model of own.models) {
    const { name, category } = model
    let events = 0
    for await (const event of store.readAll(undefined, { category })) {
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
  for (let count = 0; count < looks; count++) {
    const [one, other] = [await look(own), await look(fresh)]
    if (JSON.stringify(one) === JSON.stringify(other)) return true
    await Promise.all([caughtUp(own), caughtUp(fresh)])
  }
  return false
}

/** Each look at the state brings the models on. */
async function caughtUp(models: NodeModels): Promise<void> {
  let before = ''
  for (let still = 0; still < patience; ) {
    const states = await models.state()
    if (states.every(({ isCaughtUp }) => isCaughtUp)) return
    const checkpoints = JSON.stringify(states.map(({ checkpoint }) => checkpoint))
    still = checkpoints === before ? still + 1 : 0
    before = checkpoints
  }
  throw new EngineError('store_unavailable')
}

import t from 'tap'
import type { ModelState, NodeModels } from '../../node/models.ts'
import { verifyModels } from '../models.ts'

const behind: ModelState = {
  ...{ name: 'stock', version: 1, checkpoint: undefined, wasCaughtUp: false },
  ...{ isCaughtUp: false, secondsBehind: 1, looks: 0 },
}

/** A read model without rows, whose state at each look is given. */
function modelsThat(tell: (look: number) => ModelState) {
  let looks = 0
  const models: Partial<NodeModels> = { models: [], state: async () => [tell(looks++)] }
  return { models: models as NodeModels, looks: () => looks }
}

t.test('given a model of rare events, when its reader goes through all others, then it is waited for', async (t) => {
  const own = modelsThat((look) => ({ ...behind, looks: look >> 4, isCaughtUp: look === 5_000 }))
  const fresh = modelsThat(() => ({ ...behind, isCaughtUp: true }))
  await verifyModels({ own: own.models, fresh: fresh.models }, t.fail)
  t.equal(own.looks(), 5_001)
})

t.test('given a model that reads nothing any more, when it is waited for, then that ends', async (t) => {
  const own = modelsThat((look) => ({ ...behind, looks: Math.min(look, 300) }))
  const fresh = modelsThat(() => ({ ...behind, isCaughtUp: true }))
  await t.rejects(verifyModels({ own: own.models, fresh: fresh.models }, t.fail), {
    code: 'store_unavailable',
    cause: /do not catch up: stock/,
  })
  t.equal(own.looks(), 401)
})

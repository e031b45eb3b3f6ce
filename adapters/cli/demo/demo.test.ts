import t from 'tap'
import { amounts, day, planOf } from './plan.ts'

t.test(
  'given a seed, when the day is planned, then it is the same each time, and another seed is another day',
  async (t) => {
    t.same(planOf(7), planOf(7))
    t.not(JSON.stringify(planOf(7).steps), JSON.stringify(planOf(8).steps))
    const { orders, steps } = planOf(7)
    t.equal(new Set(orders.map(({ tracking_number }) => tracking_number)).size, amounts.orders)
    const moves = steps.flatMap((step) => (step.kind === 'move' ? [step.operation] : []))
    t.ok(moves.filter((operation) => operation === 'fail_order').length > 3, 'some deliveries fail')
    t.ok(steps.filter(({ kind, at }) => kind === 'position' && at > day.ready).length > 100, 'drivers move')
    t.ok(steps.every((step, index) => index === 0 || step.at >= (steps[index - 1]?.at ?? 0)))
  },
)

import * as v from 'valibot'
import { callersIn } from '../../entity/reading.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { at, commandErrors, commanded, summaryAnswer } from './answer.ts'
import { orderIds } from './load.ts'
import { type StepName, type StepValues, steps } from './moves.ts'
import { orderEntries } from './schema.ts'

/** The operation of a step of the driver who has an order. */
function stepOperation(step: StepName): Operation {
  const { call, step: own } = steps[step]
  return operation({
    name: call.operation,
    summary: call.summary,
    scopes: ['orders:write'],
    ...callersIn(call.by),
    risk: 'medium',
    tag: 'Driver',
    rest: at(call.verb),
    ids: orderIds,
    input: v.strictObject({ ...orderEntries, ...own.input }),
    output: summaryAnswer,
    errors: [...commandErrors, ...call.errors],
    handle: (context, { order_id, ...values }: StepValues & { readonly order_id: number }) => {
      const { reason, ...circumstances } = values
      return commanded(context, order_id, (given) => ({
        type: 'TakeStep',
        ...given,
        step,
        ...omitUndefined({ reason }),
        circumstances,
      }))
    },
  })
}

/** The operations of the steps of drivers, by the names of the steps. */
export const stepOperations = Object.fromEntries(
  Object.keys(steps).map((step) => [step, stepOperation(step as StepName)]),
) as Readonly<Record<StepName, Operation>>

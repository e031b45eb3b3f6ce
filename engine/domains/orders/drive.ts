import * as v from 'valibot'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { callEntries, runCommand } from './answer.ts'
import { type StepName, type StepValues, steps } from './moves.ts'
import { orderEntries } from './schema.ts'

/** The operation of a step of the driver who has an order. */
function stepOperation(step: StepName): Operation {
  const { call, step: own } = steps[step]
  return operation({
    ...callEntries(call),
    tag: 'Driver',
    input: v.strictObject({ ...orderEntries, ...own.input }),
    handle: (context, { order_id, ...values }: StepValues & { readonly order_id: number }) => {
      const { reason, ...circumstances } = values
      return runCommand(context, order_id, (stamp) => ({
        type: 'TakeStep',
        ...stamp,
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

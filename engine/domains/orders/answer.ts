import * as v from 'valibot'
import type { MoveCall } from '../../entity/field.ts'
import { callersIn } from '../../entity/reading.ts'
import type { Context } from '../../kernel/context.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { type CommandOnOrder, commandStamp, orderIds, runOrder } from './load.ts'
import { orderSummary, summaryOf } from './record.ts'
import { orderEntries } from './schema.ts'

/** The output of a command on an order: its numbers and its status after the command. */
export const summaryAnswer = named('OrderAnswer', v.strictObject({ result: v.literal(true), ...orderSummary.entries }))

/** The input of a command that needs no more than the order. */
export const onOrder = v.strictObject(orderEntries)

/** Codes that any command on an order may be refused with. */
export const commandErrors: readonly Code[] = [
  ...(['order_not_found', 'not_a_self_delivery_order', 'order_status_forbids', 'contention'] as const),
]

/** Where a command on an order is found over HTTP. */
export function at<Verb extends string>(verb: Verb) {
  return { method: 'POST', path: `/api/v1/orders/{order_id}/${verb}` } as const
}

/** What the operations of moves have in common. */
export function callEntries({ operation: name, summary, by, risk, verb = '', errors = [] }: MoveCall) {
  return {
    name,
    summary,
    scopes: ['orders:write'],
    ...callersIn(by),
    risk: risk ?? 'medium',
    rest: at(verb),
    ids: orderIds,
    output: summaryAnswer,
    errors: [...commandErrors, ...errors],
  } as const
}

type CommandStamp = ReturnType<typeof commandStamp>

/** Runs a command of the caller on an order, and returns the order after it. */
export async function runCommand(context: Context, id: number, command: (stamp: CommandStamp) => CommandOnOrder) {
  const { order } = await runOrder(context, id, command(commandStamp(context)))
  return { result: true, ...summaryOf(order, context) }
}

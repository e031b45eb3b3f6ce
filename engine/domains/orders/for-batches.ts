import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { parse } from '../../kernel/parse.ts'
import { draftOrder, newOrder } from './draft.ts'

/** Drafts an order from unchecked input. Refuses as `draftOrder`, and with all findings where the input is invalid. */
export async function draftUnchecked(
  context: Context,
  input: unknown,
  making: Parameters<typeof draftOrder>[2],
): Promise<{ readonly trackingNumber: string; readonly appends: readonly Append[] }> {
  const { value, findings } = parse(newOrder, input)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  const { order, appends } = await draftOrder(context, value, making)
  return { trackingNumber: order.tracking_number, appends }
}

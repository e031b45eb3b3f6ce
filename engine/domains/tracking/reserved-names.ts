import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Outcome } from './records.ts'

/**
 * The append that reserves the names of providers under which an operator records something new: no business may go on in a name
 * that it has not got from the operator, and withdraw what was recorded.
 */
export async function reservedNames(
  context: Context,
  results: readonly { readonly provider?: string; readonly outcome: Outcome }[],
): Promise<readonly Append[]> {
  if (context.caller.kind !== 'operator') return []
  const names = results.flatMap(({ provider, outcome }) =>
    provider === undefined || outcome === 'duplicate' ? [] : [provider],
  )
  return context.ports.tracking.reservedNames(context, [...new Set(names)])
}

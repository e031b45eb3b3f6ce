import { type Run, usageError } from './command.ts'
import { forward, resend, trigger } from './webhooks/forward.ts'
import { listen } from './webhooks/listen.ts'
import { parked, rebuild } from './webhooks/parked.ts'
import { pull } from './webhooks/pull.ts'

/** `otep webhooks`: receives, forwards, triggers and sends again, for those who develop receivers. */
export const run: Run = async (invocation) => {
  const [verb, subject, ...more] = invocation.positionals
  if (verb === 'listen' && subject === undefined)
    return invocation.values['forward-to'] === undefined ? listen(invocation) : forward(invocation)
  if (verb === 'trigger' && subject !== undefined && more.length === 0) return trigger(invocation, subject)
  if (verb === 'resend' && subject !== undefined && more.length === 0) return resend(invocation, subject)
  if (verb === 'parked' && subject === undefined) return parked(invocation)
  if (verb === 'rebuild' && subject !== undefined && more.length === 0) return rebuild(invocation, subject)
  if (verb === 'pull' && subject !== undefined && more.length === 0) return pull(invocation, subject)
  throw usageError('Use one of: listen, trigger EVENT, resend ID, pull QUEUE, parked, rebuild ID|all.')
}

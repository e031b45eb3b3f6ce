import { call, listParkedWebhookEvents, rebuildWebhookEvents } from '../../../engine/index.ts'
import type { Invocation } from '../command.ts'
import { withContext } from '../session.ts'

/** `otep webhooks parked`: the events of which no webhook events could be made; the exit code is 1 if there are any. */
export function parked(invocation: Invocation): Promise<number> {
  return withContext(invocation, async (context) => {
    const answer = await call(listParkedWebhookEvents, context, {})
    const found = answer.parked as readonly object[]
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify({ parked: found })}\n`)
    else for (const one of found) invocation.stdout.write(`${Object.values(one).join('  ')}\n`)
    return found.length === 0 ? 0 : 1
  })
}

/** `otep webhooks rebuild ID|all`: the server makes their webhook events again. */
export function rebuild(invocation: Invocation, id: string): Promise<number> {
  return withContext(invocation, async (context) => {
    const { rebuilt } = await call(rebuildWebhookEvents, context, id === 'all' ? {} : { event_id: id })
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify({ rebuilt })}\n`)
    else invocation.stdout.write(`Parked events that the server makes webhooks of again: ${rebuilt}\n`)
    return rebuilt === 0 && id !== 'all' ? 1 : 0
  })
}

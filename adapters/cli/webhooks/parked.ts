import * as v from 'valibot'
import { type Context, call, listParkedWebhookEvents, rebuildWebhookEvents } from '../../../engine/index.ts'
import type { Invocation } from '../command.ts'
import { withContext } from '../session.ts'

const perPage = 200

/** `otep webhooks parked`: the events of which no webhook events could be made; the exit code is 1 if there are any. */
export function parked(invocation: Invocation): Promise<number> {
  return withContext(invocation, async (context) => {
    const found: object[] = []
    for (let page = 1; found.length === (page - 1) * perPage; page++) {
      const answer = await call(listParkedWebhookEvents, context, { page, per_page: perPage })
      found.push(...v.parse(listParkedWebhookEvents.output, answer).parked)
    }
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify({ parked: found })}\n`)
    else for (const one of found) invocation.stdout.write(`${Object.values(one).join('  ')}\n`)
    return found.length === 0 ? 0 : 1
  })
}

/** `otep webhooks rebuild ID|all`: the server makes their webhook events again. */
export function rebuild(invocation: Invocation, id: string): Promise<number> {
  return withContext(invocation, async (context) => {
    const rebuilt = await rebuiltIn(context, id === 'all' ? {} : { event_id: id })
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify({ rebuilt })}\n`)
    else invocation.stdout.write(`Parked events that the server makes webhooks of again: ${rebuilt}\n`)
    return rebuilt === 0 && id !== 'all' ? 1 : 0
  })
}

/** Calls the operation until none is left, and returns how many it took. */
async function rebuiltIn(context: Context, input: { readonly event_id?: string }): Promise<number> {
  for (let all = 0; ; ) {
    const { rebuilt, left } = v.parse(rebuildWebhookEvents.output, await call(rebuildWebhookEvents, context, input))
    all += rebuilt
    if (left === 0) return all
  }
}

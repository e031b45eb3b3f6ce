import * as v from 'valibot'
import {
  type Answer,
  call,
  listParkedWebhookEvents,
  type Operation,
  rebuildWebhookEvents,
} from '../../../engine/index.ts'
import type { Invocation } from '../command.ts'
import { either } from '../either.ts'

const perPage = 200

/** Calls an operation of a store or of a server. */
type Calls = (operation: Operation, input: Readonly<Record<string, unknown>>) => Promise<Answer>

function through<Result>(invocation: Invocation, run: (calls: Calls) => Promise<Result>): Promise<Result> {
  return either(invocation, {
    store: (context) => run((operation, input) => call(operation, context, input)),
    server: (server) => run(({ name }, input) => server.call(name, input)),
  })
}

/** `otep webhooks parked`: the events of which no webhook events could be made; the exit code is 1 if there are any. */
export async function parked(invocation: Invocation): Promise<number> {
  const found: object[] = []
  await through(invocation, async (calls) => {
    for (let page = 1; found.length === (page - 1) * perPage; page++) {
      const answer = await calls(listParkedWebhookEvents, { page, per_page: perPage })
      found.push(...v.parse(listParkedWebhookEvents.output, answer).parked)
    }
  })
  if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify({ parked: found })}\n`)
  else for (const one of found) invocation.stdout.write(`${Object.values(one).join('  ')}\n`)
  return found.length === 0 ? 0 : 1
}

/** `otep webhooks rebuild ID|all`: the server makes their webhook events again. */
export async function rebuild(invocation: Invocation, id: string): Promise<number> {
  const rebuilt = await through(invocation, (calls) => rebuiltIn(calls, id === 'all' ? {} : { event_id: id }))
  if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify({ rebuilt })}\n`)
  else invocation.stdout.write(`Parked events that the server makes webhooks of again: ${rebuilt}\n`)
  return rebuilt === 0 && id !== 'all' ? 1 : 0
}

/** Calls the operation until none is left, and returns how many it took. */
async function rebuiltIn(calls: Calls, input: { readonly event_id?: string }): Promise<number> {
  for (let all = 0; ; ) {
    const { rebuilt, left } = v.parse(rebuildWebhookEvents.output, await calls(rebuildWebhookEvents, input))
    all += rebuilt
    if (left === 0) return all
  }
}

import type { World } from '../../adapters/auth/world.test.fixture.ts'
import { signedBySandbox } from '../../adapters/carriers/index.ts'
import { secretOf } from '../../adapters/node/secret.ts'
import { site } from '../../adapters/pages/signed-in/site.test.fixture.ts'
import { runPoliciesOnce } from '../../adapters/policies/index.ts'
import { deriveId, isoOf } from '../../engine/index.ts'
import type { Business } from './model.test.fixture.ts'

/** Who calls: the admins of two businesses, a customer and a driver of the first one. */
export type Person = Business | 'customer' | 'driver'

export const carriers = ['swift', 'slow'] as const
export type Carrier = (typeof carriers)[number]

const secretsOfCarriers = { one: 'the secret of carrier one', two: 'the secret of carrier two' }
const accounts = { one: 1, two: 2 }

/** Settings of webhooks that the receiver reads from a queue. */
const webhooks = {
  order_create_webhook_url: 'pull:all',
  order_status_change_webhook_url: 'pull:all',
  tracking_event_webhook_url: 'pull:all',
}

/** The whole program in memory, with two businesses, and everybody who calls. The same calls have the same answers. */
export async function office() {
  let ids = 0
  const made = await site('/orders', {
    ...{ secret: secretOf('ab'.repeat(32)), randomId: () => deriveId('one register', String(ids++)) },
  })
  const { send, parts, clock, store, tokens, other, ids: people } = made
  const tokenOf: Readonly<Record<Person, string>> = {
    ...{ one: tokens.client_admin, two: other.tokens.client_admin },
    ...{ customer: tokens.customer, driver: tokens.driver },
  }
  /** Answers what somebody is answered, and its code, which is `ok` if it is not refused. */
  const ask = async (who: Person, method: string, path: string, body?: object) => {
    const answer = await send(method, `/api/v1/${path}`, { token: tokenOf[who], ...(body && { body }) })
    return { body: answer.body, code: answer.status === 200 ? 'ok' : String(answer.body.code) }
  }
  const keys: Record<string, string> = {}
  for (const name of carriers) keys[name] = (await ask('one', 'POST', 'providers', { name })).body.key
  for (const who of ['one', 'two'] as const) {
    const credentials = { account: who, webhook_secret: secretsOfCarriers[who] }
    await ask(who, 'POST', 'carrier-accounts', { carrier: 'sandbox', credentials })
    await ask(who, 'PUT', 'webhook-settings', webhooks)
    await ask(who, 'PUT', 'business/modules', { modules: { device_orders: 'on' } })
  }
  await parts.webhooks.begin(store.leases)
  const cookies = {
    one: (await made.signIn('client_admin')).cookie,
    two: (await made.signIn('client_admin', 'two')).cookie,
    customer: (await made.signIn('customer')).cookie,
  }

  /** A carrier tells a timeline of what happened at an instant. */
  const report = async (carrier: Carrier, number: string, event: Scan): Promise<string> => {
    const body = { profile: 'parcel', subject: { tracking_number: number }, events: [written(event)] }
    const answer = await send('POST', '/api/v1/otep/ingest', { token: keys[carrier], body })
    const [refused] = answer.body.data?.events?.[0]?.errors ?? []
    return answer.status === 200 && refused === undefined ? 'ok' : (refused?.code ?? answer.body.code)
  }
  /** The carrier of the labels of a business sends by itself what happened. Answers of how many parcels it tells. */
  const scan = async (whose: Business, number: string, event: Scan): Promise<number> => {
    const body = JSON.stringify({ tracking_number: number, events: [written(event)] })
    const signature = signedBySandbox(body, secretsOfCarriers[whose])
    const headers = { 'Content-Type': 'application/json', 'x-sandbox-signature': signature }
    const path = `/api/v1/labelservice/carriers/${accounts[whose]}/events`
    return (await send('POST', path, { body, headers })).body.parcels
  }

  const said: object[] = []
  const tell = (fields: object) => void said.push(fields)
  let [before, reached] = [await store.latest(), await store.latest()]
  /** Policies handle what came since they did the last time; as after a crash, they can see the same again. */
  const follow = async (isAgain = false) => {
    if (!isAgain) [before, reached] = [reached, await store.latest()]
    const readAll: typeof store.readAll = (_, filter) => parts.store.readAll(before, filter)
    const log = { debug: tell, info: tell, warn: tell, error: tell }
    await runPoliciesOnce({ ...parts, store: { ...parts.store, readAll } }, log)
  }
  const tool = toolsOf(send, tokenOf)
  const page = async (who: keyof typeof cookies, path: string) => (await made.get(path, cookies[who])).html
  return { clock, store, parts, people, said, ask, report, scan, follow, tool, page }
}

/** Calls tools as an agent of somebody does. */
function toolsOf(send: World['send'], tokens: Readonly<Record<Person, string>>) {
  return async (who: Person, name: string, given: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    return (await send('POST', '/mcp', { token: tokens[who], body })).body.result.structuredContent
  }
}

export type Office = Awaited<ReturnType<typeof office>>

/** Something that a carrier tells: its name, when it happened, and what. */
export interface Scan {
  readonly id: string
  readonly at: number
  readonly code: string
}

function written({ id, at, code }: Scan) {
  return { event_id: id, status_code: code, occurred_at: isoOf(at) }
}

import t from 'tap'
import { createApp, createParts } from '../adapters/main.ts'
import { bodyOf } from '../adapters/webhooks/fan-out/body.ts'
import { handoffsDomain } from '../engine/domains/handoffs/index.ts'
import {
  type Answered,
  asked,
  createWorld as createHandoffWorld,
  goThroughAll,
  type Message,
  type Who,
} from '../engine/domains/handoffs/world.test.fixture.ts'
import { thirdPartyDeliveriesDomain } from '../engine/domains/third-party-deliveries/index.ts'
import {
  addProvider,
  type Business,
  type Caller,
  type Context,
  call,
  createMemoryStore,
  en,
  type Operation,
  scopesOf,
} from '../engine/index.ts'

const start = Date.parse('2026-06-10T10:00:00.000Z')

const business: Business = { id: 1, name: 'B', timeZone: 'UTC', currency: 'EUR', modules: {} }
const operator: Caller = { kind: 'operator', name: 'o', scopes: ['providers:write'] }
const admin: Caller = {
  ...{ kind: 'account', name: '1', scopes: scopesOf.client_admin },
  account: { id: 1, role: 'client_admin', business, modules: {}, hiddenPrices: [] },
}

/** The whole interface on a store in memory, and an operator who makes keys for partners. */
function createWorld() {
  const clock = () => start
  const store = createMemoryStore(clock)
  const parts = createParts({ store, clock })
  const directory = { ...parts.directory, business: async () => business }
  const context: Context = { ...parts, directory, caller: operator, messages: en, requestId: 'test' }
  const addKey = async (partner: object) => String((await call(addProvider, context, partner)).key)
  return { parts, context, addKey, app: createApp({ store, clock, publicView: 'full' }) }
}

t.test('given a provider key that is bound to a business, when it reports over HTTP, then it may', async (t) => {
  const { parts, context, addKey, app } = createWorld()
  const key = await addKey({ name: 'acme', business_id: 1 })
  const loose = await addKey({ name: 'loose', all_businesses: true })
  t.equal(await parts.directory.serves(parts, 'acme', 1), true, 'the register itself is used')
  t.equal(await parts.directory.serves(parts, 'acme', 2), false)
  t.equal(await parts.directory.serves(parts, 'loose', 2), true)
  t.equal(await parts.directory.serves(parts, 'nobody', 1), false)
  const ports = { ...parts.ports, thirdPartyDeliveries: { orderExists: async () => true } }
  const staffed = { ...context, caller: admin, ports }
  const operations = new Map(thirdPartyDeliveriesDomain.operations.map((one) => [one.name, one]))
  const asked = { order_id: 9, order_reference: 'R-9', provider: 'acme', packages: ['A', 'B'] }
  await call(operations.get('assign_third_party') as Operation, staffed, asked)
  await call(operations.get('hand_over_third_party') as Operation, staffed, { assignment_id: 1 })
  const report = async (token: string, tracking_number: string, outcome: 'delivered' | 'failed') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ packages: [{ tracking_number, outcome }] })
    const path = '/api/v1/provider/third-party-deliveries/1/outcomes'
    const answer = await app.request(path, { method: 'POST', headers, body })
    return [answer.status, ((await answer.json()) as { readonly status?: string }).status]
  }
  t.same(await report(loose, 'A', 'delivered'), [403, undefined])
  t.same(await report(key, 'A', 'delivered'), [200, 'partially_delivered'])
  t.same(await report(key, 'A', 'failed'), [409, undefined])
  t.same(await report(key, 'Z', 'delivered'), [422, undefined])
  const headers = { authorization: `Bearer ${key}` }
  const list = await app.request('/api/v1/provider/third-party-deliveries?status=partially_delivered', { headers })
  t.equal(((await list.json()) as { readonly total: number }).total, 1)
})

t.test('given a handoff token, when a partner calls over HTTP, then it offers, reads and pulls', async (t) => {
  const { addKey, app } = createWorld()
  const key = await addKey({ name: 'acme', business_id: 1 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await app.request(`/api/v1/ohp/${path}`, init)
    return { status: answer.status, body: (await answer.json()) as Answered & { readonly code?: string } }
  }
  t.equal((await ask('handoffs', asked)).body.handoff_id, 1)
  t.same((await ask('handoffs', asked)).status, 409)
  t.equal((await ask('handoffs/1')).body.handoff.partner_reference, 'PO-1')
  t.equal((await ask('handoffs/2')).status, 404)
  t.equal((await ask('handoffs/1/cancel', { reason: 'duplicate' })).body.status, 'cancelled')
  const { messages } = (await ask('messages?limit=1')).body
  t.same(
    messages.map(({ event }) => event),
    ['handoff.cancelled'],
  )
  t.same((await ask(`messages?after=${messages[0]?.message_id}`)).body.messages, [])
  t.equal((await ask('messages?after=nothing')).status, 404)
  t.equal((await app.request('/api/v1/ohp/handoffs')).status, 401)
  t.same((await ask('subscriptions')).body, { result: true, subscriptions: [] })
  const gone = await app.request('/api/v1/ohp/subscriptions/1', { method: 'DELETE', headers })
  t.equal(gone.status, 404)
  t.equal(((await gone.json()) as { readonly code: string }).code, 'handoff_subscription_not_found')
})

t.test('given what was pushed, when it is pulled, then the same envelopes come in order, page by page', async (t) => {
  const world = createHandoffWorld()
  await goThroughAll(world)
  const announced = await world.webhookEvents()
  const pushed = announced.map((one) => {
    const eventType = handoffsDomain.webhookEventTypes?.find(({ name }) => name === one.type)
    if (eventType === undefined) throw new Error(one.type)
    const bytes = bodyOf(eventType, one, { reader: 'business', hidden: [] })
    return JSON.parse(new TextDecoder().decode(bytes)) as Message
  })
  const pull = (input: object, who: Who = 'acme') => world.as(who, 'list_handoff_messages', input)
  const { messages, has_more } = await pull({})
  t.same(messages, pushed)
  t.equal(has_more, false)
  const paged: Message[] = []
  let after: { readonly after?: string } = {}
  for (;;) {
    const page = await pull({ ...after, limit: 4 })
    t.ok(page.messages.length <= 4)
    paged.push(...page.messages)
    after = { after: page.messages.at(-1)?.message_id ?? '' }
    if (!page.has_more) break
  }
  t.same(paged, pushed)
  t.same((await pull(after)).messages, [])
  for (const who of ['other', 'acmeElsewhere'] as const) {
    t.same((await pull({}, who)).messages, [])
    t.equal(await world.codeOf(who, 'list_handoff_messages', after), 'handoff_message_not_found')
  }
  t.equal(await world.codeOf('acme', 'list_handoff_messages', { after: 'OHM-1' }), 'handoff_message_not_found')
  t.equal(await world.codeOf('acme', 'list_handoff_messages', { limit: 201 }), 'invalid_input')
})

import t from 'tap'
import { createApp, createParts } from '../adapters/main.ts'
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
  return { parts, context, addKey, app: createApp({ store, clock }) }
}

t.test('given a provider key that is bound to a business, when it reports over HTTP, then it may', async (t) => {
  const { parts, context, addKey, app } = createWorld()
  const key = await addKey({ name: 'acme', business_id: 1 })
  const loose = await addKey({ name: 'loose' })
  t.equal(await parts.directory.serves(parts, 'acme', 1), true, 'the register itself is asked')
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

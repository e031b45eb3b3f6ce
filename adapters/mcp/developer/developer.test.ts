import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { world } from '../../auth/world.test.fixture.ts'
import { asking } from './asking.test.fixture.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** A request as another implementation of Standard Webhooks signs it. */
function signedRequest(now: number) {
  const [id, body] = ['msg_1', '{"event":"tracking.event","data":{"order_id":1}}']
  const signature = new Webhook(secret).sign(id, new Date(now), body)
  const timestamp = String(Math.floor(now / 1_000))
  return { body, signed: { 'webhook-id': id, 'Webhook-Timestamp': timestamp, 'webhook-signature': signature } }
}

t.test(
  'given a question of an integrator, when the reference is searched, then what answers it comes first',
  async (t) => {
    const call = asking(await world())
    const first = async (query: string, more: object = {}) => {
      const [hit] = (await call('search_reference', { query, ...more })).hits
      return [hit?.kind, hit?.name]
    }
    t.same(await first('otep_ingest'), ['operation', 'otep_ingest'])
    t.same(await first('timeline_not_found'), ['error', 'timeline_not_found'])
    t.same(await first('picked_up', { kind: 'status_code' }), ['status_code', 'picked_up'])
    t.same(await first('receive webhooks', { kind: 'how_to' }), ['how_to', 'receive-webhooks'])
    t.same(await first('how do I push events?', { kind: 'how_to' }), ['how_to', 'push-events'])
    t.same(await call('search_reference', { query: 'zzzz' }), { result: true, total: 0, hits: [] })
    t.equal((await call('search_reference', { query: 'order', limit: 25 })).hits.length, 25)
    t.match(await call('search_reference', { query: 'x'.repeat(201) }), /^invalid_input: /)
  },
)

t.test('given an operation, when it is described, then it is as the published description has it', async (t) => {
  const made = await world()
  const call = asking(made)
  const { paths, components } = (await made.send('GET', '/openapi.json')).body
  const told = await call('get_operation', { name: 'create_order' })
  t.match(told, { method: 'POST', path: '/api/v1/orders', is_tool: true })
  t.same(told.description, paths['/api/v1/orders'].post)
  for (const [name, schema] of Object.entries(told.schemas)) t.same(schema, components.schemas[name], name)
  const text = JSON.stringify(told)
  for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
    t.ok(Object.hasOwn(told.schemas, name), name)
  t.ok(told.description.requestBody.content['application/json'].example)
  const missing = await call('get_operation', { name: 'get_order_detail' })
  t.match(missing.errors, [{ code: 'order_not_found', status: 404 }])
  t.match(await call('get_operation', { name: 'toString' }), /^unknown_operation: /)
})

t.test(
  'given a document, when it is projected, then it is checked and written, with what is lost, and nothing is stored',
  async (t) => {
    const made = await world({ start: Date.parse('2026-06-20T12:00:00Z') })
    const call = asking(made)
    const document = JSON.parse(
      readFileSync(new URL('../../../../docs/examples/happy-path.json', import.meta.url), 'utf8'),
    )
    const before = await made.store.latest()
    const told = await call('project_document', { document, to: 'aftership' })
    t.match(told, { conformant: true, refused: 0, timeline_count: 1 })
    t.ok(told.findings.every(({ severity }: { severity: string }) => severity === 'warning'))
    t.equal(told.accepted, document.events.length)
    t.match(JSON.stringify(told.timelines[0].data), document.subject.tracking_number)
    t.ok(told.losses.length > 0)
    t.ok(told.timelines[0].partly_kept.every(({ fidelity }: { fidelity: string }) => fidelity !== '='))
    const epcis = (await call('project_document', { document: JSON.stringify(document), to: 'epcis' })).timelines[0]
      .data
    const back = await call('project_document', { document: epcis, format: 'epcis' })
    t.equal(back.timelines[0].data.current_status, document.current_status)
    const faulty = await call('project_document', { document: { subject: { tracking_number: 'X-1' }, events: [{}] } })
    t.match(faulty, { conformant: false, findings: [{ severity: 'error' }] })
    t.match(await call('project_document', { document: '{' }), /^malformed_json: /)
    t.match(await call('project_document', { document, to: 'nothing' }), /^unknown_format: /)
    t.match(await call('project_document', { document, format: 'walmart' }), /^format_not_read: /)
    t.equal(await made.store.latest(), before)
  },
)

t.test('given a signed request, when its signature is tried, then the wrong part is named', async (t) => {
  const made = await world()
  const call = asking(made)
  const now = made.clock.now
  const { signed, body } = signedRequest(now)
  const tried = (changed: object = {}) => call('try_webhook_signature', { headers: signed, body, secret, ...changed })
  t.match(await tried(), { verified: true, checks: [{ header: 'webhook-signature' }] })
  t.match(await tried({ secret: ` ${secret}\n` }), { verified: false, cause: /white space around the secret/ })
  const spaced = JSON.stringify(JSON.parse(body), undefined, 2)
  t.match(await tried({ body: spaced }), { verified: false, cause: /written anew/ })
  const other = await tried({ secret: 'another' })
  t.match(other, { verified: false, checks: [{ flaw: 'wrong_signature', meaning: /secret/ }] })
  t.notOk('cause' in other)
  const { 'webhook-id': _, ...less } = signed
  t.match(await tried({ headers: less }), { checks: [{ flaw: 'incomplete', missing: ['webhook-id'] }] })
  t.same((await tried({ headers: {} })).checks, [])
  made.clock.now += 3_600_000
  t.match(await tried(), { verified: false, checks: [{ flaw: 'stale' }] })
  for await (const event of made.store.readAll()) t.notMatch(JSON.stringify(event), secret)
  t.notMatch(JSON.stringify(await call('try_webhook_signature', { headers: 1, body, secret })), secret)
})

t.test(
  'given a token of an account, when a connection names no scopes, then the developer server leaves the business alone',
  async (t) => {
    const made = await world()
    const token = made.tokens.client_admin
    const toolsWith = async (headers: Record<string, string>) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const { result } = (await made.send('POST', '/mcp/developer', { token, headers, body })).body
      return result.tools.map(({ name }: { name: string }) => name)
    }
    const own = await toolsWith({})
    t.ok(own.includes('list_webhook_deliveries') && own.includes('search_reference'))
    t.notOk(own.includes('get_orders') || own.includes('create_order'))
    const order = { type: 'D', delivery: { name: 'Ana', address: { street: '1 Main St' } } }
    t.match(
      await asking(made, '/mcp/developer', { token })('create_order', order),
      /^outside_connection: .*orders:write/,
    )
    const asked = { 'X-MCP-Scopes': 'orders:read, orders:write' }
    t.ok((await toolsWith(asked)).includes('create_order'))
    t.match(await asking(made, '/mcp/developer', { token, headers: asked })('create_order', order), { status: 'done' })
    t.ok((await toolsWith({ 'X-MCP-Profile': 'full' })).includes('create_order'))
  },
)

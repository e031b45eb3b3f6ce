import t from 'tap'
import { call, en, otepIngest } from '../../../engine/index.ts'
import { type World, world } from '../../auth/world.test.fixture.ts'

/** Asks a server by the protocol of 2025-06-18. */
function asking({ send }: World, path: string, token?: string, headers: Readonly<Record<string, string>> = {}) {
  return async (method: string, params: object = {}) =>
    (await send('POST', path, { token, headers, body: { jsonrpc: '2.0', id: 1, method, params } })).body
}

function namesIn({ result }: { readonly result: { readonly prompts: readonly { readonly name: string }[] } }) {
  return result.prompts.map(({ name }) => name)
}

async function orderOf({ send, tokens }: World) {
  const order = { type: 'D', delivery: { name: 'Ana', address: { street: '1 Main St' } } }
  const { body } = await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: order })
  return String((body.order ?? body).order_id)
}

t.test(
  'given connections with other scopes, when prompts are listed, then each has those whose tools it has',
  async (t) => {
    const made = await world()
    const { client_admin: token } = made.tokens
    t.same(namesIn(await asking(made, '/mcp')('prompts/list')), ['explain_parcel'])
    const all = ['explain_parcel', 'explain_order', 'plan_exceptions', 'prepare_proposal']
    t.same(namesIn(await asking(made, '/mcp', token)('prompts/list')), all)
    const narrowed = { 'X-MCP-Scopes': 'orders:read' }
    t.same(namesIn(await asking(made, '/mcp', token, narrowed)('prompts/list')), all.slice(0, 2))
    t.same(namesIn(await asking(made, '/mcp/developer')('prompts/list')), ['push_first_event', 'check_document'])
    const refused = await asking(made, '/mcp')('prompts/get', { name: 'plan_exceptions' })
    t.match(refused.error, { code: -32_602, data: { code: 'unknown_prompt' } })
  },
)

t.test('given a parcel, when its prompt is asked for, then its timeline is enclosed', async (t) => {
  const made = await world()
  const caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] } as const
  const document = {
    subject: { tracking_number: 'P-1' },
    ...{ event_id: 'one', status_code: 'picked_up', occurred_at: '2026-06-10T09:30:00-04:00' },
  }
  await call(otepIngest, { ...made.parts, caller, messages: en, requestId: 'r' }, { document })
  const ask = asking(made, '/mcp')
  const get = (given: object) => ask('prompts/get', { name: 'explain_parcel', arguments: given })
  const { messages } = (await get({ tracking_number: 'P-1' })).result
  t.match(messages, [{ content: { text: /P-1/ } }, { content: { resource: { uri: 'otep://tracking/P-1' } } }])
  t.match(JSON.parse(messages[1].content.resource.text), { data: { current_status: 'picked_up' } })
  t.match((await get({ tracking_number: 'NO-1' })).error, { code: -32_602, data: { code: 'timeline_not_found' } })
  t.match((await get({})).error.data, {
    code: 'invalid_input',
    errors: [{ path: 'tracking_number', code: 'required' }],
  })
  t.match((await get({ tracking_number: 'P-1', x: 'y' })).error.data.errors, [{ path: 'x', code: 'unknown_field' }])
})

t.test(
  'given orders, when the id of one is completed, then they are those of the caller, and only with the scope',
  async (t) => {
    const made = await world()
    const id = await orderOf(made)
    const complete = async (token: string, value: string, headers = {}) => {
      const params = { ref: { type: 'ref/prompt', name: 'explain_order' }, argument: { name: 'order_id', value } }
      return (await asking(made, '/mcp', token, headers)('completion/complete', params)).result.completion.values
    }
    t.same(await complete(made.tokens.client_admin, id.slice(0, 2)), [id])
    t.same(await complete(made.tokens.client_admin, 'x'), [])
    t.same(await complete(made.other.tokens.client_admin, ''), [], 'not those of another business')
    t.same(await complete(made.tokens.client_admin, '', { 'X-MCP-Scopes': 'analytics:read' }), [])
    const get = (token: string) =>
      asking(made, '/mcp', token)('prompts/get', { name: 'explain_order', arguments: { order_id: id } })
    t.match((await get(made.tokens.client_admin)).result.messages[1].content.resource.text, /OrderCreated/)
    t.match((await get(made.other.tokens.client_admin)).error.data, { code: 'order_not_found' })
  },
)

t.test(
  'given arguments with known values, when they are completed, then tools, profiles, codes and formats are',
  async (t) => {
    const made = await world()
    const complete = async (path: string, name: string, argument: object, given: object = {}) => {
      const params = { ref: { type: 'ref/prompt', name }, argument, context: { arguments: given } }
      const { result, error } = await asking(made, path, made.tokens.client_admin)('completion/complete', params)
      return result?.completion.values ?? error.data.code
    }
    t.same(await complete('/mcp', 'prepare_proposal', { name: 'tool', value: 'hold' }), ['hold_order'])
    t.same(await complete('/mcp', 'explain_parcel', { name: 'tracking_number', value: '' }), [])
    const first = 'push_first_event'
    t.same(await complete('/mcp/developer', first, { name: 'profile', value: 'st' }), ['storage'])
    t.same(await complete('/mcp/developer', first, { name: 'status_code', value: 'picked' }), ['picked_up'])
    t.notOk(
      (await complete('/mcp/developer', first, { name: 'status_code', value: '' }, { profile: 'storage' })).includes(
        'picked_up',
      ),
    )
    t.same(await complete('/mcp/developer', 'check_document', { name: 'to', value: 'EPC' }), ['epcis'])
    t.equal(await complete('/mcp', 'nothing', { name: 'x', value: '' }), 'unknown_prompt')
    t.equal(await complete('/mcp', 'plan_exceptions', { name: 'x', value: '' }), 'unknown_argument')
  },
)

t.test('given every prompt, when it is filled in, then it speaks of nothing that does not exist', async (t) => {
  const made = await world()
  const order_id = await orderOf(made)
  const values: Readonly<Record<string, string>> = {
    order_id,
    tool: 'hold_order',
    goal: 'g',
    language: 'Go',
    document: '{}',
  }
  for (const path of ['/mcp', '/mcp/developer']) {
    const ask = asking(made, path, made.tokens.client_admin)
    const { prompts } = (await ask('prompts/list')).result
    const tools: readonly string[] = (await ask('tools/list')).result.tools.map(({ name }: { name: string }) => name)
    for (const { name, arguments: wanted } of prompts) {
      if (name === 'explain_parcel') continue
      const required = wanted
        .filter((one: { required: boolean }) => one.required)
        .map((one: { name: string }) => one.name)
      const given = Object.fromEntries(required.map((one: string) => [one, values[one]]))
      const { result } = await ask('prompts/get', { name, arguments: given })
      const text: string = result.messages[0].content.text
      const named = text.match(/\b(?:get|list|search|propose|project|otep)_[a-z_]+\b/g) ?? []
      for (const tool of named) t.ok(tools.includes(tool) || tool === 'otep_ingest', `${name}: ${tool}`)
      for (const [uri] of text.matchAll(/otep:\/\/[\w/-]+/g))
        t.ok((await ask('resources/read', { uri })).result, `${name}: ${uri}`)
    }
  }
})

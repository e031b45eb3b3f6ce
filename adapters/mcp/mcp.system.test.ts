import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import * as v from 'valibot'
import {
  type Answer,
  accountOf,
  domains,
  EngineError,
  nextNumbers,
  type Operation,
  operation,
  roles,
  scopeBundles,
  scopes,
  toNewEvent,
} from '../../engine/index.ts'
import { passwordOf, type World, world } from '../auth/world.test.fixture.ts'
import { createGateway } from '../node/gateway.ts'
import { listen } from '../node/server.ts'
import { statusOf } from '../rest/status.ts'
import { createCatalogue } from './catalogue.ts'
import { createMcp } from './index.ts'
import { instructions } from './instructions.ts'
import { protocolVersions } from './server.ts'
import type { Propose } from './tool-request.ts'

const modern = '2026-07-28'
const paths = ['/mcp', '/mcp/developer'] as const
const thing = v.strictObject({ thing_id: v.pipe(v.number(), v.safeInteger()) })

/** Writes under a new number, with a note about a person. */
const makeThing = operation({
  name: 'make_thing',
  summary: 'Makes a thing.',
  scopes: ['orders:write'],
  risk: 'medium',
  mcp: { title: 'Make a thing' },
  input: v.strictObject({ note: v.pipe(v.string(), v.maxLength(20), v.description('What it is for.')) }),
  output: v.strictObject({ result: v.literal(true), thing_id: v.number() }),
  errors: [],
  handle: async (context, { note }) => {
    const { first, append } = await nextNumbers(context, 'thing')
    const fact = { type: 'ThingMade', data: { to: 'NEW', by: accountOf(context).id, personal: { note } } }
    const events = [toNewEvent(context)(fact)]
    await context.store.appendMany([append, { stream: `thing-${first}`, events, expected: 'no-stream' }])
    return { result: true, thing_id: first }
  },
})

/** High risk. */
const dropThing = operation({
  ...{ name: 'drop_thing', summary: 'Drops a thing.', scopes: ['orders:write'], risk: 'high' },
  mcp: { title: 'Drop a thing' },
  input: thing,
  output: v.strictObject({ result: v.literal(true) }),
  errors: ['order_not_found'],
  handle: async (context, { thing_id }) => {
    const stream = `thing-${thing_id}` as const
    const last = await context.store.last(stream)
    if (last === undefined) throw new EngineError('order_not_found', { order: thing_id })
    const fact = { type: 'ThingDropped', data: { from: 'NEW', to: 'DROPPED' } }
    await context.store.append(stream, [toNewEvent(context)(fact)], last.revision)
    return { result: true }
  },
})

/** Only for customers. */
const ownWallet = operation({
  ...{ name: 'own_wallet', summary: 'Tells a balance.', scopes: ['analytics:read'], risk: 'low', roles: ['customer'] },
  mcp: { title: 'Own wallet' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true) }),
  errors: [],
  handle: async () => ({ result: true }),
})

/** Fails with an unexpected error. */
const breakDown = operation({
  ...{ name: 'break_down', summary: 'Fails.', scopes: [], risk: 'low' },
  mcp: { title: 'Fail' },
  input: v.strictObject({}),
  output: v.strictObject({}),
  errors: [],
  handle: async () => {
    throw new Error('the password of the database is hunter2')
  },
})

/** Refuses its input with a long list of findings. */
const takeAll = operation({
  ...{ name: 'take_all', summary: 'Takes all or nothing.', scopes: ['orders:write'], risk: 'medium' },
  mcp: { title: 'Take all' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.boolean(), code: v.string(), data: v.array(v.string()) }),
  errors: [],
  handle: async () => ({ result: false, code: 'nothing_stored', data: ['much'] }),
})

/** Answers the words and numbers that it is given. */
const listWords = operation({
  ...{ name: 'list_words', summary: 'Lists words.', scopes: [], risk: 'low' },
  mcp: { title: 'List words' },
  input: v.strictObject({ words: v.array(v.string()), sizes: v.exactOptional(v.array(v.number())), note: v.string() }),
  output: v.looseObject({}),
  errors: [],
  handle: async (_, given) => ({ given }),
})

/** A tool for each scope, so that all profiles differ. */
const perScope = scopes.map((scope) =>
  operation({
    ...{ name: `look_${scope.replace(/\W/g, '_')}`, summary: 'Looks.', scopes: [scope], risk: 'low' },
    mcp: { title: 'Look' },
    input: v.strictObject({}),
    output: v.strictObject({ result: v.literal(true) }),
    errors: [],
    handle: async () => ({ result: true }),
  }),
)

const own: readonly Operation[] = [makeThing, dropThing, takeAll, ownWallet, breakDown, listWords, ...perScope]
const operations = [...domains.flatMap((domain) => domain.operations), ...own]

/** Tools only of the developer server. */
const forDevelopers = [
  ...operations.filter(({ mcp }) => mcp?.server === 'developer').map(({ name }) => name),
  ...['search_reference', 'get_operation', 'project_document', 'try_webhook_signature'],
]

/** A message of the newest version, with its headers. */
function messageOf(method: string, params: Answer = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : undefined
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: { 'MCP-Protocol-Version': modern, 'Mcp-Method': method, ...name },
  }
}

type Headers = Readonly<Record<string, string>>

function asking(given: World, path: string = paths[0]) {
  const ask = async (method: string, params: Answer, token?: string, headers: Headers = {}) => {
    const message = messageOf(method, params)
    return given.send('POST', path, { token, body: message.body, headers: { ...message.headers, ...headers } })
  }
  return {
    ask,
    call: (name: string, given: Answer = {}, token?: string, headers?: Headers) =>
      ask('tools/call', { name, arguments: given }, token, headers),
    list: async (token?: string, headers?: Headers): Promise<readonly string[]> => {
      const { body } = await ask('tools/list', {}, token, headers)
      return body.result.tools.map(({ name }: { name: string }) => name)
    },
  }
}

/** Nothing that these tests read. */
const published = { codebook: async () => ({}), timelineSchema: async () => ({}), openapi: async () => ({}) }

const everything = { kind: 'operator', name: 'all', scopes: [...scopes] } as const

t.test('given the catalogue, when it is prepared, then every tool can be used by every client', async (t) => {
  const ajv = new Ajv2020({ strict: false, logger: false })
  const tools = createCatalogue(operations, 'developer').list(everything)
  for (const { name, title, description = '', inputSchema, outputSchema, annotations } of tools) {
    t.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    t.ok(title)
    t.ok(description.length > 0 && description.length < 1024, `${name} is described shortly`)
    t.notMatch(inputSchema, { $schema: String })
    for (const schema of [inputSchema, outputSchema ?? {}]) {
      t.equal(schema.type, 'object', name)
      t.doesNotThrow(() => ajv.compile(JSON.parse(JSON.stringify(schema))), name)
      for (const union of ['oneOf', 'anyOf', 'allOf']) t.notOk(union in schema, `${name} has no ${union} at its root`)
    }
    t.match(Object.keys(annotations ?? {}).sort(), [
      ...['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint', 'title'],
    ])
  }
  t.same(
    tools
      .filter(({ name }) => ['make_thing', 'drop_thing', 'own_wallet'].includes(name))
      .map(({ annotations }) => annotations),
    [
      { title: 'Make a thing', ...hints({ readOnly: false, destructive: false, idempotent: false }) },
      { title: 'Drop a thing', ...hints({ readOnly: false, destructive: true, idempotent: false }) },
      { title: 'Own wallet', ...hints({ readOnly: true, destructive: false, idempotent: true }) },
    ],
  )
  for (const text of Object.values(instructions)) t.ok(text.length < 2048)
})

function hints({ readOnly, destructive, idempotent }: Readonly<Record<string, boolean>>) {
  return { readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: false }
}

t.test(
  'given a tool whose input has a member of the call itself, when it is prepared, then it is refused',
  async (t) => {
    t.throws(
      () => createCatalogue([{ ...dropThing, input: v.strictObject({ confirm: v.boolean() }) }], 'operations'),
      /confirm of drop_thing/,
    )
    t.throws(
      () => createCatalogue([{ ...ownWallet, input: v.union([v.string(), v.number()]) }], 'operations'),
      /own_wallet/,
    )
  },
)

t.test('given the official client of each version, when it connects, then it lists and calls', async (t) => {
  const { app, tokens } = await world({ operations })
  const { port, close } = await listen(app.fetch, { port: 0, host: '127.0.0.1' })
  t.teardown(close)
  for (const path of paths) {
    for (const version of protocolVersions) {
      const client = new Client(
        { name: 'test', version: '1' },
        version === modern
          ? { versionNegotiation: { mode: { pin: modern } } }
          : { supportedProtocolVersions: [version] },
      )
      const headers = { Authorization: `Bearer ${tokens.client_admin}`, 'X-MCP-Profile': 'full' }
      const url = new URL(`http://127.0.0.1:${port}${path}`)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      t.equal(client.getNegotiatedProtocolVersion(), version)
      t.match(client.getInstructions(), /^(Operations|Developer) server/)
      const { tools } = await client.listTools()
      t.ok(tools.some(({ name }) => name === 'make_thing'))
      const made = await client.callTool({ name: 'make_thing', arguments: { note: 'a gift' } })
      t.match(made, { structuredContent: { status: 'done', data: { result: true } } })
      t.same(JSON.parse(textOf(made)), made.structuredContent)
      const missing = await client.callTool({ name: 'otep_tracking', arguments: { tracking_number: 'NO1' } })
      t.match(missing, { isError: true })
      t.match(textOf(missing), /^timeline_not_found: /)
      await t.rejects(client.callTool({ name: 'nothing', arguments: {} }), { code: -32602 })
      await client.close()
    }
  }
})

function textOf(result: unknown): string {
  const [first] = (result as { readonly content: readonly { readonly text?: string }[] }).content
  return first?.text ?? ''
}

t.test('given any Accept of an earlier version, when it asks, then the answer is plain JSON', async (t) => {
  const { send } = await world({ operations })
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  for (const Accept of ['*/*', 'application/json', 'text/event-stream']) {
    const body = { jsonrpc: '2.0', id: 7, method: 'initialize', params }
    const answer = await send('POST', '/mcp', { body, headers: { Accept } })
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-type'), 'application/json')
    t.match(answer.body, {
      id: 7,
      result: { protocolVersion: '2024-11-05', capabilities: { tools: { listChanged: false } } },
    })
  }
  const wanted = { ...params, protocolVersion: '2023-01-01' }
  const { body } = await send('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: wanted } })
  t.equal(body.result.protocolVersion, '2025-11-25')
  const old = await send('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    headers: { 'MCP-Protocol-Version': '2024-10-07' },
  })
  t.equal(old.status, 400)
  t.match(old.body.error.message, protocolVersions.join(', '))
  const told = await send('POST', '/mcp', { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  t.equal(told.status, 202)
})

t.test('given a batch, when its version knows batches, then each message is answered', async (t) => {
  const { send, tokens } = await world({ operations })
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const call = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  })
  const batch = (body: unknown, headers: Headers = { 'MCP-Protocol-Version': '2025-03-26' }, token?: string) =>
    send('POST', '/mcp', { body, headers, token })
  const both = await batch([ping(1), call(2, 'get_capabilities')])
  t.match(both.body, [
    { id: 1, result: {} },
    { id: 2, result: { structuredContent: { result: true } } },
  ])
  const cancelled = [
    call(1, 'get_capabilities'),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ]
  t.match((await batch(cancelled)).body, [{ id: 1, result: {} }], 'and what cancels itself too')
  t.match((await batch([ping(1)])).body, [{ id: 1, result: {} }], 'a list is answered by a list')
  t.equal((await batch([cancelled[1]])).status, 202)
  t.equal((await batch(Array.from({ length: 20 }, (_, id) => ping(id)))).status, 200)
  t.match(await batch(Array.from({ length: 21 }, (_, id) => ping(id))), {
    status: 400,
    body: { error: { code: -32600, data: { code: 'invalid_batch' } } },
  })
  t.match(await batch([]), { status: 400, body: { error: { data: { code: 'invalid_batch' } } } })
  t.equal((await batch([ping(1)], {})).status, 200)
  for (const version of ['2025-06-18', '2025-11-25', modern])
    t.equal((await batch([ping(1)], { 'MCP-Protocol-Version': version })).status, 400)
  t.equal((await batch([ping(1), call(2, 'drop_thing')])).status, 401, 'one protected call is enough')
  t.equal((await batch([ping(1), call(2, 'drop_thing')], {}, tokens.client_admin)).status, 200)
})

t.test('given no token, when a tool is called, then public ones answer and others ask for a token', async (t) => {
  const given = await world({ operations })
  for (const path of paths) {
    const { ask, call, list } = asking(given, path)
    t.match((await ask('server/discover', {})).body.result, { supportedVersions: [modern] })
    const names = await list()
    t.ok(names.includes('otep_tracking') && names.includes('get_capabilities'))
    t.notOk(names.includes('make_thing'))
    t.match(await call('get_capabilities'), { status: 200, body: { result: { structuredContent: { result: true } } } })
    const refused = await call('make_thing', { note: 'x' })
    const metadata = `http://localhost:3000/.well-known/oauth-protected-resource${path}`
    t.equal(refused.status, 401)
    t.equal(
      refused.headers.get('www-authenticate'),
      `Bearer realm="otep", scope="orders:write", resource_metadata="${metadata}"`,
    )
    t.match(refused.body, { id: 1, error: { code: -32600, data: { result: false, code: 'unauthenticated' } } })
    const found = await given.send('GET', new URL(metadata).pathname)
    t.match(found, {
      status: 200,
      body: { resource: `http://localhost:3000${path}`, bearer_methods_supported: ['header'] },
    })
    t.ok(found.body.scopes_supported.includes('orders:write'))
    const before = await given.send('OPTIONS', new URL(metadata).pathname)
    t.match(before.headers.get('access-control-allow-headers'), 'MCP-Protocol-Version')
  }
  t.match((await given.send('GET', '/.well-known/oauth-protected-resource')).body, {
    resource: 'http://localhost:3000/mcp',
  })
})

t.test(
  'given a token that is none, when anything is asked, then it is refused even where none is needed',
  async (t) => {
    const { ask } = asking(await world({ operations }))
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'get_capabilities' }],
    ] as const) {
      const refused = await ask(method, params, 'otep_wrong')
      t.equal(refused.status, 401)
      t.match(refused.headers.get('www-authenticate'), /error="invalid_token".*resource_metadata=/)
      t.notMatch(JSON.stringify(refused.body), 'otep_wrong')
    }
  },
)

t.test(
  'given a token without the scopes, when a tool is called, then all scopes that it needs are named',
  async (t) => {
    const given = await world({ operations })
    const refused = await asking(given).call('look_accounts_write', {}, given.tokens.driver)
    t.equal(refused.status, 403)
    t.match(
      refused.headers.get('www-authenticate'),
      /error="insufficient_scope", scope="accounts:write", resource_metadata=/,
    )
    t.match(refused.body.error.data, { code: 'forbidden', message: /accounts:write/ })
  },
)

t.test(
  'given each profile and each role, when all tools are called, then those are let through that are listed',
  async (t) => {
    const given = await world({ operations })
    const names = createCatalogue(operations, 'operations')
      .list(everything)
      .map(({ name }) => name)
      .filter((name) => name !== 'break_down')
    const { call, list } = asking(given)
    for (const role of [undefined, ...roles]) {
      const token = role && given.tokens[role]
      for (const profile of [undefined, ...Object.keys(scopeBundles)]) {
        const headers: Headers = profile === undefined ? {} : { 'X-MCP-Profile': profile }
        const seen = await list(token, headers)
        const answers = await Promise.all(names.map((name) => call(name, argumentsOf(name), token, headers)))
        const open = names.filter((_, at) => isLetThrough(answers[at]))
        t.same(
          open,
          seen.filter((name) => names.includes(name)),
          `${role} ${profile}`,
        )
        const atDeveloper = await asking(given, '/mcp/developer').list(token, { 'X-MCP-Profile': profile ?? 'full' })
        t.same(
          atDeveloper.filter((name) => !forDevelopers.includes(name)),
          seen,
          'and the developer server has the same and its own',
        )
      }
    }
  },
)

t.test('given a tool for integrators, when agents look for it, then the developer server alone has it', async (t) => {
  const given = await world({ operations })
  const token = given.tokens.client_admin
  const developer = asking(given, '/mcp/developer')
  t.same(forDevelopers, [
    'otep_formats',
    'otep_validate',
    'split_timeline',
    'record_sensor_readings',
    'list_sensor_series',
    'list_sensor_readings',
    'get_ingest_health',
    'list_staff_roles',
    'create_staff_role',
    'update_staff_role',
    'delete_staff_role',
    'get_customs_document',
    'get_today',
    'get_on_time_rate',
    'list_webhook_urls',
    'get_webhook_url',
    'get_webhook_health',
    'list_webhook_deliveries',
    'get_webhook_delivery',
    'search_reference',
    'get_operation',
    'project_document',
    'try_webhook_signature',
  ])
  t.same(
    (await asking(given).list(token)).filter((name) => forDevelopers.includes(name)),
    [],
  )
  const writing = [
    'split_timeline',
    'record_sensor_readings',
    'create_staff_role',
    'update_staff_role',
    'delete_staff_role',
  ]
  t.same(
    (await developer.list(token)).filter((name) => forDevelopers.includes(name)),
    forDevelopers.filter((name) => !writing.includes(name)),
    'those that change something have to be asked for',
  )
  t.same(
    (await developer.list(token, { 'X-MCP-Scopes': '*' })).filter((name) => forDevelopers.includes(name)),
    forDevelopers.filter((name) => name !== 'record_sensor_readings'),
    'only providers record readings',
  )
  const formats = await developer.call('otep_formats')
  t.match(formats.body.result.structuredContent, { result: true, data: [{ format: 'otep' }] })
  const verdict = await developer.call('otep_validate', { document: {} })
  t.match(verdict.body.result.structuredContent, { conformant: false, level: 0 })
})

t.test('given a tool that is not on this server, when it is called, then the error says where it is', async (t) => {
  const given = await world({ operations })
  const at = async (path: string, name: string, headers: Headers = {}) => {
    const { status, body } = await asking(given, path).call(name, {}, given.tokens.client_admin, headers)
    return { status, ...body.error }
  }
  t.match(await at('/mcp', 'otep_validate'), {
    status: 200,
    code: -32_602,
    message: 'otep_validate is not a tool of this server. It is available at /mcp/developer.',
  })
  for (const path of paths)
    t.match(await at(path, 'otep_ingest'), {
      code: -32_602,
      message: 'otep_ingest is not a tool of this server. It is available at POST /api/v1/otep/ingest.',
    })
  t.match(await at('/mcp', 'otep_validate', { 'Accept-Language': 'de' }), { message: /kein Werkzeug/ })
  t.match(await at('/mcp', 'add_provider'), { message: 'There is no tool add_provider.' }, 'an operator has a command')
})

function argumentsOf(name: string): Answer {
  if (name === 'make_thing') return { note: 'a gift' }
  return name === 'drop_thing' ? { thing_id: 1_000_000, confirm: true } : {}
}

/** Whether the gateway has admitted a call, whatever its tool returned. */
function isLetThrough(answer: Awaited<ReturnType<World['send']>> | undefined): boolean {
  const text = answer?.status === 200 ? textOf(answer.body.result) : 'forbidden: '
  return !/^(forbidden|wrong_account|outside_connection|unauthenticated|PRICE_HIDDEN_SETTLE_OFFLINE): /.test(text)
}

t.test('given narrowing headers, when they name scopes, then they take away and never add', async (t) => {
  const given = await world({ operations })
  const { call, list, ask } = asking(given)
  const { client_admin, driver } = given.tokens
  const scoped = { 'X-MCP-Scopes': 'orders:read, analytics:read', 'X-MCP-Profile': 'datasets-readonly' }
  const seen = await list(client_admin, scoped)
  t.ok(seen.includes('look_orders_read'), 'scopes override the profile')
  t.notOk(seen.includes('look_datasets_read'))
  t.match(
    textOf((await call('make_thing', { note: 'x' }, client_admin, scoped)).body.result),
    /^outside_connection: .*orders:write/,
  )
  t.notOk((await list(driver, { 'X-MCP-Scopes': 'accounts:write' })).includes('look_accounts_write'))
  t.same(
    (await list(client_admin, { 'X-MCP-Scopes': '' })).filter((name) => name.startsWith('look_')),
    [],
    'no scope at all leaves what is public',
  )
  t.same(
    await list(client_admin, { 'X-MCP-Scopes': '*', 'X-MCP-Profile': 'datasets-readonly' }),
    await list(client_admin),
    'all of them leaves what the token has',
  )
  const told = await call('get_capabilities', {}, client_admin, { 'X-MCP-Scopes': 'orders:write' })
  const { scopes: left, tools } = told.body.result.structuredContent
  t.same(left, ['orders:write'])
  t.match(
    tools.find(({ name }: { name: string }) => name === 'drop_thing'),
    { risk: 'high', confirm: true, scopes: ['orders:write'] },
  )
  t.match((await ask('tools/list', {}, client_admin, scoped)).body.result, { ttlMs: 0, cacheScope: 'private' })
  t.match((await ask('tools/list', {}, client_admin)).body.result, { ttlMs: 60_000, cacheScope: 'private' })
})

t.test('given a tool that takes lists, when an agent gives one value, then it is a list of one', async (t) => {
  const { call } = asking(await world({ operations }))
  const listed = await call('list_words', { words: 'one, two', sizes: 3, note: 'a' })
  t.same(listed.body.result.structuredContent, { given: { words: ['one, two'], sizes: [3], note: 'a' } })
  for (const words of [{}, null, [1], 1])
    t.match(textOf((await call('list_words', { words, note: 'a' })).body.result), /^invalid_input: /)
})

t.test('given a long answer of a tool that reads, then it is whole up to a bound, and refused above it', async (t) => {
  const { call } = asking(await world({ operations }))
  const words = Array.from({ length: 4_000 }, (_, index) => `${index} ${'x'.repeat(100)}`)
  const listed = await call('list_words', { words, note: 'a' })
  t.same(listed.body.result.structuredContent, { given: { words, note: 'a' } })
  t.equal(textOf(listed.body.result), JSON.stringify({ given: { words, note: 'a' } }))
  const more = await call('list_words', { words: [...words, ...words], note: 'a' })
  t.match(textOf(more.body.result), /^answer_too_large: .*524288/)
})

t.test('given a header with a slip, when anything is asked, then it is refused and widens nothing', async (t) => {
  const { ask } = asking(await world({ operations }))
  const slips = [
    ['X-MCP-Profile', 'ops_readonly', 'unknown_connection_profile'],
    ['X-MCP-Profile', 'toString', 'unknown_connection_profile'],
    ['X-MCP-Scopes', 'orders:red', 'unknown_scope'],
    ['X-MCP-Scopes', '*, orders:red', 'unknown_scope'],
    ['X-MCP-Dry-Run', 'yes', 'bad_switch'],
    ['X-MCP-Require-Approval', '1, 1', 'bad_switch'],
  ] as const
  for (const [name, value, code] of slips) {
    const refused = await ask('tools/list', {}, undefined, { [name]: value })
    t.match(refused, { status: 400, body: { id: 1, error: { data: { result: false, code } } } })
  }
})

t.test('given a dry run, when a tool writes, then it says what it would do and nothing is recorded', async (t) => {
  const given = await world({ operations })
  const { call } = asking(given)
  const token = given.tokens.client_admin
  const dry = { 'X-MCP-Dry-Run': '1' }
  const made = (await call('make_thing', { note: 'a gift' }, token)).body.result.structuredContent
  const before = await given.store.latest()
  const again = (await call('make_thing', { note: 'secret love', idempotency_key: 'k' }, token, dry)).body.result
  t.match(again.structuredContent, {
    status: 'dry_run',
    data: { result: true, thing_id: made.data.thing_id + 1 },
    changes: [{ about: `thing ${made.data.thing_id + 1}`, fact: 'ThingMade', to: { to: 'NEW' } }],
  })
  t.notMatch(JSON.stringify(again), 'secret love')
  const dropped = await call('drop_thing', { thing_id: made.data.thing_id }, token, dry)
  t.match(dropped.body.result.structuredContent, {
    status: 'dry_run',
    changes: [{ about: `thing ${made.data.thing_id}`, fact: 'ThingDropped', from: 'NEW', to: 'DROPPED' }],
  })
  t.match(textOf((await call('drop_thing', { thing_id: 99 }, token, dry)).body.result), /^order_not_found: /)
  t.match((await call('look_orders_read', {}, token, dry)).body.result.structuredContent, { result: true })
  t.equal(await given.store.latest(), before)
  const next = (await call('make_thing', { note: 'x' }, token)).body.result.structuredContent
  t.equal(next.data.thing_id, made.data.thing_id + 1, 'not even a number was taken')
})

t.test('given a high-risk tool, when it is called without confirm=true, then it is not carried out', async (t) => {
  const given = await world({ operations })
  const { call } = asking(given)
  const token = given.tokens.client_admin
  const { thing_id } = (await call('make_thing', { note: 'x' }, token)).body.result.structuredContent.data
  const before = await given.store.latest()
  for (const missing of [{}, { confirm: false }]) {
    const { result } = (await call('drop_thing', { thing_id, ...missing }, token)).body
    t.equal(result.isError, true)
    t.match(textOf(result), /^confirm_required: .*confirm=true.*propose_write/)
  }
  t.match(
    textOf((await call('drop_thing', { thing_id, confirm: 'true' }, token)).body.result),
    /^invalid_input: .*\n- confirm: /,
  )
  t.match(
    textOf((await call('make_thing', { note: 'x', confirm: true }, token)).body.result),
    /- confirm: .*\(unknown_field\)/,
  )
  t.equal(await given.store.latest(), before)
  t.match((await call('drop_thing', { thing_id, confirm: true }, token)).body.result.structuredContent, {
    status: 'done',
  })
  t.not(await given.store.latest(), before)
})

t.test('given an idempotency key, when a call comes again, then it is done once', async (t) => {
  const given = await world({ operations })
  const { call } = asking(given)
  const token = given.tokens.client_admin
  const once = await call('make_thing', { note: 'a gift', idempotency_key: 'k1' }, token)
  const before = await given.store.latest()
  const again = await call('make_thing', { note: 'a gift', idempotency_key: 'k1' }, token)
  t.same(again.body.result.structuredContent, once.body.result.structuredContent)
  t.match(
    textOf((await call('make_thing', { note: 'other', idempotency_key: 'k1' }, token)).body.result),
    /^idempotency_key_reused: /,
  )
  t.match(
    textOf((await call('make_thing', { note: 'x', idempotency_key: '' }, token)).body.result),
    /- idempotency_key: /,
  )
  t.equal(await given.store.latest(), before)
})

t.test('given approvals that are asked for, when a high-risk tool is called, then it waits for one', async (t) => {
  const given = await world({ operations })
  const proposals: unknown[] = []
  const propose: Propose = async (_, { name }, input) => {
    proposals.push([name, input])
    return { proposal_id: 5, status: 'pending' }
  }
  const headers = { 'X-MCP-Require-Approval': '1' }
  for (const proposing of [propose, undefined]) {
    const call = await callerOn(given, proposing)
    const before = await given.store.latest()
    const { result } = await call('drop_thing', { thing_id: 1 }, headers)
    if (proposing === undefined) t.match(textOf(result), /^approvals_unavailable: /)
    else t.match(result.structuredContent, { status: 'approval_required', approval: { proposal_id: 5 } })
    t.equal(await given.store.latest(), before)
    t.match((await call('make_thing', { note: 'x' }, headers)).result.structuredContent, { status: 'done' })
    await call('drop_thing', { thing_id: 1 }, { ...headers, 'X-MCP-Dry-Run': '1' })
  }
  t.same(proposals, [['drop_thing', { thing_id: 1 }]], 'and a dry run proposes nothing')
})

t.test('given a call that waits for an approval, when somebody else approves it, then it is carried out', async (t) => {
  const given = await world({ operations })
  const { call } = asking(given)
  const { client_admin, client_employee } = given.tokens
  const { thing_id } = (await call('make_thing', { note: 'x' }, client_admin)).body.result.structuredContent.data
  const headers = { 'X-MCP-Require-Approval': '1', 'X-MCP-Scopes': 'orders:write' }
  const asked = { thing_id, idempotency_key: 'once' }
  const first = (await call('drop_thing', asked, client_admin, headers)).body.result.structuredContent
  t.match(first, { status: 'approval_required', approval: { status: 'pending', tool: 'drop_thing' } })
  t.same((await call('drop_thing', asked, client_admin, headers)).body.result.structuredContent, first)
  const { proposals } = (await call('list_pending_approvals', {}, client_employee)).body.result.structuredContent
  t.match(proposals, [{ tool: 'drop_thing', arguments: { thing_id } }])
  const approval = { proposal_id: first.approval.proposal_id, confirm: true }
  const approved = (await call('approve_pending_write', approval, client_employee)).body.result
  t.match(approved.structuredContent, { status: 'done', data: { result: true, status: 'approved' } })
  t.match((await given.store.read(`thing-${thing_id}`)).at(-1), { type: 'ThingDropped' })
})

/** Calls as an admin on servers that propose in another way. */
async function callerOn({ parts, ids }: World, propose: Propose | undefined) {
  const account = await parts.directory.person(parts, ids.client_admin)
  if (account === undefined) throw new Error('There is no such account.')
  const caller = { kind: 'account', name: String(account.id), scopes: [...scopes], account } as const
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const stopping = new AbortController().signal
  const gateway = createGateway({ parts, operations, authenticate: async () => caller, version: '1', stopping, log })
  const app = await createMcp(gateway, { statusOf, propose, published, checkSignature: () => [] })
  return async (name: string, given: Answer, more: Headers) => {
    const { body, headers } = messageOf('tools/call', { name, arguments: given })
    const all = { ...headers, ...more, 'Content-Type': 'application/json', Authorization: 'Bearer x' }
    const answer = await app.request('/mcp', { method: 'POST', headers: all, body: JSON.stringify(body) })
    return JSON.parse(await answer.text())
  }
}

t.test(
  'given a token as an argument, when it is 2026, then it is taken with a notice, and from 2027 on refused',
  async (t) => {
    const given = await world({ operations })
    const { call, list } = asking(given)
    const api_token = given.tokens.client_admin
    given.clock.now = Date.parse('2026-12-31T23:59:59.999Z')
    const token = (
      await given.send('POST', '/api/v1/user/login', {
        body: { email: 'client_admin@one.example', password: passwordOf('client_admin') },
      })
    ).body.access_token
    const taken = await call('make_thing', { note: 'x', api_token: token })
    t.match(taken.body.result, { structuredContent: { status: 'done' }, _meta: { 'otep/notice': /2026-12-31/ } })
    t.match(taken.body.result.content.at(-1), { text: /api_token/ })
    t.notMatch(JSON.stringify(taken.body), token)
    const wrong = await call('make_thing', { note: 'x', api_token: 'otep_wrong' })
    t.match(wrong.headers.get('www-authenticate'), /invalid_token/)
    t.notMatch(JSON.stringify(wrong.body), 'otep_wrong')
    t.equal((await call('make_thing', { note: 'x', api_token: 5 })).status, 401)
    t.equal((await call('make_thing', { note: 'x', api_token: token }, 'otep_wrong')).status, 401, 'the header counts')
    const two = [token, api_token].map((one, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'make_thing', arguments: { api_token: one } },
    }))
    t.equal((await given.send('POST', '/mcp', { body: two })).status, 401)
    t.notOk(
      JSON.stringify(createCatalogue(operations, 'developer').list(everything)).includes('api_token'),
      'nobody is told of it',
    )
    given.clock.now = Date.parse('2027-01-01T00:00:00Z')
    const before = await given.store.latest()
    for (const name of ['make_thing', 'get_capabilities']) {
      const refused = await call(name, { note: 'x', api_token: token })
      t.match(refused.body.result, { isError: true })
      t.match(textOf(refused.body.result), /^api_token_ended: /)
      t.notMatch(JSON.stringify(refused.body), token)
    }
    t.equal(await given.store.latest(), before)
    t.ok((await list()).includes('get_capabilities'))
    for await (const event of given.store.readAll()) t.notMatch(JSON.stringify(event), token)
  },
)

t.test(
  'given a call that is refused with much to tell, when it is answered, then it is an error with its data',
  async (t) => {
    const given = await world({ operations })
    const { result } = (await asking(given).call('take_all', {}, given.tokens.client_admin)).body
    t.match(result, { isError: true, structuredContent: { status: 'done', data: { result: false, data: ['much'] } } })
    t.match(textOf(result), /^nothing_stored: \{/)
  },
)

t.test(
  'given a tool that fails unexpectedly, when it is called, then its answer tells the request and nothing else',
  async (t) => {
    const given = await world({ operations })
    t.capture(process.stderr, 'write', () => true)
    const { body } = await asking(given).call('break_down', {}, undefined, { 'X-Request-Id': 'r-1' })
    t.match(textOf(body.result), /^internal: .*r-1/)
    t.notMatch(JSON.stringify(body), 'hunter2')
  },
)

t.test('given another language, when a call is refused, then it is told in it', async (t) => {
  const { call } = asking(await world({ operations }))
  const { result } = (await call('otep_tracking', {}, undefined, { 'Accept-Language': 'de' })).body
  t.match(textOf(result), /^invalid_input: Die Eingabe .*\n- tracking_number: /)
})

t.test('given a list that is asked for by pages, when the page is not the first, then it is refused', async (t) => {
  const { ask } = asking(await world({ operations }))
  t.match((await ask('tools/list', { cursor: 'x' })).body, { error: { code: -32602 } })
  t.notOk('nextCursor' in (await ask('tools/list', {})).body.result)
})

t.test('given requests that are none of the protocol, when they come, then they are refused before it', async (t) => {
  const { send } = await world({ operations })
  const headers = { 'Content-Type': 'application/json' }
  const post = (body: string, more: Headers = {}) => send('POST', '/mcp', { body, headers: { ...headers, ...more } })
  t.match(await post('{'), { status: 400, body: { error: { code: -32700, data: { code: 'malformed_json' } } } })
  t.match(await post('{}', { 'Content-Type': 'text/plain' }), { status: 415 })
  t.match(await post(JSON.stringify('x'.repeat(1024 * 1024))), {
    status: 413,
    body: { error: { data: { code: 'payload_too_large' } } },
  })
  const nested = `{"method":"tools/call","params":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  t.match(await post(nested), { status: 422, body: { error: { data: { errors: [{ path: '', code: 'too_deep' }] } } } })
  const long = JSON.stringify('x'.repeat(1024 * 1024 - 2))
  t.equal((await post(long)).status, 400, 'as large as may be, and no message')
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await send(method, '/mcp')
    t.equal(refused.status, 405)
    t.equal(refused.headers.get('allow'), 'POST, OPTIONS')
  }
})

t.test('given a page that calls, when it is of another host, then it is refused', async (t) => {
  const { send } = await world({ operations, baseUrl: 'https://track.example' })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const origin of ['http://localhost:6274', 'http://[::1]', 'https://track.example']) {
    const answer = await send('POST', '/mcp', { body: ping, headers: { Origin: origin } })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('access-control-allow-origin'), origin)
    t.match(answer.headers.get('access-control-expose-headers'), 'WWW-Authenticate', 'a page learns where to sign in')
    const before = await send('OPTIONS', '/mcp', { headers: { Origin: origin } })
    t.equal(before.status, 204)
    t.match(before.headers.get('access-control-allow-headers'), 'X-MCP-Profile')
  }
  for (const origin of ['https://evil.example', 'null', 'https://track.example.evil.example']) {
    t.match(await send('POST', '/mcp', { body: ping, headers: { Origin: origin } }), {
      status: 403,
      body: { error: { data: { code: 'origin_forbidden' } } },
    })
    t.equal((await send('OPTIONS', '/mcp', { headers: { Origin: origin } })).status, 403)
  }
})

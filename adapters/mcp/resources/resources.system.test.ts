import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { call, en, otepIngest } from '../../../engine/index.ts'
import { type World, type WorldOptions, world } from '../../auth/world.test.fixture.ts'
import { listen } from '../../node/server.ts'
import { programs } from '../../oauth/program.test.fixture.ts'
import { protocolVersions } from '../server.ts'

const modern = '2026-07-28'

/** Records an event of the parcel P-1, as its carrier does. */
async function scan({ parts }: World, event_id: string, status_code: string, subject: object = {}) {
  const caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] } as const
  const context = { ...parts, caller, messages: en, requestId: event_id }
  const document = {
    subject: { tracking_number: 'P-1', ...subject },
    ...{ event_id, status_code, occurred_at: '2026-06-10T09:30:00-04:00' },
  }
  const { data } = await call(otepIngest, context, { document })
  return data
}

async function serving(t: Test, options: WorldOptions = {}) {
  return servingOf(t, await world(options))
}

async function servingOf<Made extends World>(t: Test, made: Made) {
  const { port, close } = await listen(made.app.fetch, { port: 0, host: '127.0.0.1' })
  t.teardown(close)
  const connect = async (
    version: string,
    { path = '/mcp', headers = {} }: { path?: string; headers?: object } = {},
  ) => {
    const client = new Client(
      { name: 'test', version: '1' },
      version === modern ? { versionNegotiation: { mode: { pin: modern } } } : { supportedProtocolVersions: [version] },
    )
    const init = { requestInit: { headers: { ...headers } } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}${path}`), init))
    t.teardown(() => client.close())
    return client
  }
  return { made, connect }
}

/** The text of the only part of a resource. */
function textOf({ contents }: { readonly contents: readonly object[] }): string {
  const [first] = contents as readonly { readonly text?: string }[]
  return first?.text ?? ''
}

t.test(
  'given the official client of each version, when it reads resources, then they are what the tools answer',
  async (t) => {
    const { made, connect } = await serving(t)
    await scan(made, 'one', 'picked_up')
    for (const version of protocolVersions) {
      const client = await connect(version)
      t.same(client.getServerCapabilities()?.resources, { subscribe: version === modern, listChanged: false }, version)
      const { resources } = await client.listResources()
      t.ok(resources.some(({ uri }) => uri === 'otep://codebook/parcel'))
      t.notOk(
        resources.some(({ uri }) => uri.startsWith('otep://how-to/')),
        'the pages are for integrators',
      )
      const { resourceTemplates } = await client.listResourceTemplates()
      t.same(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        [
          'otep://tracking/{tracking_number}',
          'otep://tracking/{tracking_number}/{format}',
          'otep://codebook/{profile}',
        ],
      )
      const read = async (uri: string) => JSON.parse(textOf(await client.readResource({ uri })))
      const told = await client.callTool({ name: 'otep_tracking', arguments: { tracking_number: 'P-1' } })
      t.same(await read('otep://tracking/P-1'), told.structuredContent)
      const given = { tracking_number: 'P-1', format: 'aftership' }
      const inFormat: { data?: unknown } =
        (await client.callTool({ name: 'otep_tracking', arguments: given })).structuredContent ?? {}
      t.same(await read('otep://tracking/P%2D1/aftership'), inFormat.data, 'in another format, without the envelope')
      t.match(await read('otep://codebook/storage'), { profiles: [{ name: 'storage' }] })
      t.match(await read('otep://formats'), { data: [{ format: 'otep' }] })
      for (const uri of [
        'otep://tracking/NO-1',
        'otep://tracking/',
        'otep://tracking/%',
        'otep://nothing',
        'http://localhost/',
      ])
        await t.rejects(client.readResource({ uri }), { code: -32_602, data: { uri } }, `${version} ${uri}`)
      await t.rejects(client.readResource({ uri: 'otep://tracking/P-1/nothing' }), { message: /unknown_format/ })
      await t.rejects(client.listResources({ cursor: 'x' }), { code: -32_602 })
    }
  },
)

t.test(
  'given the developer server, when its resources are read, then it has the pages and the schema, too',
  async (t) => {
    const { connect } = await serving(t)
    const client = await connect(modern, { path: '/mcp/developer' })
    const { resources } = await client.listResources()
    t.ok(resources.length > 25)
    for (const { uri } of resources) t.ok(textOf(await client.readResource({ uri })).length > 100, uri)
    t.match(textOf(await client.readResource({ uri: 'otep://how-to/push-events' })), /^# Push events/)
    await t.rejects(client.readResource({ uri: 'otep://how-to/..%2F..%2Fpackage' }), { code: -32_602 })
  },
)

t.test(
  'given a reduced public view, when a timeline is read, then it tells as much as the tool does to the caller',
  async (t) => {
    const { made, connect } = await serving(t, { publicView: 'reduced' })
    await scan(made, 'one', 'picked_up', { order_id: 5 })
    const client = await connect(modern)
    const { data } = JSON.parse(textOf(await client.readResource({ uri: 'otep://tracking/P-1' })))
    t.same(data.subject, { tracking_number: 'P-1' })
    await t.rejects(
      client.readResource({ uri: 'otep://tracking/5' }),
      { code: -32_602 },
      'and ids that can be counted find nothing',
    )
  },
)

t.test(
  'given a template, when its variables are completed, then formats, profiles and pages are, and tracking numbers are not',
  async (t) => {
    const { made, connect } = await serving(t)
    await scan(made, 'one', 'picked_up')
    const client = await connect(modern, { path: '/mcp/developer' })
    const values = async (uri: string, name: string, value: string) => {
      const { completion } = await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })
      return completion.values
    }
    t.same(await values('otep://codebook/{profile}', 'profile', 'P'), ['parcel'])
    t.same(await values('otep://how-to/{page}', 'page', 'push'), ['push-events'])
    t.ok((await values('otep://tracking/{tracking_number}/{format}', 'format', '')).includes('epcis'))
    t.same(await values('otep://tracking/{tracking_number}', 'tracking_number', 'P'), [])
    await t.rejects(values('otep://tracking/{tracking_number}', 'number', 'P'), { message: /unknown_argument/ })
    await t.rejects(values('otep://nothing/{x}', 'x', ''), { message: /unknown_resource/ })
  },
)

/** Listens to resources, and notes which were updated. */
async function listening(client: Client, uris: readonly string[]) {
  const updated: string[] = []
  const waiting: (() => void)[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri)
    for (const wake of waiting.splice(0)) wake()
  })
  const stream = await client.listen({ resourceSubscriptions: [...uris] })
  const next = async () => {
    if (updated.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    return updated.shift()
  }
  return { stream, next, updated }
}

t.test(
  'given a client that listens to a timeline, when events are recorded, then it is told, and reads what is new',
  async (t) => {
    const { made, connect } = await serving(t)
    await scan(made, 'one', 'picked_up')
    const client = await connect(modern)
    const uris = ['otep://tracking/P-1', 'otep://tracking/P-1/epcis', 'otep://tracking/NO-1', 'otep://codebook/parcel']
    const { stream, next } = await listening(client, uris)
    t.same(
      stream.honoredFilter,
      { resourceSubscriptions: uris.slice(0, 2) },
      'only of what it may see, and what changes',
    )
    await scan(made, 'two', 'in_transit')
    t.same([await next(), await next()].toSorted(), uris.slice(0, 2))
    const { data } = JSON.parse(textOf(await client.readResource({ uri: 'otep://tracking/P-1' })))
    t.equal(data.events.length, 2)
    await stream.close()
  },
)

t.test('given nothing that changes, when a client listens, then the stream ends at once', async (t) => {
  const { connect } = await serving(t)
  const client = await connect(modern)
  const stream = await client.listen({ resourceSubscriptions: ['otep://tracking/NO-1'] })
  t.same(stream.honoredFilter, {})
  t.equal(await stream.closed, 'graceful')
})

t.test('given a session that ends, when the timeline changes, then its stream ends and tells nothing', async (t) => {
  const { made, connect } = await serving(t)
  await scan(made, 'one', 'picked_up')
  const token = made.tokens.client_admin
  const client = await connect(modern, { headers: { Authorization: `Bearer ${token}` } })
  const { stream, updated } = await listening(client, ['otep://tracking/P-1'])
  t.equal((await made.send('POST', '/api/v1/user/logout', { token })).status, 200)
  await scan(made, 'two', 'in_transit')
  await stream.closed
  t.same(updated, [])
})

t.test(
  'given a program that acts for a person, when the timeline changes, then it is told, until its grant ends',
  async (t) => {
    const { made, connect } = await servingOf(t, await programs())
    await scan(made, 'one', 'picked_up')
    const person = await made.signIn('client_admin')
    const { tokens } = await made.connect(person)
    const client = await connect(modern, { headers: { Authorization: `Bearer ${tokens.access_token}` } })
    const { stream, next, updated } = await listening(client, ['otep://tracking/P-1'])
    await scan(made, 'two', 'in_transit')
    t.equal(await Promise.race([next(), stream.closed]), 'otep://tracking/P-1')
    t.equal((await made.send('DELETE', '/api/v1/grants/1', { token: person.token })).status, 200)
    await scan(made, 'three', 'in_transit')
    await stream.closed
    t.same(updated, [])
  },
)

t.test('given a server that stops, when clients listen, then their streams end', async (t) => {
  const closing = new AbortController()
  const { made, connect } = await serving(t, { closing: closing.signal })
  await scan(made, 'one', 'picked_up')
  const { stream } = await listening(await connect(modern), ['otep://tracking/P-1'])
  closing.abort()
  t.equal(await stream.closed, 'graceful')
})

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { browse, skip } from '../adapters/pages/browser.test.fixture.ts'
import { type Line, serve } from '../adapters/telemetry/server.test.fixture.ts'
import { signInAndAllow } from './connections.test.fixture.ts'
import { startBalancer } from './nodes/balancer.ts'
import { sharedStores } from './nodes/shared.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

/** The program of somebody: it listens on the person's own machine, and remembers every secret that it has had. */
async function desk(t: Test) {
  const answers: URLSearchParams[] = []
  const waiting: ((answer: URLSearchParams) => void)[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    response.setHeader('Content-Type', 'text/html').end('<title>Desk</title><h1>Go back to the program</h1>')
    if (!request.url?.startsWith('/callback')) return
    const next = waiting.shift()
    if (next === undefined) answers.push(searchParams)
    else next(searchParams)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const secrets = new Set<string>()
  const kept = new Map<string, unknown>()
  const state = randomBytes(8).toString('hex')
  let address: URL | undefined
  const keep = (name: string) => (value: unknown) => void kept.set(name, value)
  const get = (name: string) => () => kept.get(name) as never
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Desk', redirect_uris: [redirectUrl] },
    state: () => state,
    clientInformation: get('client'),
    saveClientInformation: keep('client'),
    tokens: get('tokens'),
    saveTokens: (tokens) => {
      for (const secret of [tokens.access_token, tokens.refresh_token ?? '']) secrets.add(secret)
      kept.set('tokens', tokens)
    },
    redirectToAuthorization: (url) => {
      address = url
    },
    codeVerifier: get('verifier'),
    saveCodeVerifier: (verifier) => {
      secrets.add(verifier)
      kept.set('verifier', verifier)
    },
    discoveryState: get('discovery'),
    saveDiscoveryState: keep('discovery'),
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'tokens') kept.delete('tokens')
      if (what === 'all' || what === 'client') kept.delete('client')
    },
  }
  const answered = () =>
    new Promise<URLSearchParams>((resolve) => {
      const answer = answers.shift()
      if (answer === undefined) waiting.push(resolve)
      else resolve(answer)
    })
  return { provider, kept, secrets, state, answered, address: () => String(address) }
}

/** Two nodes of one store behind a balancer that takes turns, with an account, and what the nodes log. */
async function nodes(t: Test, makeStore: (typeof sharedStores)[keyof typeof sharedStores]) {
  const store = await makeStore(t.testdir({}))
  const ports: number[] = []
  const balancer = await startBalancer(() => ports)
  t.teardown(async () => {
    await balancer.close()
    await store.close()
  })
  const options = ['--store', store.address, '--data-dir', store.dataDirOf('one')]
  const person = ['account', 'add', 'ann@one.example', '--role', 'client_admin', '--json']
  const made = await otep([
    ...person,
    '--new-business',
    'One',
    '--time-zone',
    'Europe/Paris',
    '--currency',
    'EUR',
    ...options,
  ])
  const { account_id, password: first } = JSON.parse(made) as { account_id: number; password: string }
  const url = `http://127.0.0.1:${balancer.port}`
  const lines: (readonly Line[])[] = []
  for (const node of ['one', 'two']) {
    const env = { OTEP_DATA_DIR: store.dataDirOf(node), OTEP_STORE: store.address, OTEP_BASE_URL: url }
    const serving = await serve(t, program, { ...env, OTEP_LOG_LEVEL: 'trace' })
    ports.push(Number(new URL(serving.url).port))
    lines.push(serving.lines)
  }
  return { url, account_id, password: first, log: () => JSON.stringify(lines), failures: balancer.failures }
}

for (const [name, makeStore] of Object.entries(sharedStores))
  await t.test(
    `given two nodes on ${name}, when the official client has nothing but the address, then it signs in, calls, refreshes and is refused after the end`,
    { skip },
    async (t) => {
      const world = await nodes(t, makeStore)
      const { provider, kept, secrets, state, answered, address } = await desk(t)
      const { page, wrong } = await browse(t)
      const at = new URL(`${world.url}/mcp?auth=required`)
      const connect = async () => {
        const client = new Client({ name: 'desk', version: '1' })
        const transport = new StreamableHTTPClientTransport(at, { authProvider: provider })
        t.teardown(() => client.close())
        return { transport, client, connected: client.connect(transport) }
      }
      const first = await connect()
      await t.rejects(first.connected, UnauthorizedError)
      t.match(address(), `${world.url}/oauth/authorize?`)
      await signInAndAllow(page, address(), world.password, 'Orders: Change')
      await page.getByRole('heading', { name: 'Go back to the program' }).waitFor()
      const answer = await answered()
      t.equal(answer.get('state'), state)
      t.equal(answer.get('iss'), world.url)
      secrets.add(answer.get('code') ?? '')
      await first.transport.finishAuth(answer)

      const { client, connected } = await connect()
      await connected
      const call = () => client.callTool({ name: 'get_orders', arguments: {} })
      t.match(await call(), { structuredContent: { result: true } })
      const { tools } = await client.listTools()
      const names = tools.map((tool) => tool.name)
      t.ok(names.includes('get_orders'))
      t.notOk(names.includes('create_order'), 'the person took this away')

      const before = kept.get('tokens') as { access_token: string; refresh_token: string }
      kept.set('tokens', { ...before, access_token: `ota_1_${'0'.repeat(72)}` })
      t.match(await call(), { structuredContent: { result: true } }, 'a refused access token is replaced by the client')
      const after = kept.get('tokens') as typeof before
      t.not(after.refresh_token, before.refresh_token)

      await page.goto(`${world.url}/mcp-connections`)
      await page.getByRole('button', { name: 'Disconnect: Desk' }).click()
      await page.getByText('the program can do nothing more in that name').waitFor()
      const asked = address()
      await t.rejects(call(), 'every node refuses it')
      await t.rejects(call())
      t.not(address(), asked, 'and the client asks the person again')
      t.equal(kept.get('tokens'), undefined)

      t.same(wrong, [])
      t.same(world.failures, [])
      const log = world.log()
      t.match(log, 'grant_made')
      for (const secret of secrets) t.notOk(log.includes(secret), 'no log has a code, a verifier or a token')
      t.notMatch(log, /\bot[acr]_\d+_[0-9a-f]{8}/)
      t.ok(secrets.size >= 6)
    },
  )

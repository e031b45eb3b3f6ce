import { randomBytes } from 'node:crypto'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import t from 'tap'
import { browse, skip } from '../adapters/pages/browser.test.fixture.ts'
import { desk, nodes, signInAndAllow } from './connections.test.fixture.ts'
import { storesOfRun } from './nodes/shared.ts'

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

for (const [name, makeStore] of storesOfRun)
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

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { desk, nodes } from './connections.test.fixture.ts'
import { storesOfRun } from './nodes/shared.ts'

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

/** An authorization server of somebody else, where Ann has signed in before and allows everything. */
async function authorizationServer(t: Test) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const codes = new Map<string, URLSearchParams>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    if (pathname === '/authorize') {
      const code = randomUUID()
      codes.set(code, searchParams)
      const answer = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer })
      return void response.writeHead(302, { Location: `${searchParams.get('redirect_uri')}?${answer}` }).end()
    }
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/oauth-authorization-server': metadata,
      '/keys': () => ({ keys: [key] }),
      '/register': async () => ({ ...JSON.parse(await text(request)), client_id: 'desk' }),
      '/token': () => token(request),
    }
    const answer = await answers[pathname]?.()
    response.writeHead(answer === undefined ? 404 : pathname === '/register' ? 201 : 200, {
      'Content-Type': 'application/json',
    })
    response.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const metadata = () => ({
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ registration_endpoint: `${issuer}/register`, jwks_uri: `${issuer}/keys` },
    ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
    ...{ token_endpoint_auth_methods_supported: ['none'], authorization_response_iss_parameter_supported: true },
  })

  async function token(request: IncomingMessage) {
    const form = new URLSearchParams(await text(request))
    const asked = codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (asked?.get('code_challenge') !== challenge) return undefined
    const identity = { email: 'ann@one.example', email_verified: true, client_id: 'desk' }
    const access_token = await new SignJWT({ ...identity, scope: 'orders:read' })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setSubject('ann')
      .setAudience(asked.get('resource') ?? '')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    return { access_token, token_type: 'Bearer', expires_in: 300, scope: 'orders:read' }
  }
  return issuer
}

for (const [name, makeStore] of storesOfRun)
  t.test(
    `given two nodes on ${name} with an outside issuer, when the official client has nothing but the address, then it signs in there and calls, until the account is disabled`,
    async (t) => {
      const issuer = await authorizationServer(t)
      const settings = { OTEP_OAUTH_ISSUER: issuer, OTEP_OAUTH_EMAIL_DOMAINS: 'one.example' }
      const world = await nodes(t, makeStore, settings)
      const { provider, secrets, answered, address } = await desk(t)
      const at = new URL(`${world.url}/mcp?auth=required`)
      const connect = () => {
        const client = new Client({ name: 'desk', version: '1' })
        const transport = new StreamableHTTPClientTransport(at, { authProvider: provider })
        t.teardown(() => client.close())
        return { transport, client, connected: client.connect(transport) }
      }
      const first = connect()
      await t.rejects(first.connected, UnauthorizedError)
      t.match(address(), `${issuer}/authorize?`)
      await fetch(address())
      await first.transport.finishAuth(await answered())

      const { client, connected } = connect()
      await connected
      const call = () => client.callTool({ name: 'get_orders', arguments: {} })
      for (let node = 0; node < 2; node++) t.match(await call(), { structuredContent: { result: true } })
      const { tools } = await client.listTools()
      const names = tools.map((tool) => tool.name)
      t.ok(names.includes('get_orders'))
      t.notOk(names.includes('create_order'), 'the token has no scope for it')
      await world.disable()
      for (let node = 0; node < 2; node++) await t.rejects(call(), 'every node refuses it at once')
      t.same(world.failures, [])
      const log = world.log()
      for (const secret of secrets) t.ok(secret === '' || !log.includes(secret), 'no log has a verifier or a token')
    },
  )

import t, { type Test } from 'tap'
import { call, linkIdentity } from '../../../engine/index.ts'
import { createApp } from '../../main.ts'
import { issuerFrom } from '../../node/issuer.ts'
import { programs } from '../../oauth/program.test.fixture.ts'
import { type Issuer, startIssuer } from '../issuer.test.fixture.ts'
import { operator, type Received, type World, world } from '../world.test.fixture.ts'

const resource = 'http://localhost:3000/mcp'

/** A server whose agents get their tokens from an issuer, which is trusted with the addresses of the first business. */
async function trusting(t: Test) {
  const idp = await startIssuer()
  t.teardown(idp.close)
  const made = await world({ outsideIssuer: { issuer: idp.issuer, emailDomains: ['one.example'] } })
  const claims = (more: object = {}) => {
    const iat = Math.floor(made.clock.now / 1000)
    const identity = { sub: 's-1', email: 'client_employee@one.example', email_verified: true }
    return { iss: idp.issuer, aud: resource, iat, exp: iat + 300, scope: 'orders:read', ...identity, ...more }
  }
  const signed = (more?: object, header?: object) => idp.sign(claims(more), { typ: 'at+jwt', ...header })
  const tool = (token: string, name = 'get_orders', path = '/mcp') => toolOf(made, token, name, path)
  const link = (account_id: number, subject: string) =>
    call(linkIdentity, operator(made), { account_id, issuer: idp.issuer, subject })
  return { ...made, idp, claims, signed, tool, link }
}

function toolOf({ send }: Pick<World, 'send'>, token: string, name: string, path: string): Promise<Received> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
  return send('POST', path, { token, headers: { Accept: 'application/json, text/event-stream' }, body })
}

t.test(
  'given an outside issuer, when a program looks for it, then it is named, and this server gives out no tokens',
  async (t) => {
    const { send, idp } = await trusting(t)
    for (const path of ['', '/mcp', '/mcp/developer']) {
      const { body } = await send('GET', `/.well-known/oauth-protected-resource${path}`)
      t.strictSame(body.authorization_servers, [idp.issuer])
    }
    for (const [method, path] of [
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/oauth/authorize?response_type=code'],
      ['POST', '/oauth/register'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/revoke'],
    ] as const)
      t.equal((await send(method, path)).status, 404, path)
  },
)

t.test(
  'given a verified address in a trusted domain, when its token calls, then it has what both the token and the account have',
  async (t) => {
    const { tool, signed, tokens, send } = await trusting(t)
    const wide = { scope: 'orders:read approvals:write accounts:write webhooks:write nothing:read' }
    for (const more of [
      {},
      { scope: 'support' },
      { scope: undefined, scp: ['orders:read'] },
      { aud: [resource, 'x'] },
      wide,
    ])
      t.match(await tool(await signed(more)), {
        status: 200,
        body: { result: { structuredContent: { result: true } } },
      })
    const refused = await tool(await signed(), 'get_routes')
    t.equal(refused.status, 403)
    t.match(refused.headers.get('www-authenticate'), 'error="insufficient_scope"')
    for (const none of [{ scope: undefined }, { scope: 7 }, { scope: 'approvals:write' }])
      t.equal((await tool(await signed(none))).status, 403, 'a token without a scope of ours can do nothing')
    const decide = await tool(await signed({ scope: 'full' }), 'approve_pending_write')
    t.equal(decide.status, 403, 'a program cannot decide in place of a person')
    t.equal(
      (await send('GET', '/api/v1/user', { token: tokens.client_employee })).status,
      200,
      'people sign in as ever',
    )
  },
)

t.test('given a token that is not for this, or of nobody here, when it calls, then it is refused', async (t) => {
  const { tool, signed, idp, claims, send } = await trusting(t)
  const now = claims().iat
  const wrong: Readonly<Record<string, object>> = {
    'another resource': { aud: 'http://localhost:3000/mcp/developer' },
    'the server as such': { aud: 'http://localhost:3000' },
    'no audience': { aud: undefined },
    'another issuer': { iss: 'https://other.example' },
    expired: { exp: now - 31 },
    'no end': { exp: undefined },
    'issued two days ago': { iat: now - 172_800 },
    'no time of issue': { iat: undefined },
    'not yet valid': { nbf: now + 31 },
    'no subject': { sub: undefined },
    'an ID token': { nonce: 'n' },
    'an address that is not verified': { email_verified: false },
    'another domain': { email: 'client_employee@two.example' },
    'a domain that ends the same': { email: 'client_employee@not-one.example' },
    'two domains': { email: 'client_employee@two.example@one.example' },
    'an address without an account': { email: 'nobody@one.example' },
    'no address': { email: undefined },
  }
  for (const [words, more] of Object.entries(wrong)) t.equal((await tool(await signed(more))).status, 401, words)
  t.equal((await tool(await signed({}, { typ: 'logout+jwt' }))).status, 401, 'a token of another type')
  const [header, , signature] = (await signed()).split('.')
  const other = Buffer.from(JSON.stringify(claims({ sub: 's-2' }))).toString('base64url')
  t.equal((await tool(`${header}.${other}.${signature}`)).status, 401, 'other claims')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  t.equal((await tool(`${none}.${other}.AA`)).status, 401, 'no signature')
  const refused = await tool(await signed({ exp: now - 31 }))
  t.match(refused.headers.get('www-authenticate'), 'error="invalid_token"')
  const { status } = await send('GET', '/api/v1/orders', { token: await signed() })
  t.equal(status, 401, 'the token of a program is for the address of agents alone')
  t.match(await tool(await signed()), { status: 200 })
  t.equal(idp.asked.discovery, 1)
})

t.test('given a linked account, when its subject calls, then it acts for it, whatever the address', async (t) => {
  const { tool, signed, link, ids, other } = await trusting(t)
  const unknown = { sub: 'dee', email: undefined }
  t.equal((await tool(await signed(unknown))).status, 401)
  await link(other.ids.client_admin, 'dee')
  t.equal((await tool(await signed(unknown))).status, 200)
  await link(other.ids.client_admin, 'dee-2')
  t.equal((await tool(await signed(unknown))).status, 401, 'an account has one identity at an issuer')
  t.equal((await tool(await signed({ ...unknown, sub: 'dee-2' }))).status, 200)
  await link(ids.customer, 'dee-2')
  t.equal((await tool(await signed({ ...unknown, sub: 'dee-2' }), 'get_routes')).status, 403, 'now of the customer')
  await link(ids.client_employee, 'right')
  t.equal((await tool(await signed())).status, 401, 'somebody else who has the address of a linked account')
  await t.rejects(link(999, 'x'), { code: 'account_not_found' })
})

t.test('given a disabled account, when a token of it calls, then it is refused at once', async (t) => {
  const { tool, signed, send, tokens, ids } = await trusting(t)
  t.equal((await tool(await signed())).status, 200)
  const body = { is_active: false }
  const path = `/api/v1/accounts/${ids.client_employee}/status`
  t.equal((await send('PUT', path, { token: tokens.client_admin, body })).status, 200)
  t.equal((await tool(await signed())).status, 401)
})

t.test('given an employee with a staff role, when a token of it calls, then the role narrows it, too', async (t) => {
  const { tool, signed, send, tokens, ids } = await trusting(t)
  const token = tokens.client_admin
  const narrowed = async (terms: object) => {
    const { body } = await send('POST', '/api/v1/staff-roles', {
      token,
      body: { name: JSON.stringify(terms), ...terms },
    })
    await send('PATCH', `/api/v1/accounts/${ids.client_employee}`, {
      token,
      body: { staff_role_id: body.staff_role_id },
    })
  }
  const statuses = async (...names: readonly string[]) => {
    const given = await signed({ scope: 'orders:read routes:read' })
    return Promise.all(names.map(async (name) => (await tool(given, name)).status))
  }
  t.strictSame(await statuses('get_orders', 'get_routes'), [200, 200])
  await narrowed({ scopes: ['routes:read'] })
  t.strictSame(await statuses('get_orders', 'get_routes'), [403, 200])
})

t.test(
  'given an issuer that changes its key or fails, when tokens come, then it is asked no more than needed',
  async (t) => {
    const { tool, signed, idp, clock } = await trusting(t)
    idp.misbehave('down')
    t.equal((await tool(await signed())).status, 503, 'the token is neither right nor wrong')
    const failed = total(idp)
    for (let one = 0; one < 10; one++) t.equal((await tool(await signed())).status, 503)
    t.equal(total(idp), failed, 'a failure is remembered for a moment')
    idp.misbehave(undefined)
    clock.now += 6_000
    t.equal((await tool(await signed())).status, 200)
    const asked = total(idp)
    for (let one = 0; one < 10; one++) t.equal((await tool(await signed({}, { kid: `made-up-${one}` }))).status, 401)
    t.equal(total(idp), asked, 'made-up key ids cause no requests while the keys are new')
  },
)

t.test('given tokens that this server gave out, when an outside issuer is set, then they count no more', async (t) => {
  const { connect, signIn, tool, parts, store, clock } = await programs()
  const { tokens } = await connect(await signIn('client_admin'))
  t.equal((await tool(tokens.access_token)).status, 200)
  const outsideIssuer = { issuer: 'https://idp.example', emailDomains: [] }
  const app = createApp({ store, parts, clock: () => clock.now, outsideIssuer })
  const headers = { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_orders', arguments: {} },
  })
  t.equal((await app.request('/mcp', { method: 'POST', headers, body })).status, 401)
})

t.test('the settings of an outside issuer are read, and what cannot be is refused by name', async (t) => {
  t.equal(issuerFrom({}), undefined)
  t.strictSame(issuerFrom({ OTEP_OAUTH_ISSUER: 'http://localhost:8080/a' })?.emailDomains, [])
  for (const OTEP_OAUTH_ISSUER of [
    'idp.example',
    'http://idp.example',
    'https://u:p@idp.example',
    'https://a.example/?b',
    'http://localhost.a.example',
  ])
    t.throws(() => issuerFrom({ OTEP_OAUTH_ISSUER }), /OTEP_OAUTH_ISSUER must be/, OTEP_OAUTH_ISSUER)
  const OTEP_OAUTH_ISSUER = 'https://idp.example'
  for (const OTEP_OAUTH_EMAIL_DOMAINS of ['example', '@one.example', '*.example', 'one.example;two.example'])
    t.throws(() => issuerFrom({ OTEP_OAUTH_ISSUER, OTEP_OAUTH_EMAIL_DOMAINS }), /OTEP_OAUTH_EMAIL_DOMAINS must/)
  t.throws(() => issuerFrom({ OTEP_OAUTH_EMAIL_DOMAINS: 'one.example' }), /needs OTEP_OAUTH_ISSUER/)
})

function total({ asked }: Issuer): number {
  return asked.discovery + asked.keys
}

t.test('given hostile claims and headers that are signed, when they call, then each is refused as such', async (t) => {
  const { tool, signed, idp, claims } = await trusting(t)
  const texts: readonly unknown[] = [7, [], ['s-1'], {}, { toString: 1 }, null, true, 'x'.repeat(256)]
  const hostile: readonly (readonly [claims: object, header?: object])[] = [
    ...texts.map((sub) => [{ sub }] as const),
    ...[7, [], {}, null].map((typ) => [{}, { typ }] as const),
    ...['9999999999', {}, [], -1e308].map((exp) => [{ exp }] as const),
    ...['1', {}, -1e308, 1e308].map((iat) => [{ iat }] as const),
    ...[{}, [], ['rsa-1'], '__proto__', 'x'.repeat(6_000)].map((kid) => [{}, { kid }] as const),
    ...[`${idp.issuer}/`, idp.issuer.toUpperCase(), [idp.issuer], {}].map((iss) => [{ iss }] as const),
    ...[{}, [[resource]], `${resource}/`, resource.toUpperCase()].map((aud) => [{ aud }] as const),
    ...texts.map((email) => [{ email }] as const),
    [{ email_verified: {} }],
  ]
  for (const [more, header] of hostile)
    t.equal((await tool(await signed(more, header))).status, 401, JSON.stringify([more, header]).slice(0, 60))
  for (const more of [{ sid: { toString: 1 } }, { client_id: [] }, { azp: 7 }, { scope: { toString: 1 }, scp: 7 }])
    t.notSame((await tool(await signed(more))).status, 500, JSON.stringify(more))
  const parts = (header: object) =>
    [header, claims()].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  for (const alg of ['none', 'None', 'HS256', '', 7, null, {}])
    t.equal(
      (await tool(`${parts({ alg, typ: 'at+jwt', kid: 'rsa-1' }).join('.')}.`)).status,
      401,
      `alg ${JSON.stringify(alg)}`,
    )
})

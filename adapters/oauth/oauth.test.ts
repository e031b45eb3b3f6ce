import t from 'tap'
import { call, forgetAccount, keyScopes, type SecurityEntry, sha256 } from '../../engine/index.ts'
import { operator, passwordOf } from '../auth/world.test.fixture.ts'
import { createLimits } from '../limits/index.ts'
import { createApp } from '../main.ts'
import { limitsFrom } from '../node/limits.ts'
import { home, programs, proof, redirectUri, resource } from './program.test.fixture.ts'

const hour = 3_600_000
const code_challenge = proof().challenge

t.test(
  'given the address of a server, when a program reads its metadata, then it finds all that it needs',
  async (t) => {
    const { send } = await programs()
    const { body: found } = await send('GET', '/.well-known/oauth-protected-resource/mcp')
    t.match(found, { resource, authorization_servers: ['http://localhost:3000'] })
    t.notOk(found.scopes_supported.includes('approvals:write'), 'a program cannot decide in place of a person')
    const { body: server } = await send('GET', '/.well-known/oauth-authorization-server')
    t.match(server, {
      issuer: 'http://localhost:3000',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    t.strictSame(server.scopes_supported.slice(0, keyScopes.length), keyScopes, 'the scopes are ours')
    t.ok(server.scopes_supported.includes('ops-readonly'), 'and so are their bundles')
  },
)

t.test('given a program, when a person allows it, then it acts as the account within what was allowed', async (t) => {
  const { connect, tool, signIn, send, ids } = await programs()
  const person = await signIn('client_employee')
  const { tokens } = await connect(person, { scope: 'orders:read orders:write approvals:write nothing:read' })
  t.match(tokens, { token_type: 'Bearer', expires_in: 3600, scope: 'orders:read orders:write' })
  t.match(await tool(tokens.access_token), { status: 200, body: { result: { structuredContent: { result: true } } } })
  const refused = await tool(tokens.access_token, 'get_routes')
  t.equal(refused.status, 403)
  t.match(
    refused.headers.get('www-authenticate'),
    'error="insufficient_scope", scope="orders:read orders:write routes:read"',
    'a program asks again for what it has and what it needs',
  )
  const { body } = await send('GET', '/api/v1/grants', { token: person.token })
  t.match(body, {
    total: 1,
    grants: [{ grant_id: 1, account_id: ids.client_employee, client_name: 'Desk', state: 'valid' }],
  })
  t.notMatch(JSON.stringify(body), /ot[acr]_/)
})

t.test('given a program that asks for no scope or for a bundle, then it gets what the bundle has', async (t) => {
  const { connect, signIn } = await programs()
  const person = await signIn('client_admin')
  const reads = /^(orders|labels|routes|drivers|analytics|address|approvals):read$/
  const usual = await connect(person)
  t.ok(usual.tokens.scope?.split(' ').every((scope) => reads.test(scope)))
  const wide = await connect(person, { scope: 'full' })
  t.notMatch(wide.tokens.scope, /account:self|accounts:write|approvals:write/)
  t.match(wide.tokens.scope, /webhooks:write/)
})

t.test(
  'given a person who takes something away, or allows what was not asked, then only what both want is given',
  async (t) => {
    const { allow, register, token, signIn, queryOf } = await programs()
    const { client_id } = (await register()).body
    const { verifier, challenge } = proof()
    const asked = { client_id, code_challenge: challenge, scope: 'orders:read orders:write' }
    const given = await allow(await signIn('client_admin'), asked, ['orders:read', 'webhooks:write'])
    const code = queryOf(given).get('code') ?? ''
    const { body } = await token({ grant_type: 'authorization_code', client_id, code, code_verifier: verifier })
    t.equal(body.scope, 'orders:read')
    const nothing = await allow(await signIn('client_admin'), asked, [])
    t.match(nothing, { status: 422, html: /at least one/ })
  },
)

t.test('given an answer, then it has the state and the issuer, whether the person allows or refuses', async (t) => {
  const { ask, allow, post, register, signIn, queryOf } = await programs()
  const person = await signIn('client_admin')
  const { client_id } = (await register()).body
  const asked = { client_id, code_challenge, state: 'a b&c' }
  const allowed = await allow(person, asked)
  t.equal(allowed.status, 303)
  t.match(Object.fromEntries(queryOf(allowed)), { code: /^otc_/, state: 'a b&c', iss: 'http://localhost:3000' })
  const path = (await ask(asked)).headers.get('location')
  const refused = await post(`${path}/refuse`, { form: person.form }, person.cookie)
  t.strictSame(Object.fromEntries(queryOf(refused)), {
    error: 'access_denied',
    state: 'a b&c',
    iss: 'http://localhost:3000',
  })
})

t.test('given a request with a fault, then the program is told, but only at an address of its own', async (t) => {
  const { ask, register, queryOf, get } = await programs()
  const { client_id } = (await register()).body
  const right = { client_id, code_challenge, state: 's' }
  for (const [fault, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    [{ resource: 'http://localhost:3000' }, 'invalid_target'],
    [{ scope: 'approvals:write' }, 'invalid_scope'],
    [{ state: 's'.repeat(1_001) }, 'invalid_request'],
  ] as const) {
    const answer = await ask({ ...right, ...fault })
    t.match(
      Object.fromEntries(queryOf(answer)),
      { error, iss: 'http://localhost:3000' },
      JSON.stringify(fault).slice(0, 60),
    )
  }
  const twice = `/oauth/authorize?${new URLSearchParams({ ...right, redirect_uri: redirectUri })}&scope=a&scope=b`
  t.equal(queryOf(await get(twice)).get('error'), 'invalid_request', 'a parameter that comes twice')
  for (const fault of [
    { client_id: 'nobody' },
    { client_id: `${client_id}x` },
    { client_id: client_id.replace('.', '.x') },
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: `${redirectUri}/more` },
    { redirect_uri: `${redirectUri}?more` },
    { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
    { redirect_uri: 'http://localhost:33418/callback' },
    { redirect_uri: '' },
  ])
    t.match(
      await ask({ ...right, ...fault }),
      { status: 400, html: /not known here/ },
      JSON.stringify(fault).slice(0, 60),
    )
  const moved = await ask({ ...right, redirect_uri: redirectUri.replace('33418', '50000') })
  t.equal(moved.status, 303, 'the port of a native program is free (RFC 8252, 7.3)')
})

t.test(
  'given a program with an address on the web, when its request has a fault, then nobody is sent there unasked',
  async (t) => {
    const { ask, register } = await programs()
    const redirect_uri = 'https://evil.example/sign-in'
    const { client_id } = (await register({ redirect_uris: [redirect_uri] })).body
    const asked = { client_id, redirect_uri, code_challenge }
    t.match((await ask(asked)).headers.get('location'), /^\/mcp-connections\/consent\//)
    const answer = await ask({ ...asked, scope: 'nothing:read' })
    t.equal(answer.headers.get('location'), null)
    t.match(answer, { status: 400, html: /has a fault[\s\S]*invalid_scope/ })
  },
)

t.test('given a program that registers, then addresses that others could read are refused', async (t) => {
  const { register, ask, clock } = await programs()
  for (const uri of [
    'http://shop.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://shop.example/callback#part',
    'https://user@shop.example/callback',
    'https://shop.example\\@evil.example/',
    'https:shop.example/callback',
    'https://shop.example;sandbox/callback',
    'https://*.example/callback',
    `https://${'a'.repeat(300)}.example/callback`,
    `com.${'a'.repeat(300)}:/callback`,
    'nonsense',
  ]) {
    const { status, body } = await register({ redirect_uris: [uri] })
    t.match({ status, body }, { status: 400, body: { error: 'invalid_redirect_uri' } }, uri)
  }
  for (const wrong of [{}, { redirect_uris: [] }, { redirect_uris: 'x' }, [], 'text', { redirect_uris: [1] }])
    t.match(await register(wrong as object), { status: 400, body: { error: 'invalid_client_metadata' } })
  for (const [uri, client_name] of [
    ['https://shop.example/cb?x=1', 'shop.example'],
    ['http://[::1]:1/cb', '[::1]:1'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['cursor://a.b/cb', 'cursor:'],
  ] as const)
    t.match(await register({ redirect_uris: [uri] }), { status: 201, body: { client_name } }, uri)
  const { status, body } = await register({
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_post',
  })
  t.match({ status, body }, { status: 201, body: { token_endpoint_auth_method: 'none' } })
  t.notOk(Object.hasOwn(body, 'client_secret'))
  clock.now += 31 * 24 * hour
  t.equal((await ask({ client_id: body.client_id, code_challenge })).status, 400, 'nobody has used it for a month')
})

t.test('given a registration that somebody used, when a month has passed, then it is still known', async (t) => {
  const { connect, refresh, ask, signIn, clock } = await programs()
  const program = await connect(await signIn('client_admin'))
  clock.now += 20 * 24 * hour
  t.equal((await refresh(program, program.tokens.refresh_token)).status, 200)
  clock.now += 15 * 24 * hour
  t.equal((await ask({ client_id: program.client_id, code_challenge })).status, 303)
})

t.test(
  'given a code, when somebody else, or the same program once more, comes with it, then it is refused',
  async (t) => {
    const made = await programs()
    const { allow, register, token, tool, signIn, clock, queryOf } = made
    const person = await signIn('client_admin')
    const [{ client_id }, other] = [(await register()).body, (await register()).body]
    const { verifier: code_verifier, challenge } = proof()
    const asked = { client_id, code_challenge: challenge }
    const codeOf = async () => queryOf(await allow(person, asked)).get('code') ?? ''
    const right = { grant_type: 'authorization_code', client_id, code_verifier, redirect_uri: redirectUri, resource }
    const code = await codeOf()
    clock.now += 1_000
    const registeredLater = (await register()).body.client_id
    for (const [fault, error] of [
      [{ client_id: registeredLater }, 'invalid_grant'],
      [{ code_verifier: proof().verifier }, 'invalid_grant'],
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_grant'],
      [{ resource: `${resource}/developer` }, 'invalid_target'],
      [{ code: code.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }, 'invalid_grant'],
      [{ code: '' }, 'invalid_request'],
      [{ code_verifier: 'short' }, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: '' }, 'invalid_request'],
    ] as const) {
      const answer = await token({ ...right, code, ...fault })
      t.match(answer, { status: 400, body: { error } }, Object.keys(fault).join())
      t.equal(answer.headers.get('cache-control'), 'no-store')
    }
    t.equal(other.client_id, client_id, 'the same metadata at the same second are the same client')
    const { body } = await token({ ...right, code })
    t.equal((await tool(body.access_token)).status, 200)
    t.match(await token({ ...right, code }), { status: 400, body: { error: 'invalid_grant' } }, 'a second time')
    t.equal((await tool(body.access_token)).status, 401, 'which ends the grant: somebody has stolen the code')
    const late = await codeOf()
    clock.now += 60_000
    t.match(await token({ ...right, code: late }), { status: 400, body: { error: 'invalid_grant' } }, 'after a minute')
  },
)

t.test(
  'given a refresh token, when it is used, then it is replaced, and a late second use ends the grant',
  async (t) => {
    const { connect, refresh, tool, signIn, send, clock } = await programs()
    const person = await signIn('client_admin')
    const program = await connect(person)
    const first = program.tokens
    clock.now += hour
    t.equal((await tool(first.access_token)).status, 401, 'an access token is good for an hour')
    const second = (await refresh(program, first.refresh_token)).body
    t.equal((await tool(second.access_token)).status, 200)
    const third = (await refresh(program, second.refresh_token)).body
    t.equal((await tool(second.access_token)).status, 200, 'calls that are under way may have the one before')
    const guessed = `${third.refresh_token.slice(0, -20)}${'0'.repeat(20)}`
    t.match(await refresh(program, guessed), { status: 400, body: { error: 'invalid_grant' } })
    t.equal((await tool(third.access_token)).status, 200, 'a guess ends nothing')
    const stolen = await refresh(program, first.refresh_token)
    t.match(stolen, { status: 400, body: { error: 'invalid_grant' } })
    t.equal((await tool(third.access_token)).status, 401)
    t.equal((await refresh(program, third.refresh_token)).status, 400)
    const { body } = await send('GET', '/api/v1/grants', { token: person.token })
    t.match(body.grants, [{ state: 'reused' }])
  },
)

t.test('given a refresh token that nobody uses, then it lasts a month, and a grant three', async (t) => {
  const { connect, refresh, signIn, clock } = await programs()
  const person = await signIn('client_admin')
  const left = await connect(person)
  let refresh_token: string | undefined
  const program = await connect(person)
  ;({ refresh_token } = program.tokens)
  for (const _ of [1, 2, 3]) {
    clock.now += 29 * 24 * hour
    const answer = await refresh(program, refresh_token)
    t.equal(answer.status, 200)
    ;({ refresh_token } = answer.body)
  }
  t.equal((await refresh(left, left.tokens.refresh_token)).status, 400)
  clock.now += 3 * 24 * hour
  t.equal((await refresh(program, refresh_token)).status, 400, 'after 90 days the person is asked again')
})

t.test(
  'given a client that renews in eight windows at once, or again within 30 s, then it gets the same tokens',
  async (t) => {
    const { connect, refresh, tool, signIn, send, clock } = await programs()
    const person = await signIn('client_admin')
    const program = await connect(person)
    const first = program.tokens.refresh_token
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(program, first)))
    for (const { status, body } of answers) {
      t.equal(status, 200)
      t.same(body, answers[0]?.body)
    }
    clock.now += 30_000
    const { body: late } = await refresh(program, first)
    t.match(late, { refresh_token: answers[0]?.body.refresh_token, expires_in: 3570 })
    t.equal((await tool(late.access_token)).status, 200)
    const next = await refresh(program, late.refresh_token)
    t.equal(next.status, 200)
    t.not(next.body.refresh_token, late.refresh_token)
    clock.now += 30_001
    t.equal((await refresh(program, late.refresh_token)).status, 400, 'later, somebody else has it')
    t.equal((await tool(next.body.access_token)).status, 401)
    t.match((await send('GET', '/api/v1/grants', { token: person.token })).body.grants, [{ state: 'reused' }])
  },
)

t.test('given a refresh token that was just used, when another client shows it, then that gets nothing', async (t) => {
  const { connect, refresh, tool, signIn, clock } = await programs()
  const person = await signIn('client_admin')
  const program = await connect(person)
  clock.now += 1_000
  const other = await connect(person)
  t.not(other.client_id, program.client_id)
  const { body } = await refresh(program, program.tokens.refresh_token)
  t.match(await refresh({ ...program, client_id: other.client_id }, program.tokens.refresh_token), { status: 400 })
  t.equal((await tool(body.access_token)).status, 200)
})

t.test('given a token for the REST interface, then it is good there within its scopes, and nowhere else', async (t) => {
  const { connect, tool, signIn, send } = await programs()
  const { body: found } = await send('GET', '/.well-known/oauth-protected-resource/api')
  t.match(found, { resource: 'http://localhost:3000/api', authorization_servers: ['http://localhost:3000'] })
  t.notOk(found.scopes_supported.includes('account:self'), 'a program cannot act for itself')
  const asked = { resource: found.resource, scope: 'orders:read account:self' }
  const { tokens } = await connect(await signIn('client_admin'), asked)
  const token = String(tokens.access_token)
  t.equal((await send('GET', '/api/v1/orders', { token })).status, 200)
  t.match(await send('GET', '/api/v1/routes', { token }), { status: 403, body: { code: 'forbidden' } })
  t.equal((await send('GET', '/api/v1/api-keys', { token })).status, 403, 'it makes no keys')
  t.match(await send('GET', '/api/v1/otep/trackings/NOBODY', { token }), { status: 404 })
  t.equal((await tool(token)).status, 401)
  t.equal((await send('POST', '/graphql', { token, body: { query: '{ __typename }' } })).status, 401)
  t.equal((await send('GET', '/epcis/events', { token })).status, 401)
})

t.test('given a token for one address, then no other accepts it', async (t) => {
  const { connect, tool, signIn, send, app } = await programs()
  const person = await signIn('client_admin')
  const { tokens } = await connect(person)
  const { access_token } = tokens
  const wrong = await tool(access_token, 'get_orders', '/mcp/developer')
  t.match(wrong, { status: 401, body: { error: { data: { code: 'wrong_resource' } } } })
  for (const path of ['/api/v1/orders', '/api/v1/user', '/api/v1/grants', '/epcis/events'])
    t.match(await send('GET', path, { token: access_token as string }), { status: 401 }, path)
  const query = { query: '{ brokerOrderAssignments { total } }' }
  t.equal((await send('POST', '/graphql', { token: access_token as string, body: query })).status, 401)
  const developer = await connect(person, { resource: `${resource}/developer`, scope: 'orders:read' })
  t.equal((await tool(developer.tokens.access_token, 'get_orders', '/mcp/developer')).status, 200)
  t.equal((await tool(developer.tokens.access_token)).status, 401)
  for (const name of ['access_token', 'refresh_token'] as const)
    t.equal((await app.request(`/mcp?token=${tokens[name]}`, { method: 'POST' })).status, 400, 'nor in an address')
  t.equal((await tool(tokens.refresh_token)).status, 401, 'a refresh token is no access token')
})

t.test('given a grant, when anything ends it, then the next call is refused', async (t) => {
  const made = await programs()
  const { connect, refresh, revoke, tool, signIn, send, tokens: admins, ids, other } = made
  const isOver = async (
    what: string,
    end: (program: Awaited<ReturnType<typeof connect>>, id: number) => Promise<unknown>,
  ) => {
    const program = await connect(await signIn('client_employee'))
    t.equal((await tool(program.tokens.access_token)).status, 200)
    const { body } = await send('GET', '/api/v1/grants', { token: admins.client_admin })
    await end(program, body.grants[0].grant_id)
    t.equal((await tool(program.tokens.access_token)).status, 401, what)
    t.equal((await refresh(program, program.tokens.refresh_token)).status, 400, what)
  }
  await isOver('the person', async (_, id) => {
    t.equal((await send('DELETE', `/api/v1/grants/${id}`, { token: other.tokens.client_admin })).status, 404)
    t.equal((await send('DELETE', `/api/v1/grants/${id}`, { token: admins.driver })).status, 404)
    t.equal((await send('DELETE', `/api/v1/grants/${id}`, { token: admins.client_employee })).status, 200)
  })
  await isOver('an administrator', (_, id) => send('DELETE', `/api/v1/grants/${id}`, { token: admins.client_admin }))
  await isOver('the program', async ({ client_id, tokens: { refresh_token = '' } }) => {
    t.match(await revoke({ client_id: 'another', token: refresh_token }), {
      status: 401,
      body: { error: 'invalid_client' },
    })
    t.equal((await revoke({ client_id, token: 'nonsense' })).status, 200, 'what is no token needs no end (RFC 7009)')
    t.equal((await revoke({ client_id, token: refresh_token })).status, 200)
  })
  await isOver('the program, with an access token', ({ client_id, tokens: { access_token = '' } }) =>
    revoke({ client_id, token: access_token }),
  )
  await isOver('a new password', () =>
    send('PUT', '/api/v1/user/password', {
      token: admins.client_employee,
      body: { current_password: passwordOf('client_employee'), new_password: passwordOf('client_employee') },
    }).then(({ status }) => status === 200 || t.fail('the password was not changed')),
  )
  const asked = operator(made)
  const eraser = { ...asked, caller: { ...asked.caller, scopes: ['otep:erase'] } }
  const [status, token] = [`/api/v1/accounts/${ids.client_employee}/status`, admins.client_admin]
  await isOver('a disabled account', () => send('PUT', status, { token, body: { is_active: false } }))
  await send('PUT', status, { token, body: { is_active: true } })
  await isOver('an erased account', () => call(forgetAccount, eraser, { account_id: ids.client_employee }))
})

t.test(
  'given a form that another site sends, or a request that is ours no more, then nothing is allowed',
  async (t) => {
    const { ask, get, post, register, signIn, clock, send } = await programs()
    const person = await signIn('client_admin')
    const { client_id } = (await register()).body
    const path = (await ask({ client_id, code_challenge })).headers.get('location') ?? ''
    const fields = { form: person.form, scope: 'orders:read' }
    t.equal((await post(`${path}/allow`, fields, person.cookie, { 'Sec-Fetch-Site': 'cross-site' })).status, 403)
    t.equal((await post(`${path}/allow`, { ...fields, form: 'x' }, person.cookie)).status, 403)
    t.equal((await post(`${path}/allow`, fields)).status, 401)
    const shown = await get(path, person.cookie)
    t.equal(shown.headers.get('x-frame-options'), 'DENY')
    t.match(shown.headers.get('content-security-policy'), "frame-ancestors 'none'")
    t.match(shown.headers.get('content-security-policy'), "form-action 'self' http://127.0.0.1:33418;")
    t.equal(
      (await post(`${path.replace(/.{9}$/, 'xxxxxxxxx')}/allow`, fields, person.cookie)).status,
      410,
      'another request than the checked one',
    )
    clock.now += 16 * 60_000
    t.equal((await post(`${path}/allow`, fields, person.cookie)).status, 410, 'a quarter of an hour is over')
    t.match((await send('GET', '/api/v1/grants', { token: person.token })).body, { total: 0 })
  },
)

t.test(
  'given the longest request that is accepted, when its person signs in first, then it is still there',
  async (t) => {
    const { ask, get, post, register } = await programs()
    const long = (number: number) => `https://shop.example/${number}/${'p'.repeat(210)}`
    const metadata = { redirect_uris: [1, 2, 3, 4, 5].map(long), client_name: '包'.repeat(300) }
    const { client_id } = (await register(metadata)).body
    const asked = { client_id, code_challenge, redirect_uri: long(3), state: '&'.repeat(1_000), scope: 'full' }
    const path = (await ask(asked)).headers.get('location') ?? ''
    const [, to = ''] = /name="to" value="([^"]+)"/.exec((await get(path)).html) ?? []
    t.equal(`${home}/${to}`, path)
    const person = { email: 'client_admin@one.example', password: passwordOf('client_admin'), to }
    const { headers } = await post(`${home}/sign-in`, person)
    t.equal(headers.get('location'), path)
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
    t.match(await get(path, cookie), { status: 200, html: /shop\.example/ })
  },
)

t.test(
  'given a sealed text of another kind, when it stands in the address of the question, then it is none',
  async (t) => {
    const { get, parts, signIn } = await programs()
    const { cookie } = await signIn('client_admin')
    for (const text of ['no JSON', '{}', JSON.stringify({ until: Number.MAX_SAFE_INTEGER })])
      t.equal((await get(`${home}/consent/${parts.credentials.seal(text)}`, cookie)).status, 410)
  },
)

t.test(
  'given a name that is made to deceive, when the page shows it, then it is text, marked as unchecked',
  async (t) => {
    const { ask, get, register, signIn } = await programs()
    const { cookie } = await signIn('client_admin')
    const name = '<b>Bank\u202Egro.</b>\u200B'
    const { client_id } = (await register({ redirect_uris: ['https://shop.example/cb'], client_name: name })).body
    const path = (await ask({ client_id, code_challenge, redirect_uri: 'https://shop.example/cb' })).headers.get(
      'location',
    )
    const { html } = await get(path ?? '', cookie)
    t.match(html, '&lt;b&gt;Bank\uFFFDgro.&lt;/b&gt;\uFFFD')
    t.match(html, 'Nobody has checked this name')
    t.match(html, '<code>shop.example</code>', 'and the place that gets the answer is shown')
  },
)

t.test(
  'given a client id that is an address, when its document is fetched, then it must be about itself',
  async (t) => {
    const id = 'https://desk.example/client.json'
    const right = { client_id: id, client_name: 'Desk', redirect_uris: ['http://localhost/callback'] }
    const documents = new Map<string, string>()
    const asked: string[] = []
    const made = await programs()
    Object.assign(made.parts.webhooks, {
      fetchDocument: async (url: string) => {
        asked.push(url)
        return documents.get(url)
      },
    })
    const app = createApp({ store: made.store, parts: made.parts, clock: () => made.clock.now })
    const askAs = async (client_id: string) => {
      const fields = { response_type: 'code', client_id, code_challenge, code_challenge_method: 'S256' }
      const query = new URLSearchParams({ ...fields, redirect_uri: 'http://localhost:4000/callback' })
      return (await app.request(`/oauth/authorize?${query}`)).status
    }
    documents.set(id, JSON.stringify(right))
    t.equal(await askAs(id), 303)
    t.equal(await askAs(id), 303)
    t.strictSame(asked, [id], 'and it is kept for a while')
    for (const [name, fault] of Object.entries({
      other: { client_id: 'https://evil.example/client.json' },
      secret: { client_secret: 'x' },
      method: { token_endpoint_auth_method: 'private_key_jwt' },
      redirect: { redirect_uris: ['http://evil.example/callback'] },
    })) {
      const url = `https://desk.example/${name}.json`
      documents.set(url, JSON.stringify({ ...right, client_id: url, ...fault }))
      t.equal(await askAs(url), 400, name)
    }
    documents.set('https://desk.example/html', '<html>')
    t.equal(await askAs('https://desk.example/html'), 400)
    t.equal(await askAs('https://desk.example/missing'), 400)
    const before = asked.length
    for (const url of [
      'http://desk.example/client.json',
      'https://desk.example/',
      'https://u@desk.example/c',
      'https://desk.example/a/../c',
    ])
      t.equal(await askAs(url), 400, url)
    t.equal(asked.length, before, 'what is no such address is not fetched')
  },
)

t.test('given a token that somebody made up, when it is returned, then the security log names no grant', async (t) => {
  const entries: SecurityEntry[] = []
  const { connect, revoke, signIn } = await programs({ audit: (_, entry) => entries.push(entry) })
  const { client_id, tokens } = await connect(await signIn('client_admin'))
  const body = `ota_1_${'0'.repeat(64)}`
  const revoked = () => entries.filter(({ event }) => event === 'grant_revoked').map(({ concerned }) => concerned)
  t.equal((await revoke({ client_id, token: `${body}${sha256(body).slice(0, 8)}` })).status, 200)
  t.strictSame(revoked(), [{}])
  t.equal((await revoke({ client_id, token: tokens.refresh_token ?? '' })).status, 200)
  t.strictSame(revoked(), [{}, { grant: 1 }])
})

t.test('given one source, when it registers again and again, then it has to wait', async (t) => {
  let now = 0
  const limits = createLimits({
    settings: limitsFrom({}),
    proxies: [],
    now: () => now,
    peers: undefined,
    onRefused: () => {},
    onUntrusted: () => {},
  })
  const { register } = await programs({ limits })
  for (let count = 0; count < 20; count++) t.equal((await register()).status, 201)
  const refused = await register()
  t.match(refused, { status: 429, body: { error: 'too_many_requests' } })
  t.ok(refused.headers.get('retry-after'))
  now += hour
  t.equal((await register()).status, 201)
})

t.test('given an address that always asks, when a program connects, then it is told where to sign in', async (t) => {
  const { send } = await programs()
  const headers = { Accept: 'application/json, text/event-stream' }
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
  const asked = await send('POST', '/mcp?auth=required', { headers, body })
  t.equal(asked.status, 401)
  const place = '/.well-known/oauth-protected-resource/mcp?auth=required'
  t.match(asked.headers.get('www-authenticate'), `resource_metadata="http://localhost:3000${place}"`)
  const { body: metadata } = await send('GET', place)
  t.equal(metadata.resource, 'http://localhost:3000/mcp?auth=required', 'the address that the person gave the program')
  t.not((await send('POST', '/mcp', { headers, body })).status, 401)
})

t.test('given one resource in several spellings, when a program asks, then its tokens are for that one', async (t) => {
  const { connect, signIn, token, tool } = await programs()
  const person = await signIn('client_admin')
  for (const resource of ['http://localhost:3000/mcp?auth=required', 'HTTP://LOCALHOST:3000/mcp']) {
    const program = await connect(person, { resource })
    t.equal((await tool(program.tokens.access_token)).status, 200, resource)
    const renewal = { grant_type: 'refresh_token', refresh_token: program.tokens.refresh_token ?? '', resource }
    const next = await token({ ...renewal, client_id: program.client_id })
    t.equal(next.status, 200, resource)
  }
})

t.test(
  'given a request for what is not there, when a program asks, then its redirect URI is told what and why',
  async (t) => {
    const { ask, register, queryOf } = await programs()
    const { client_id } = (await register()).body
    const cases = {
      request_not_supported: { request: 'eyJhbGciOiJub25lIn0.e30.' },
      request_uri_not_supported: { request_uri: 'urn:ietf:params:oauth:request_uri:a' },
      invalid_request: { response_mode: 'fragment' },
      interaction_required: { prompt: 'none' },
      invalid_target: { resource: 'https://elsewhere.example/mcp' },
    }
    for (const [error, more] of Object.entries(cases)) {
      const answer = queryOf(await ask({ client_id, code_challenge, ...more } as Record<string, string>))
      t.equal(answer.get('error'), error)
      t.match(answer.get('error_description'), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    }
    const usual = await ask({ client_id, code_challenge, response_mode: 'query', prompt: 'consent' })
    t.match(usual.headers.get('location'), home)
  },
)

t.test(
  'given a redirect URI that has a parameter of answers, when a program registers, then it is refused',
  async (t) => {
    const { register } = await programs()
    for (const name of ['code', 'state', 'iss', 'error', 'error_description']) {
      const { status, body } = await register({ redirect_uris: [`https://a.example/?x=1&${name}=y`] })
      t.strictSame([status, body.error], [400, 'invalid_redirect_uri'])
    }
    t.equal((await register({ redirect_uris: ['https://a.example/?next=y'] })).status, 201)
  },
)

t.test('given a client that nobody knows, when it renews, then it is told so, and registers again', async (t) => {
  const { connect, refresh, signIn, register, send } = await programs()
  const program = await connect(await signIn('client_admin'))
  const unknown = await refresh({ client_id: 'r.e30.abc' }, program.tokens.refresh_token)
  t.strictSame([unknown.status, unknown.body.error], [401, 'invalid_client'])
  const another = (await register({ redirect_uris: [redirectUri], client_name: 'Other' })).body
  const other = await refresh(another, program.tokens.refresh_token)
  t.strictSame([other.status, other.body.error], [400, 'invalid_grant'], 'another that is known is not')
  const basic = { Authorization: `Basic ${btoa('client:secret')}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const withSecret = await send('POST', '/oauth/token', { headers: basic, body: 'grant_type=refresh_token' })
  t.strictSame([withSecret.status, withSecret.body.error], [401, 'invalid_client'])
  t.match(withSecret.headers.get('www-authenticate'), /^Basic /)
})

t.test('given what programs and people sent, when the store is read, then it has no code and no token', async (t) => {
  const { connect, refresh, signIn, store } = await programs()
  const program = await connect(await signIn('client_admin'))
  const { body } = await refresh(program, program.tokens.refresh_token)
  const all: string[] = []
  for await (const event of store.readAll()) all.push(JSON.stringify(event))
  const text = all.join('\n')
  t.match(text, 'GrantRefreshed')
  for (const secret of [
    program.exchange.code,
    program.exchange.code_verifier,
    ...Object.values(body),
    program.client_id,
  ])
    if (typeof secret === 'string' && secret.length > 30 && !secret.includes(':')) t.notOk(text.includes(secret))
  t.equal(all.filter((line) => line.includes('"grant-1"')).length, 3, 'three facts: given, redeemed, refreshed')
})

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t from 'tap'
import { world } from '../world.test.fixture.ts'

type Reply = (response: ServerResponse) => void

const resource = 'http://localhost:3000/mcp'
const says = (told: unknown, status = 200, headers = {}): Reply => {
  const text = typeof told === 'string' || told instanceof Uint8Array ? told : JSON.stringify(told)
  return (response) => response.writeHead(status, headers).end(text)
}
const key = { kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'k', e: 'AQAB' }
const deep = '['.repeat(100_000) + ']'.repeat(100_000)
const endless: Reply = (response) => {
  const more = () => response.destroyed || response.write(' '.repeat(65_536), () => setImmediate(more))
  more()
}

/** What is no document of an issuer, and no set of keys either. */
const broken: Readonly<Record<string, Reply>> = {
  'a page in HTML': says('<html>Welcome</html>'),
  nothing: says(''),
  null: says('null'),
  'a list': says('[]'),
  'lists in lists': says(deep),
  'names of prototypes': says('{"__proto__":{"keys":[]},"constructor":1}'),
  'a redirect': says('{}', 302, { location: 'http://169.254.169.254/' }),
  'a body that never ends': endless,
  'a gzip bomb': says(new Uint8Array(gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '))), 200, {
    'content-encoding': 'gzip',
  }),
  'a connection that is cut': (response) =>
    response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
}

/** Sets of keys that hold none of the token. */
const keySets: Readonly<Record<string, object>> = {
  '100,000 keys': { keys: Array.from({ length: 100_000 }, () => key) },
  '3,000 keys of one name': { keys: Array.from({ length: 3_000 }, () => ({ ...key, n: 'AQAB' })) },
  'a key of 150,000 bytes': { keys: [{ ...key, n: 'x'.repeat(200_000) }] },
  'an exponent of 150,000 bytes': { keys: [{ ...key, n: 'x'.repeat(342), e: 'x'.repeat(200_000) }] },
  'keys that are none': { keys: [null, 7, [], 'x', {}] },
  'keys that are no list': { keys: { 0: key, length: 1 } },
  'a key that is a secret': { keys: [{ kty: 'oct', kid: 'k', alg: 'HS256', k: 'AAAA' }] },
}

t.test('given a hostile issuer, when a token comes, then it is refused, and the next good answer counts', async (t) => {
  const be: { document: Reply | undefined; keys: Reply } = { document: undefined, keys: says('{}') }
  const server = createServer((request, response) => {
    response.on('error', () => {})
    const issuer = `http://${request.headers.host}`
    const document = be.document ?? says({ issuer, jwks_uri: `${issuer}/keys` })
    return request.url === '/keys' ? be.keys(response) : document(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pair = await generateKeyPair('RS256', { extractable: true })
  const good = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' }] }
  const { send, clock } = await world({ outsideIssuer: { issuer, emailDomains: ['one.example'] } })
  const call = async () => {
    clock.now += 7_200_000
    const iat = Math.floor(clock.now / 1000)
    const identity = { sub: 's-1', email: 'client_employee@one.example', email_verified: true }
    const claims = { iss: issuer, aud: resource, iat, exp: iat + 300, scope: 'orders:read', ...identity }
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(pair.privateKey)
    const headers = { Accept: 'application/json, text/event-stream' }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    return (await send('POST', '/mcp', { token, headers, body })).status
  }
  const document = (more: object) => says({ issuer, jwks_uri: `${issuer}/keys`, ...more })
  const documents = {
    ...broken,
    'another issuer by a slash': document({ issuer: `${issuer}/` }),
    'an address of keys that is none': document({ jwks_uri: {} }),
    'keys in a file': document({ jwks_uri: 'file:///etc/passwd' }),
    'keys at an address without https': document({ jwks_uri: 'http://192.0.2.1/keys' }),
  }
  const sets = Object.entries(keySets).map(([what, set]) => [what, says(set)] as const)
  for (const [what, reply] of Object.entries(documents)) {
    be.document = reply
    t.ok([401, 503].includes(await call()), `document: ${what}`)
  }
  be.document = undefined
  for (const [what, reply] of [...Object.entries(broken), ...sets]) {
    be.keys = reply
    t.ok([401, 503].includes(await call()), `keys: ${what}`)
  }
  be.keys = says(good)
  t.equal(await call(), 200)
})

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'

/** An identity provider on this machine, with its own keys. */
export interface Issuer {
  readonly issuer: string
  /** Requests for its document and for its keys so far. */
  readonly asked: { discovery: number; keys: number }
  /** The public key that it publishes, as PEM. */
  publicKey(): Promise<string>
  /** An ID token with these claims and header, signed with the current key. */
  sign(claims: object, header?: object): Promise<string>
  /** An ID token signed with an ES256 key that it also publishes. */
  signElliptic(claims: object): Promise<string>
  /** Replaces its key. */
  rotate(): Promise<void>
  /** Changes its responses: another issuer in its document, a redirect, an oversized response, none, or a code taken again. */
  misbehave(how: 'other-issuer' | 'redirect' | 'flood' | 'down' | 'codes-again' | undefined): void
  /** Takes the secret of its client only in the form from now on, and says so. */
  onlyPost(): void
  /** Says from now on where people sign out; `/logout` leads them back. */
  endsSessions(address: string): void
  /** Signs in everybody who comes from now on, with these claims in place of those that its ID tokens would have otherwise. */
  signsIn(claims: object, clock?: () => number): void
  /** The requests for a token so far, with the parameters of each. */
  readonly redeemed: URLSearchParams[]
  close(): Promise<void>
}

/** The client that it knows. */
export const knownClient = { client_id: 'otep at idp', client_secret: 'a secret: of/the client' }

/** Another client that it knows. */
export const secondClient = { client_id: 'second client', client_secret: 'another secret' }

interface Pair {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

async function keySet(rsa: Pair, elliptic: Pair, number: number): Promise<{ keys: readonly JWK[] }> {
  const common = { use: 'sig' }
  return {
    keys: [
      { ...(await exportJWK(rsa.publicKey)), ...common, kid: `rsa-${number}`, alg: 'RS256' },
      { ...(await exportJWK(elliptic.publicKey)), ...common, kid: 'ec', alg: 'ES256' },
    ],
  }
}

/** RSA keys by their number. Providers share them: to make one takes as long as some tests together. */
const rsaKeys: Promise<Pair>[] = []

function rsaKey(number: number): Promise<Pair> {
  rsaKeys[number] ??= generateKeyPair('RS256', { extractable: true })
  return rsaKeys[number]
}

/** Starts an identity provider. */
export async function startIssuer(): Promise<Issuer> {
  let number = 1
  let rsa = await rsaKey(number)
  const elliptic: Pair = await generateKeyPair('ES256', { extractable: true })
  let fault: Parameters<Issuer['misbehave']>[0]
  const asked = { discovery: 0, keys: 0 }
  const desk = createDesk()
  const sign: Issuer['sign'] = (claims, header = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: `rsa-${number}`, ...header })
      .sign(rsa.privateKey)
  // A connection that waits while the test computes is not closed in the moment in which it is used again.
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response): Promise<unknown> => {
    const url = new URL(request.url ?? '', issuer)
    if (url.pathname === '/authorize' && fault !== 'down') return desk.authorize(url.searchParams, response)
    if (url.pathname === '/logout') return desk.signOut(url.searchParams, response)
    if (url.pathname === '/token' && fault !== 'down')
      return desk.redeem(request, response, fault !== 'codes-again', (claims) => sign({ iss: issuer, ...claims }))
    const isDocument = request.url === '/.well-known/openid-configuration'
    asked[isDocument ? 'discovery' : 'keys']++
    if (fault === 'down') return response.writeHead(500).end()
    if (fault === 'redirect') return response.writeHead(302, { Location: `${issuer}/elsewhere` }).end()
    if (fault === 'flood') return response.end(' '.repeat(300_000))
    const told = fault === 'other-issuer' ? 'https://other.example' : issuer
    return response.end(JSON.stringify(isDocument ? documentOf(told) : await keySet(rsa, elliptic, number)))
  })
  const documentOf = (told: string) => ({
    ...{ issuer: told, jwks_uri: `${issuer}/keys` },
    ...{ authorization_endpoint: `${issuer}/authorize?kept=1`, token_endpoint: `${issuer}/token` },
    ...desk.methods(),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    asked,
    publicKey: () => exportSPKI(rsa.publicKey),
    sign,
    signElliptic: (claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'ec' }).sign(elliptic.privateKey),
    rotate: async () => {
      rsa = await rsaKey(number + 1)
      number++
    },
    misbehave: (how) => {
      fault = how
    },
    endsSessions: desk.endsSessions,
    signsIn: desk.signsIn,
    onlyPost: desk.onlyPost,
    redeemed: desk.redeemed,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The client that a person was sent here by. */
function clientOf(asked: URLSearchParams | undefined) {
  return asked?.get('client_id') === secondClient.client_id ? secondClient : knownClient
}

type Sign = (claims: object) => Promise<string>

/** What signs people in without asking them, and gives out their ID tokens for codes that are good once (RFC 6749, 4.1). */
function createDesk() {
  let person: { readonly claims: object; readonly clock: () => number } = { claims: {}, clock: Date.now }
  const codes = new Map<string, URLSearchParams>()
  const redeemed: URLSearchParams[] = []
  let isPost = false
  const exit = createExit()

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const code = randomBytes(16).toString('hex')
    codes.set(code, asked)
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    return response.writeHead(302, { Location: back.href }).end()
  }

  async function redeem(request: IncomingMessage, response: ServerResponse, isOnce: boolean, sign: Sign) {
    let text = ''
    for await (const piece of request) text += piece
    const form = new URLSearchParams(text)
    redeemed.push(form)
    const asked = codes.get(form.get('code') ?? '')
    if (isOnce) codes.delete(form.get('code') ?? '')
    const { client_id, client_secret } = clientOf(asked)
    const pair = [client_id, client_secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':')
    const isClient = isPost
      ? form.get('client_id') === client_id && form.get('client_secret') === client_secret
      : request.headers.authorization === `Basic ${Buffer.from(pair).toString('base64')}`
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      asked?.get('client_id') === client_id &&
      asked.get('code_challenge') === challenge &&
      asked.get('redirect_uri') === form.get('redirect_uri')
    if (!isClient || !isRight) return response.writeHead(400).end('{"error":"invalid_grant"}')
    const iat = Math.floor(person.clock() / 1000)
    const usual = { aud: client_id, nonce: asked.get('nonce'), iat, exp: iat + 300 }
    const id_token = await sign({ ...usual, ...person.claims })
    return response.end(JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token }))
  }

  return {
    authorize,
    redeem,
    redeemed,
    methods: () => ({
      ...(isPost && { token_endpoint_auth_methods_supported: ['client_secret_post'] }),
      ...exit.metadata(),
    }),
    endsSessions: exit.open,
    signOut: exit.signOut,
    onlyPost: () => {
      isPost = true
    },
    signsIn: (claims: object, clock = Date.now) => {
      person = { claims, clock }
    },
  }
}

/** Where people sign out, and from where they are led back (OpenID Connect RP-Initiated Logout 1.0). */
function createExit() {
  let end_session_endpoint: string | undefined
  return {
    metadata: () => (end_session_endpoint === undefined ? {} : { end_session_endpoint }),
    open: (address: string) => {
      end_session_endpoint = address
    },
    signOut: (asked: URLSearchParams, response: ServerResponse) => {
      const back = new URL(asked.get('post_logout_redirect_uri') ?? '')
      back.searchParams.set('state', asked.get('state') ?? '')
      return response.writeHead(302, { Location: back.href }).end()
    },
  }
}

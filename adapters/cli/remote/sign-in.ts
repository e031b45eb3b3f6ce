import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { isObject, type Members } from '../../../engine/index.ts'
import { restMetadataPath } from '../../http/protected-resource.ts'
import { posted, tokensIn } from './credentials.ts'
import { strange, unreachable } from './failure.ts'
import type { Grant } from './profiles.ts'

/** How a person signs in. */
interface SignIn {
  /** Scopes or bundles of scopes to ask for; the server decides without any. */
  readonly scopes?: readonly string[]
  /** Shows the address to the person, and opens it if that is possible. */
  readonly show: (address: string) => void
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

/** Milliseconds that a request for metadata may take. */
const patience = 20_000

/**
 * Asks a person in the browser whether this program may act in their name (OAuth 2.1 with PKCE, RFC 8252): the answer comes
 * back to a port of this machine.
 */
export async function signIn(url: string, { scopes, show, signal }: SignIn): Promise<Grant> {
  const { resource, server } = await discover(url)
  const listening = await listen()
  try {
    const { port } = listening.server.address() as AddressInfo
    const redirect_uri = `http://127.0.0.1:${port}/callback`
    const client_id = await register(url, server, redirect_uri)
    const verifier = randomBytes(32).toString('base64url')
    const state = randomBytes(16).toString('base64url')
    const asked = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri, state, resource },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
    })
    const answer = listening.answerTo(state, server.issuer)
    show(`${server.authorization_endpoint}?${asked}`)
    const code = await Promise.race([answer, aborted(signal)])
    const { token_endpoint, revocation_endpoint } = server
    const proof = { client_id, code, redirect_uri, code_verifier: verifier, resource }
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...proof })
    const response = await posted(url, token_endpoint, body)
    if (!response.ok) throw new Error(`${url} did not give out tokens (status ${response.status}).`)
    return { client_id, token_endpoint, revocation_endpoint, ...tokensIn(await response.json()) }
  } finally {
    listening.server.close()
    listening.server.closeAllConnections()
  }
}

/** Ends a grant (RFC 7009). Whether the server could be asked. */
export async function signOut(
  url: string,
  { client_id, revocation_endpoint, refresh_token }: Pick<Grant, 'client_id' | 'revocation_endpoint' | 'refresh_token'>,
): Promise<boolean> {
  const body = new URLSearchParams({ client_id, token: refresh_token })
  return posted(url, revocation_endpoint, body).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The authorization server that the metadata of a server name (RFC 9728 and 8414), all at the same origin. */
async function discover(url: string) {
  const { origin } = new URL(url)
  const { resource, authorization_servers } = await documentAt(url, `${url}${restMetadataPath}`)
  const issuer = Array.isArray(authorization_servers) ? String(authorization_servers[0]) : ''
  if (typeof resource !== 'string' || !URL.canParse(resource)) throw new Error(`${url} has no sign-in for programs.`)
  const own = new URL(resource).origin
  if (own !== origin)
    throw new Error(`The server at ${url} calls itself ${own} (OTEP_BASE_URL). Use that address: otep login ${own}`)
  if (issuer !== own)
    throw new Error(`${issuer} gives out the tokens for ${url}. Use an API key instead: otep login ${url} --key-stdin`)
  const found = await documentAt(url, `${issuer}/.well-known/oauth-authorization-server`)
  const endpoint = (name: string) => {
    const address = String(found[name])
    if (!URL.canParse(address) || new URL(address).origin !== origin)
      throw new Error(`The metadata of ${url} name no ${name} of its own.`)
    return address
  }
  const server = {
    issuer: String(found.issuer),
    authorization_endpoint: endpoint('authorization_endpoint'),
    token_endpoint: endpoint('token_endpoint'),
    registration_endpoint: endpoint('registration_endpoint'),
    revocation_endpoint: endpoint('revocation_endpoint'),
  }
  if (server.issuer !== issuer) throw new Error(`The metadata of ${url} are those of ${server.issuer}.`)
  return { resource, server }
}

async function documentAt(url: string, address: string): Promise<Members> {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(patience) }).catch(
    (error: unknown) => {
      throw unreachable(url, error)
    },
  )
  const document: unknown = response.ok ? await response.json().catch(() => undefined) : undefined
  if (!isObject(document)) throw strange(url, response)
  return document
}

/** Registers this program at a server (RFC 7591), which keeps nothing about it. */
async function register(
  url: string,
  { registration_endpoint }: { readonly registration_endpoint: string },
  redirect_uri: string,
): Promise<string> {
  const client = { client_name: `otep on ${hostname()}`, redirect_uris: [redirect_uri] }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(client) }
  const response = await fetch(registration_endpoint, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isObject(answer))
    throw new Error(`${url} did not register this program (status ${response.status}).`)
  return String(answer.client_id)
}

/** A port of this machine at which the browser brings the answer. */
async function listen() {
  let hear: ((query: URLSearchParams) => boolean) | undefined
  const server: HttpServer = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' || pathname !== '/callback' || hear === undefined)
      return tell(response, 404, 'Nothing is here.')
    const isOurs = hear(searchParams)
    const isAllowed = isOurs && searchParams.has('code')
    if (!isOurs) return tell(response, 400, 'This is no answer to otep.')
    return tell(response, 200, isAllowed ? 'You are signed in. Go back to the terminal.' : 'otep was not allowed.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** The code that comes back with this state from this issuer (RFC 9207). */
  function answerTo(state: string, issuer: string): Promise<string> {
    return new Promise((resolve, reject) => {
      hear = (query) => {
        if (query.get('state') !== state || query.get('iss') !== issuer) return false
        const code = query.get('code')
        if (code === null) reject(new Error(`You did not allow it (${query.get('error') ?? 'no code'}).`))
        else resolve(code)
        return true
      }
    })
  }
  return { server, answerTo }
}

function tell(response: ServerResponse, status: number, text: string): void {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  response.writeHead(status, headers).end(`<!doctype html><html lang="en"><title>otep</title><h1>${text}</h1></html>\n`)
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Nobody has answered in the browser.')))
  })
}

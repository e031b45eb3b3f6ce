import { Hono, type Context as Request } from 'hono'
import {
  type Code,
  call,
  type Operation,
  redeemCode,
  refreshGrant,
  registerClient,
  returnToken,
} from '../../engine/index.ts'
import { oauthPaths, resourcesOf } from '../http/oauth.ts'
import type { Gateway, OpenRequest } from '../node/gateway.ts'
import { metadataOf } from './metadata.ts'
import { badRequest, headers, inputOf, most, parametersIn, refuseCredentials } from './parameters.ts'
import { type OAuthError, refusal } from './refusal.ts'

/** Dependencies of the authorization server. */
export interface OAuthOptions {
  /** The HTTP status of a code. */
  readonly statusOf: (code: Code) => number
  /** Reads a body of JSON. */
  readonly readBody: (
    request: globalThis.Request,
    rules: { readonly limit: number; readonly lines: boolean; readonly open: boolean; readonly caller: string },
  ) => Promise<unknown>
}

type Handle = (request: Request, opened: OpenRequest, options: OAuthOptions) => Promise<Response>

/** What each type of grant is exchanged by, and the parameters that it takes (OAuth 2.1, 4.1.3 and 4.3.1). */
const exchanges: Readonly<Record<string, readonly [Operation, readonly string[]]>> = {
  authorization_code: [redeemCode, ['client_id', 'code', 'redirect_uri', 'code_verifier', 'resource']],
  refresh_token: [refreshGrant, ['client_id', 'refresh_token', 'resource']],
}

/**
 * The part of the authorization server that programs call: its metadata, registration, tokens and their end. People see the
 * pages of consent.
 */
export function createOAuth(gateway: Gateway, options: OAuthOptions): Hono {
  const app = new Hono()

  function post(path: string, handle: Handle, otherwise: OAuthError) {
    app.post(path, async (request) => {
      const opened = gateway.open(request)
      try {
        return await handle(request, opened, options)
      } catch (error) {
        return refusal(error, opened, { statusOf: options.statusOf, headers, otherwise })
      }
    })
    app.options(path, () => new Response(null, { status: 204, headers: preflight('POST') }))
  }

  app.get(oauthPaths.metadata, (request) => {
    const opened = gateway.open(request)
    opened.take('public_reads')
    const cached = { ...headers, 'Cache-Control': 'public, max-age=300' }
    return request.json(metadataOf(opened.context.baseUrl), 200, cached)
  })
  app.options(oauthPaths.metadata, () => new Response(null, { status: 204, headers: preflight('GET') }))
  post(oauthPaths.register, register, 'invalid_client_metadata')
  post(oauthPaths.token, exchange, 'invalid_request')
  post(oauthPaths.revoke, revoke, 'invalid_request')
  return app
}

function preflight(method: string): Readonly<Record<string, string>> {
  const allowed = 'Content-Type, Accept, Authorization, MCP-Protocol-Version'
  return { ...headers, 'Access-Control-Allow-Methods': method, 'Access-Control-Allow-Headers': allowed, Allow: method }
}

/** Dynamic registration (RFC 7591, 3): no client has a secret, and all use both types of grant. */
async function register({ req }: Request, opened: OpenRequest, { readBody }: OAuthOptions): Promise<Response> {
  opened.take('registrations')
  const rules = { limit: most, lines: false, open: true, caller: opened.context.source }
  const { id, name, redirectUris, registeredAt } = registerClient(opened.context, await readBody(req.raw, rules))
  const registered = {
    client_id: id,
    client_id_issued_at: Math.floor(registeredAt / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: Object.keys(exchanges),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  return Response.json(registered, { status: 201, headers })
}

async function exchange({ req }: Request, opened: OpenRequest): Promise<Response> {
  opened.take('public_calls')
  refuseCredentials(req.raw)
  const form = await parametersIn(req.raw)
  const named = resourcesOf(opened.context.baseUrl).named(form.get('resource') ?? '')
  if (named !== undefined) form.set('resource', named)
  const type = form.get('grant_type') ?? ''
  if (type === '') throw badRequest('grant_type')
  const found = Object.hasOwn(exchanges, type) ? exchanges[type] : undefined
  if (found === undefined)
    return Response.json({ error: 'unsupported_grant_type' satisfies OAuthError }, { status: 400, headers })
  const [operation, names] = found
  const answer = await call(operation, opened.context, inputOf(form, names))
  const { access_token, refresh_token, expires_in, scope } = answer
  return Response.json({ access_token, token_type: 'Bearer', expires_in, refresh_token, scope }, { headers })
}

async function revoke({ req }: Request, opened: OpenRequest): Promise<Response> {
  opened.take('public_calls')
  refuseCredentials(req.raw)
  await call(returnToken, opened.context, inputOf(await parametersIn(req.raw), ['client_id', 'token']))
  return new Response(null, { headers })
}

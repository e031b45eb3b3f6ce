import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import {
  EngineError,
  isEngineError,
  isObject,
  type ProviderLogout,
  type SignedOnPerson,
  type SignOnClient,
  type SignOnQuestion,
  type SignOnReturn,
  type SignOutQuestion,
  type SingleSignOn,
} from '../../../engine/index.ts'
import { createKeptPromises } from '../../node/kept-promises.ts'
import type { Outbound } from '../../node/outbound.ts'
import { identityOf, requireNonce } from '../identity.ts'
import { type AskIssuer, addressAt, bounds, createVerifyToken, type IssuerOptions, metadataOf } from '../issuers.ts'

type Metadata = Readonly<Record<string, unknown>>

/** A client of the identity providers of businesses: authorization code with PKCE, state and nonce. */
export function createClient({
  outbound,
  clock,
  now,
}: Pick<IssuerOptions, 'clock' | 'now'> & { readonly outbound: Outbound }): Omit<SingleSignOn, 'textRecords'> {
  const ask = guarded(outbound)
  const keep = createKeptPromises<Metadata>(bounds, now)
  const verify = createVerifyToken({ clock, now, ask })

  const known = (issuer: string) => keep(issuer, () => orUnavailable(metadataOf(issuer, ask)))

  async function address({ issuer, ...asked }: SignOnQuestion): Promise<string> {
    return pageAt(issuer, (await known(issuer)).authorization_endpoint, questionOf(asked))
  }

  /** The parameters are those of OpenID Connect RP-Initiated Logout 1.0, 2. No ID token is kept that could be a hint. */
  async function endAddress(asked: SignOutQuestion): Promise<string | undefined> {
    const { issuer, clientId, redirectUri, state, email } = asked
    const { end_session_endpoint: address } = await known(issuer)
    if (address === undefined) return undefined
    const client = { client_id: clientId, post_logout_redirect_uri: redirectUri, state }
    return pageAt(issuer, address, { ...client, ...(email !== undefined && { logout_hint: email }) })
  }

  async function identify(answer: SignOnReturn): Promise<SignedOnPerson> {
    const { issuer, clientId: audience, nonce } = answer
    const token = await orUnavailable(redeemed(answer, await known(issuer), ask))
    const rules = { issuer, audience, requiredClaims: ['exp', 'iat', 'sub'] }
    const { payload } = await verify(token, rules, 'invalid_id_token')
    requireNonce(payload.nonce, { nonce, isRequired: true })
    // Apps send tokens that were issued to them for their server; here the browser came back to this very client.
    if ((payload.azp ?? audience) !== audience) throw new EngineError('invalid_id_token')
    return personOf(payload, audience)
  }

  async function readLogout(
    token: string,
    { issuer, clientId: audience }: Pick<SignOnClient, 'issuer' | 'clientId'>,
  ): Promise<ProviderLogout> {
    const rules = { issuer, audience, requiredClaims: ['iat', 'jti'], maxTokenAge: longestLogout }
    return logoutIn((await verify(token, rules, refusedLogout)).payload)
  }

  return { address, identify, endAddress, readLogout }
}

/** Seconds for which a logout token is good. Not all have an `exp`, which the standard does not ask for. */
const longestLogout = 300

const refusedLogout = 'logout_token_not_valid'

/** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, 2.4); an ID token has a nonce, and no such event. */
function logoutIn({ jti, iat, sub, sid, events, nonce }: JWTPayload): ProviderLogout {
  const event = isObject(events) ? events['http://schemas.openid.net/event/backchannel-logout'] : undefined
  const [id, subject, session] = [jti, sub, sid].map(nameIn)
  const isWhole = id !== undefined && iat !== undefined && isObject(event) && nonce === undefined
  if (!isWhole || (subject === undefined && session === undefined)) throw new EngineError(refusedLogout)
  return {
    id,
    issuedAt: iat * 1000,
    ...(subject !== undefined && { subject }),
    ...(session !== undefined && { session }),
  }
}

/** What a provider calls a subject, a session or a token; undefined if it calls it nothing, or too much. */
function nameIn(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.length <= 255 ? claim : undefined
}

/** A page of an issuer with these parameters, beside those that it has. */
function pageAt(issuer: string, address: unknown, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(addressAt(issuer, address))
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const unavailable = 'identity_provider_unavailable'

/** What does not come, or is not what it should be, is as if the provider were not there. */
async function orUnavailable<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked
  } catch (error) {
    throw isEngineError(error) ? error : new EngineError(unavailable)
  }
}

/** Requests through the guard of webhooks. */
function guarded({ send }: Outbound): AskIssuer {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const { status, bytes } = await send({
      ...{ method: method === 'POST' ? 'POST' : 'GET', url },
      headers: { Accept: 'application/json', ...Object.fromEntries(new Headers(headers)) },
      ...(typeof body === 'string' && { body }),
      signal: AbortSignal.any([AbortSignal.timeout(bounds.wait), ...(signal ? [signal] : [])]),
    })
    if (bytes.length > bounds.size) throw new EngineError(unavailable)
    return new Response(bytes.length === 0 ? null : Buffer.from(bytes), { status })
  }
}

/** The parameters of an authentication request (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636, 4.3). */
function questionOf({ clientId, redirectUri, scopes, state, nonce, verifier, email }: Omit<SignOnQuestion, 'issuer'>) {
  return {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state, nonce },
    scope: [...new Set(['openid', ...scopes])].join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...{ code_challenge_method: 'S256', login_hint: email },
  }
}

/** The ID token for a code (OpenID Connect Core 1.0, 3.1.3). The client says who it is as the provider wants it. */
async function redeemed(answer: SignOnReturn, metadata: Metadata, ask: AskIssuer): Promise<string> {
  const { issuer, clientId, clientSecret, redirectUri, code, verifier } = answer
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isBasic = Array.isArray(ways) && ways.includes('client_secret_basic')
  const [id, secret] = [clientId, clientSecret].map((text) =>
    String(new URLSearchParams({ text })).slice('text='.length),
  )
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    ...(!isBasic && { client_id: clientId, client_secret: clientSecret }),
  })
  const response = await ask(addressAt(issuer, metadata.token_endpoint), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(isBasic && { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }),
    },
    body: String(form),
  })
  // What the provider says of a code that it refuses (RFC 6749, 5.2).
  if (response.status === 400 || response.status === 401) throw new EngineError('invalid_id_token')
  const tokens: unknown = response.ok ? await response.json() : undefined
  if (!isObject(tokens) || typeof tokens.id_token !== 'string') throw new EngineError(unavailable)
  return tokens.id_token
}

/** Microsoft Entra ID says with `xms_edov`, in place of `email_verified`, that the owner of the domain has given the address. */
function personOf({ xms_edov: isOwned, ...claims }: JWTPayload, audience: string): SignedOnPerson {
  const isVerified = isOwned === true || isOwned === 1 || isOwned === '1' || isOwned === 'true'
  const identity = identityOf(claims, audience)
  const { name } = claims
  const session = nameIn(claims.sid)
  return {
    ...identity,
    isEmailVerified: identity.isEmailVerified || (claims.email_verified === undefined && isVerified),
    ...(typeof name === 'string' && { name }),
    ...(session !== undefined && { session }),
  }
}

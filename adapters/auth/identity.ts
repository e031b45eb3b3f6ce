import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import {
  EngineError,
  type ExpectedNonce,
  type Identity,
  type IdentityProvider,
  isObject,
  sha256,
} from '../../engine/index.ts'

/** Options of the check of ID tokens. */
export interface IdentityOptions {
  readonly clock: () => number
  /** Milliseconds before keys are fetched again after an unknown key id. */
  readonly keyCooldown?: number | undefined
}

/** Accepted algorithms; none that works with public keys as secrets (RFC 8725, 3.1). */
const algorithms = ['RS256', 'ES256']

/** Limits for identity providers: wait in milliseconds, size in bytes, and cache lifetimes in milliseconds. */
const bounds = { wait: 5_000, size: 256 * 1024, kept: 3_600_000, failed: 5_000, issuers: 100 }

/** Tolerated clock difference in seconds. */
const clockTolerance = 30

interface Found {
  readonly keys: Promise<JWTVerifyGetKey>
  /** Epoch milliseconds. */
  until: number
}

/** Identifies the subject of an ID token (OpenID Connect Core 1.0, 3.1.3.7); `Credentials.identify`. */
export function createIdentify({ clock, keyCooldown = 30_000 }: IdentityOptions) {
  const found = new Map<string, Found>()

  /** The keys of an issuer. Concurrent callers share one fetch; a failure is cached for a moment. */
  function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const known = found.get(issuer)
    if (known !== undefined && clock() < known.until) return known.keys
    const looking: Found = { keys: discovered(issuer, keyCooldown), until: clock() + bounds.kept }
    looking.keys.catch(() => {
      looking.until = clock() + bounds.failed
    })
    found.delete(issuer)
    found.set(issuer, looking)
    const [oldest] = found.keys()
    if (found.size > bounds.issuers && oldest !== undefined) found.delete(oldest)
    return looking.keys
  }

  return async (
    idToken: string,
    { issuer, audience }: IdentityProvider,
    expected: ExpectedNonce = {},
  ): Promise<Identity> => {
    const options = { issuer, audience, algorithms, clockTolerance, requiredClaims: ['exp', 'iat', 'sub'] }
    try {
      const keys: JWTVerifyGetKey = async (header, token) => (await keysOf(issuer))(header, token)
      const { payload } = await jwtVerify(idToken, keys, { ...options, currentDate: new Date(clock()) })
      requireNonce(payload.nonce, expected)
      return identityOf(payload, audience)
    } catch (error) {
      throw error instanceof EngineError ? error : new EngineError(isOurs(error) ? 'invalid_id_token' : unavailable)
    }
  }
}

const unavailable = 'identity_provider_unavailable'

/** Whether an error is about the token itself, not about fetching keys. */
function isOurs(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false
  return !['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'].includes(error.code)
}

/**
 * Requires the nonce of this sign-in, or its SHA-256 in hexadecimal: an app that gives the provider only the hash keeps to
 * itself what a stolen token lacks.
 */
function requireNonce(found: unknown, { nonce, isRequired = false }: ExpectedNonce): void {
  if (found === undefined && nonce === undefined && !isRequired) return
  if (nonce === undefined || (found !== nonce && found !== sha256(nonce))) throw new EngineError('invalid_id_token')
}

/** Requires a single audience and a subject of at most 255 characters (OpenID Connect Core 1.0, 2). */
function identityOf({ iss = '', sub = '', aud, email, email_verified }: JWTPayload, audience: string): Identity {
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (audiences.length !== 1 || audiences[0] !== audience || sub === '' || sub.length > 255)
    throw new EngineError('invalid_id_token')
  const isEmailVerified = email_verified === true || email_verified === 'true'
  return { issuer: iss, subject: sub, isEmailVerified, ...(typeof email === 'string' ? { email } : {}) }
}

/** The published keys of an issuer (OpenID Connect Discovery 1.0, 4). */
async function discovered(issuer: string, cooldownDuration: number): Promise<JWTVerifyGetKey> {
  const answer = await get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(bounds.wait),
  })
  const document: unknown = answer.ok ? await answer.json() : undefined
  if (!isObject(document) || document.issuer !== issuer || typeof document.jwks_uri !== 'string')
    throw new EngineError(unavailable)
  const keys = new URL(document.jwks_uri)
  if (isLocal(keys) && !isLocal(new URL(issuer))) throw new EngineError(unavailable)
  return createRemoteJWKSet(keys, {
    timeoutDuration: bounds.wait,
    cooldownDuration,
    cacheMaxAge: bounds.kept,
    [customFetch]: get,
  })
}

/** Fetches over https, or from this machine, without redirects and with a size limit. */
async function get(address: string, options: RequestInit): Promise<Response> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !isLocal(url)) throw new EngineError(unavailable)
  const answer = await fetch(url, { ...options, redirect: 'error' })
  return new Response(await boundedText(answer), { status: answer.status })
}

async function boundedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength
    if (size > bounds.size) throw new EngineError(unavailable)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose'
import { type Code, EngineError, type Identity, isObject } from '../../engine/index.ts'
import { createKeptPromises } from '../node/kept-promises.ts'

/** Sends a request to an issuer. Rejects if there is no whole answer, or a long one. */
export type AskIssuer = (address: string, options: RequestInit) => Promise<Response>

/** Options of the check of tokens of issuers. */
export interface IssuerOptions {
  readonly clock: () => number
  /** Milliseconds of a clock that never goes back; that of the process if absent. */
  readonly now?: (() => number) | undefined
  /** Fetches over https or from this machine if absent, for issuers that the operator has chosen. */
  readonly ask?: AskIssuer | undefined
  /** Milliseconds before keys are fetched again after an unknown key id. */
  readonly keyCooldown?: number | undefined
}

/** Checks the signature of a token of an issuer, and its claims; throws `refusal` if it is not valid. */
export type VerifyToken = (
  token: string,
  options: JWTVerifyOptions & { readonly issuer: string },
  refusal: Code,
) => Promise<JWTVerifyResult>

/** Accepted algorithms; none that works with public keys as secrets (RFC 8725, 3.1). */
const algorithms = ['RS256', 'ES256']

/** Limits for issuers: wait in milliseconds, size in bytes, and cache lifetimes in milliseconds. */
export const bounds = { wait: 5_000, size: 256 * 1024, kept: 3_600_000, failed: 5_000, most: 100 }

/** Tolerated clock difference in seconds. */
const clockTolerance = 30

/** Verifies tokens with the published keys of their issuers, which are fetched once and kept for an hour. */
export function createVerifyToken({
  clock,
  now = () => performance.now(),
  keyCooldown = 30_000,
  ask = get,
}: IssuerOptions): VerifyToken {
  const keep = createKeptPromises<JWTVerifyGetKey>(bounds, now)
  /** The keys of an issuer. */
  const keysOf = (issuer: string) => keep(issuer, () => discovered(issuer, { cooldown: keyCooldown, now, ask }))

  return async (token, options, refusal) => {
    try {
      const keys: JWTVerifyGetKey = async (header, given) => (await keysOf(options.issuer))(header, given)
      const currentDate = new Date(clock())
      const found = await jwtVerify(token, keys, { algorithms, clockTolerance, currentDate, ...options })
      const { iat = 0, sub = '' } = found.payload
      const { typ = '' } = found.protectedHeader
      // What jose does not look at: an issuer can sign anything.
      const isWhole = [sub, typ].every((one: unknown) => typeof one === 'string') && sub.length <= 255
      if (!isWhole || iat > clock() / 1000 + clockTolerance) throw new EngineError(refusal)
      return found
    } catch (error) {
      throw error instanceof EngineError ? error : new EngineError(isOurs(error) ? refusal : unavailable)
    }
  }
}

/** How many keys an issuer publishes; throws `identity_provider_unavailable` if they cannot be fetched. */
export async function countKeys(issuer: string): Promise<number> {
  const keys = await discovered(issuer, { cooldown: 0, now: () => performance.now(), ask: get })
  await keys.reload().catch(() => {
    throw new EngineError(unavailable)
  })
  return keys.jwks()?.keys.length ?? 0
}

/** The email address in the claims of a token, and whether its issuer has verified it. */
export function emailIn({ email, email_verified }: JWTPayload): Pick<Identity, 'email' | 'isEmailVerified'> {
  const isEmailVerified = email_verified === true || email_verified === 'true'
  return { isEmailVerified, ...(typeof email === 'string' ? { email } : {}) }
}

const unavailable = 'identity_provider_unavailable'

/** Whether an error is about the token itself, not about fetching keys. */
function isOurs(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false
  return !['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'].includes(error.code)
}

interface Discovery {
  readonly cooldown: number
  readonly now: () => number
  readonly ask: AskIssuer
}

/** The published keys of an issuer. */
async function discovered(issuer: string, { cooldown, now, ask }: Discovery): Promise<RemoteJWKSet> {
  const { jwks_uri } = await metadataOf(issuer, ask)
  return createRemoteJWKSet(new URL(addressAt(issuer, jwks_uri)), {
    timeoutDuration: bounds.wait,
    cooldownDuration: cooldown,
    cacheMaxAge: bounds.kept,
    [customFetch]: restingAfterFailure(now, ask),
  })
}

/**
 * An address in the metadata of an issuer. One elsewhere cannot send this server to its own machine, and nothing goes there less
 * safely than to the issuer.
 */
export function addressAt(issuer: string, address: unknown): string {
  if (typeof address !== 'string' || !URL.canParse(address)) throw new EngineError(unavailable)
  const [target, own] = [new URL(address), new URL(issuer)]
  if (isLocal(target) && !isLocal(own)) throw new EngineError(unavailable)
  if (target.protocol !== 'https:' && target.protocol !== own.protocol) throw new EngineError(unavailable)
  return address
}

/** Fetches, but not again in the moment after a failure: a sender of tokens with made-up key ids must not cause requests. */
function restingAfterFailure(now: () => number, ask: AskIssuer): AskIssuer {
  let until = 0
  return async (...asked) => {
    if (now() < until) throw new EngineError(unavailable)
    until = now() + bounds.failed
    const answer = await ask(...asked)
    if (answer.ok) until = 0
    return answer
  }
}

/**
 * The metadata of an issuer (OpenID Connect Discovery 1.0, 4), or of an authorization server without OpenID Connect (RFC 8414,
 * 3). Throws `identity_provider_unavailable` if there is none that says that it is of this issuer.
 */
export async function metadataOf(issuer: string, ask: AskIssuer): Promise<Readonly<Record<string, unknown>>> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const addresses = [
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
  for (const address of addresses) {
    const answer = await ask(address, { signal: AbortSignal.timeout(bounds.wait) })
    const document: unknown = answer.ok ? await answer.json() : undefined
    if (isObject(document) && document.issuer === issuer) return document
    if (answer.status !== 404) break
  }
  throw new EngineError(unavailable)
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

import type { JWTPayload } from 'jose'
import { EngineError, type ExpectedNonce, type Identity, type IdentityProvider, sha256 } from '../../engine/index.ts'
import { createVerifyToken, emailIn, type IssuerOptions } from './issuers.ts'

/** Identifies the subject of an ID token (OpenID Connect Core 1.0, 3.1.3.7); `Credentials.identify`. */
export function createIdentify(options: IssuerOptions) {
  const verify = createVerifyToken(options)
  return async (
    idToken: string,
    { issuer, audience }: IdentityProvider,
    expected: ExpectedNonce = {},
  ): Promise<Identity> => {
    const rules = { issuer, audience, requiredClaims: ['exp', 'iat', 'sub'] }
    const { payload } = await verify(idToken, rules, 'invalid_id_token')
    requireNonce(payload.nonce, expected)
    return identityOf(payload, audience)
  }
}

/**
 * Requires the nonce of this sign-in, or its SHA-256 in hexadecimal: an app that gives the provider only the hash keeps to
 * itself what a stolen token lacks.
 */
export function requireNonce(found: unknown, { nonce, isRequired = false }: ExpectedNonce): void {
  if (found === undefined && nonce === undefined && !isRequired) return
  if (nonce === undefined || (found !== nonce && found !== sha256(nonce))) throw new EngineError('invalid_id_token')
}

/** The identity in claims. Requires a single audience and a subject of at most 255 characters (OpenID Connect Core 1.0, 2). */
export function identityOf({ iss = '', sub = '', aud, email, email_verified }: JWTPayload, audience: string): Identity {
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (audiences.length !== 1 || audiences[0] !== audience || sub === '' || sub.length > 255)
    throw new EngineError('invalid_id_token')
  return { issuer: iss, subject: sub, ...emailIn({ email, email_verified }) }
}

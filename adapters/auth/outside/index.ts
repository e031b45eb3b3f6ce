import type { JWTPayload } from 'jose'
import {
  accountIdOfEmail,
  asAccount,
  bindingOf,
  type Caller,
  type Context,
  deriveId,
  EngineError,
  type Facts,
  isBoundTo,
  keyScopes,
  lastBinding,
  requestedScopes,
  scopesOfAccount,
} from '../../../engine/index.ts'
import { asksAlways } from '../../http/oauth.ts'
import type { OutsideIssuer } from '../../node/issuer.ts'
import { createVerifyToken, emailIn, type IssuerOptions } from '../issuers.ts'
import type { AccountOf } from '../tokens.ts'

/** The types of access tokens (RFC 9068, 2.1), and what issuers write that do not follow it. */
const types = ['at+jwt', 'application/at+jwt', 'jwt']

/** How long ago a token may have been issued: who is blocked by the issuer is out after a day at the latest. */
const maxTokenAge = 86_400

/**
 * Identifies the account of an access token of an outside issuer (RFC 9068, 4), with those of its scopes that programs can
 * have and that the account has; throws `unauthenticated` for any other token, and for one of another address.
 */
export function createOutsideTokens(
  parts: Pick<Context, 'credentials'> & IssuerOptions,
  { issuer, emailDomains }: OutsideIssuer,
  accountOf: AccountOf,
): (facts: Facts, token: string, resource: string) => Promise<Caller> {
  const verify = createVerifyToken(parts)

  /** The account that the identity is linked with, or else that of its verified email address in one of the domains. */
  async function accountBehind(facts: Facts, claims: JWTPayload, subject: string) {
    const binding = bindingOf(parts.credentials, { issuer, subject })
    const last = await lastBinding(facts, binding)
    const linked = last && (await accountOf(facts.store, last.data.account_id))
    if (linked !== undefined && isBoundTo(linked.state, issuer, binding)) return linked
    const { email = '', isEmailVerified } = emailIn(claims)
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
    if (!isEmailVerified || !emailDomains.includes(domain)) return undefined
    const id = await accountIdOfEmail({ ...parts, ...facts }, email)
    const found = id === undefined ? undefined : await accountOf(facts.store, id)
    // The identity that is linked is that of somebody else, who had this address at the issuer.
    return found !== undefined && Object.hasOwn(found.state.bindings, issuer) ? undefined : found
  }

  return async (facts, token, resource) => {
    const audience = [resource, `${resource}${asksAlways}`]
    const rules = { issuer, audience, maxTokenAge, requiredClaims: ['exp', 'iat', 'sub'] }
    const { payload, protectedHeader } = await verify(token, rules, 'unauthenticated')
    const { sub = '', scope, scp } = payload
    const isAccessToken = types.includes((protectedHeader.typ ?? 'jwt').toLowerCase()) && payload.nonce === undefined
    if (!isAccessToken || sub === '') throw new EngineError('unauthenticated')
    const found = await accountBehind(facts, payload, sub)
    if (found === undefined || !found.state.is_active) throw new EngineError('unauthenticated')
    const account = asAccount(found.state, found.business)
    const asked = requestedScopes(textOf(scope ?? scp))
    const left: readonly string[] = scopesOfAccount(account)
    return {
      ...{ kind: 'account', name: String(account.id), account },
      signIn: deriveId(`${issuer}\0${sub}\0${sessionIn(payload)}`),
      scopes: keyScopes.filter((one) => asked.includes(one) && left.includes(one)),
    }
  }
}

/** What tells the sign-ins of a subject apart, as far as the issuer says it. */
function sessionIn({ sid, client_id, azp }: JWTPayload): string {
  return [sid, client_id, azp].find((one) => typeof one === 'string') ?? ''
}

/** The scopes of a token: `scope` is a text (RFC 9068, 2.2.3), `scp` a text or a list. A token without any has none. */
function textOf(scopes: unknown): string {
  if (typeof scopes === 'string') return scopes
  return Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string').join(' ') : ''
}

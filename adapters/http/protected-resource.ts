import type { Context as Request } from 'hono'
import { keyScopes } from '../../engine/index.ts'
import { asksAlways, restPath } from './oauth.ts'

/** The path of protected resource metadata (RFC 9728, section 3). */
export const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * The protected resource metadata (RFC 9728, section 2). Without an outside issuer, the authorization server is
 * this server too. Scopes that are for
 * people who have signed in are not among those that a program can ask for.
 */
export function metadataOf(
  baseUrl: string,
  path: string,
  title: string,
  scopes: readonly string[],
  issuer: string = baseUrl,
): object {
  return {
    resource: `${baseUrl}${path}`,
    resource_name: title,
    resource_documentation: `${baseUrl}/`,
    authorization_servers: [issuer],
    scopes_supported: keyScopes.filter((scope) => scopes.includes(scope)),
    bearer_methods_supported: ['header'],
  }
}

/** The query of an address that asks for a token with every request; empty for any other. It is part of the resource there. */
export function modeOf({ req }: Pick<Request, 'req'>): string {
  return req.query('auth') === 'required' ? asksAlways : ''
}

/** The path of the metadata of the REST interface. */
export const restMetadataPath = `${wellKnown}${restPath}`

/** The metadata of the REST interface, for which programs can ask for every scope that they can have. */
export function restMetadataOf(baseUrl: string, issuer: string | undefined): object {
  return metadataOf(baseUrl, restPath, 'OTEP REST', [...keyScopes], issuer)
}

/** Where the metadata of a protected resource lies (RFC 9728, section 3). */
export const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * What clients read before they send a token (RFC 9728, section 2). There is no authorization server to name: tokens come
 * from the login of this server, so that member is left out.
 */
export function metadataOf(baseUrl: string, path: string, title: string, scopes: readonly string[]): object {
  return {
    resource: `${baseUrl}${path}`,
    resource_name: title,
    resource_documentation: `${baseUrl}/`,
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  }
}

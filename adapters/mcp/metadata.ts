/** The path of protected resource metadata (RFC 9728, section 3). */
export const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * The protected resource metadata (RFC 9728, section 2). It names no authorization server, because tokens come from the
 * login of this server.
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

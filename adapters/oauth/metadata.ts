import { keyScopes, scopeBundles } from '../../engine/index.ts'
import { oauthPaths } from '../http/oauth.ts'
import { languagesWith } from '../locales/catalogue.ts'

/** The metadata of the authorization server (RFC 8414, section 2), whose issuer is the address of this server. */
export function metadataOf(baseUrl: string): object {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${oauthPaths.authorize}`,
    token_endpoint: `${baseUrl}${oauthPaths.token}`,
    registration_endpoint: `${baseUrl}${oauthPaths.register}`,
    revocation_endpoint: `${baseUrl}${oauthPaths.revoke}`,
    scopes_supported: [...keyScopes, ...Object.keys(scopeBundles)],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: languagesWith('page.connections'),
    service_documentation: `${baseUrl}/`,
  }
}

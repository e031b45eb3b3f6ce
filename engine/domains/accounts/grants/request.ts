import { requestedScopes } from './bundles.ts'

/** What a client asks a person for, after its id and redirect URI were found to belong together. */
export interface GrantRequest {
  readonly challenge: string
  readonly resource: string
  /** At least one, none that a program cannot have. */
  readonly scopes: readonly string[]
}

/** An error that is told to the client at its redirect URI (RFC 6749, 4.1.2.1; RFC 8707, 2). */
export type RequestError = 'invalid_request' | 'unsupported_response_type' | 'invalid_target' | 'invalid_scope'

/** The parameters of an authorization request; a repeated one counts as none (RFC 6749, 3.1). */
export type Parameter = (name: string) => string | undefined

/** Reads an authorization request (OAuth 2.1, 4.1.1). Without a `resource` it is about the first one. */
export function grantRequestOf(parameter: Parameter, resources: readonly string[]): GrantRequest | RequestError {
  if (parameter('response_type') !== 'code')
    return parameter('response_type') === undefined ? 'invalid_request' : 'unsupported_response_type'
  const challenge = parameter('code_challenge') ?? ''
  if (parameter('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) return 'invalid_request'
  const resource = parameter('resource') ?? resources[0] ?? ''
  if (!resources.includes(resource)) return 'invalid_target'
  const scopes = requestedScopes(parameter('scope'))
  return scopes.length === 0 ? 'invalid_scope' : { challenge, resource, scopes }
}

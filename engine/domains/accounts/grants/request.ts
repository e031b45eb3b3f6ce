import { requestedScopes } from './bundles.ts'

/** What a client asks a person for, after its id and redirect URI were found to belong together. */
export interface GrantRequest {
  readonly challenge: string
  readonly resource: string
  /** At least one, none that a program cannot have. */
  readonly scopes: readonly string[]
}

/** The errors that a client receives at its redirect URI, and what each means there (RFC 6749, 4.1.2.1). */
export const requestErrors = {
  invalid_request: 'A parameter is missing, repeated or not valid; code_challenge_method must be S256.',
  unsupported_response_type: 'The response_type must be code.',
  /** RFC 8707, section 2. */
  invalid_target: 'This server has no such resource.',
  invalid_scope: 'No program can have any of these scopes.',
  /** RFC 9101, section 7. */
  request_not_supported: 'Send the parameters themselves, not a request object.',
  request_uri_not_supported: 'Send the parameters themselves, not the address of a request object.',
  /** OpenID Connect Core 1.0, section 3.1.2.6. */
  interaction_required: 'A person is always asked, so prompt cannot be none.',
} as const

/** An error of a request. */
export type RequestError = keyof typeof requestErrors

/** The parameters of an authorization request; a repeated one counts as none (RFC 6749, 3.1). */
type Parameter = (name: string) => string | undefined

/** The resources of a server, and which of them an address names, if any. */
export interface Resources {
  readonly usual: string
  named(address: string): string | undefined
}

/** Reads an authorization request (OAuth 2.1, 4.1.1). Without a `resource` it is about the usual one. */
export function grantRequestOf(parameter: Parameter, { usual, named }: Resources): GrantRequest | RequestError {
  if (parameter('request') !== undefined) return 'request_not_supported'
  if (parameter('request_uri') !== undefined) return 'request_uri_not_supported'
  if ((parameter('response_mode') ?? 'query') !== 'query') return 'invalid_request'
  if (parameter('prompt')?.split(' ').includes('none')) return 'interaction_required'
  if (parameter('response_type') !== 'code')
    return parameter('response_type') === undefined ? 'invalid_request' : 'unsupported_response_type'
  const challenge = parameter('code_challenge') ?? ''
  if (parameter('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) return 'invalid_request'
  const resource = named(parameter('resource') ?? usual)
  if (resource === undefined) return 'invalid_target'
  const scopes = requestedScopes(parameter('scope'))
  return scopes.length === 0 ? 'invalid_scope' : { challenge, resource, scopes }
}

/** The paths of the two servers for agents, which the tokens of programs are for. */
export const agentPaths = { operations: '/mcp', developer: '/mcp/developer' } as const

/** The path below which the operations of the REST interface are; tokens of programs can be for it, too. */
export const restPath = '/api'

/** The paths of the authorization server, which programs call, but for `authorize`; and the one that identity providers of businesses call. */
export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  providerLogout: '/oauth/backchannel-logout/:business{[1-9]\\d{0,14}}',
} as const

/** The addresses that tokens of programs can be for (RFC 8707). */
export function resourcesOf(baseUrl: string): readonly string[] {
  return [...Object.values(agentPaths), restPath].map((path) => `${baseUrl}${path}`)
}

/** The address that a token of a program has to be for in the REST interface. */
export function restResourceOf(baseUrl: string): string {
  return `${baseUrl}${restPath}`
}

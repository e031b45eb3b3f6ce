/** The paths of the two servers for agents, which the tokens of programs are for. */
export const agentPaths = { operations: '/mcp', developer: '/mcp/developer' } as const

/** The paths of the authorization server. People see `authorize`; programs call the others. */
export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** The addresses that tokens of programs can be for (RFC 8707). */
export function resourcesOf(baseUrl: string): readonly string[] {
  return Object.values(agentPaths).map((path) => `${baseUrl}${path}`)
}

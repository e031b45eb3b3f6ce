import type { Resources } from '../../engine/index.ts'

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

/** How the address of a server for agents asks for a token with every request, for clients that sign in only when they connect. */
export const asksAlways = '?auth=required'

/**
 * The addresses that tokens of programs can be for (RFC 8707). An address is compared as RFC 3986 (6.2) says, and with the
 * mode of a connection it is the same resource.
 */
export function resourcesOf(baseUrl: string): Resources {
  const all = [...Object.values(agentPaths), restPath].map((path) => `${baseUrl}${path}`)
  return {
    usual: `${baseUrl}${agentPaths.operations}`,
    named: (address) => {
      if (!URL.canParse(address)) return undefined
      const { href } = new URL(address)
      const plain = href.endsWith(asksAlways) ? href.slice(0, -asksAlways.length) : href
      return all.find((one) => new URL(one).href === plain)
    },
  }
}

/** The address that a token of a program has to be for in the REST interface. */
export function restResourceOf(baseUrl: string): string {
  return `${baseUrl}${restPath}`
}

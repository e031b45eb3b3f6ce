import { type ProtocolError, Server, type ServerOptions } from '@modelcontextprotocol/server'
import { excerptOf } from '../../engine/index.ts'
import { completionOf } from './completion.ts'
import { offerPrompts } from './offer-prompts.ts'
import { offerResources } from './offer-resources.ts'
import { inProtocol, invalid, requireFirstPage } from './protocol-errors.ts'
import type { Setup } from './setup.ts'
import { callTool } from './tool-call.ts'
import type { ToolRequest } from './tool-request.ts'

/** Supported protocol versions, newest first. */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** Version 2026-07-28, whose requests can listen to changes, or an earlier one, which would need a session for that. */
type Era = 'modern' | 'legacy'

/** Milliseconds that clients may cache a list or the discovery. */
const lifetimes = { list: 60_000, discovery: 3_600_000 }

/**
 * Creates a server for one request. That costs less than sharing one, and clients cannot see each other's answers. The
 * catalogue is prepared, so nothing is registered.
 */
export function createServer(setup: Setup, asking: ToolRequest, era: Era): Server {
  const { catalogue, title, version } = setup
  const { context } = asking
  const server = new Server({ name: 'otep-engine', title, version }, optionsOf(setup, asking, era))
  server.setRequestHandler('tools/list', ({ params }) => {
    requireFirstPage(params?.cursor, asking)
    return { tools: [...catalogue.list(context.caller)] }
  })
  server.setRequestHandler('tools/call', ({ params }) => {
    const entry = catalogue.find(params.name)
    if (entry === undefined) throw missing(params.name, setup, asking)
    return callTool(entry, params.arguments ?? {}, asking)
  })
  offerResources(server, setup, asking)
  offerPrompts(server, setup, asking)
  server.setRequestHandler('completion/complete', ({ params }) =>
    inProtocol(asking, () => completionOf(params, setup, asking)),
  )
  return server
}

function optionsOf({ instructions }: Setup, { connection }: ToolRequest, era: Era): ServerOptions {
  // Caches distinguish lists by token, but not by the headers that narrow them.
  const list = { ttlMs: connection.scopes === undefined ? lifetimes.list : 0, cacheScope: 'private' } as const
  return {
    capabilities: {
      tools: { listChanged: false },
      resources: { subscribe: era === 'modern', listChanged: false },
      prompts: { listChanged: false },
      completions: {},
    },
    instructions,
    supportedProtocolVersions: protocolVersions,
    cacheHints: {
      'tools/list': list,
      'prompts/list': list,
      'resources/list': list,
      'resources/templates/list': list,
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
      'server/discover': { ttlMs: lifetimes.discovery, cacheScope: 'public' },
    },
  }
}

function missing(name: string, { catalogue }: Setup, asking: ToolRequest): ProtocolError {
  const received = excerptOf(name)
  const place = catalogue.elsewhere(name)
  if (place === undefined) return invalid('unknown_tool', { received }, asking)
  return invalid('tool_elsewhere', { received, place }, asking)
}

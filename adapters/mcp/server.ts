import { ProtocolError, ProtocolErrorCode, Server, type ServerOptions } from '@modelcontextprotocol/server'
import { type Code, messageOf, shown } from '../../engine/index.ts'
import type { Catalogue } from './catalogue.ts'
import { type Asking, callTool } from './tool-call.ts'

/** The protocol versions that are spoken, the newest first. */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** One of the two servers: its tools, and how it presents itself. */
export interface Setup {
  readonly catalogue: Catalogue
  readonly title: string
  readonly version: string
  /** What agents are told of it; fewer than 2,048 characters, or clients cut it. */
  readonly instructions: string
}

/** In milliseconds: how long a client may keep what it was told. */
const lifetimes = { list: 60_000, discovery: 3_600_000 }

/**
 * A server for one request: to make one costs less than to share one, and one client never sees what another was
 * answered. It knows its tools by the prepared catalogue, so nothing is registered.
 */
export function createServer(setup: Setup, asking: Asking): Server {
  const { catalogue, title, version } = setup
  const { context } = asking
  const server = new Server({ name: 'otep-engine', title, version }, optionsOf(setup, asking))
  server.setRequestHandler('tools/list', ({ params }) => {
    if (params?.cursor !== undefined) throw invalid('unknown_cursor', { received: shown(params.cursor) }, asking)
    return { tools: [...catalogue.list(context.caller)] }
  })
  server.setRequestHandler('tools/call', ({ params }) => {
    const entry = catalogue.find(params.name)
    if (entry === undefined) throw missing(params.name, setup, asking)
    return callTool(entry, params.arguments ?? {}, asking)
  })
  return server
}

function optionsOf({ instructions }: Setup, { connection }: Asking): ServerOptions {
  // Caches tell lists apart by their token and not by the headers that narrow them.
  const ttlMs = connection.scopes === undefined ? lifetimes.list : 0
  return {
    capabilities: { tools: { listChanged: false } },
    instructions,
    supportedProtocolVersions: protocolVersions,
    cacheHints: {
      'tools/list': { ttlMs, cacheScope: 'private' },
      'server/discover': { ttlMs: lifetimes.discovery, cacheScope: 'public' },
    },
  }
}

function missing(name: string, { catalogue }: Setup, asking: Asking): ProtocolError {
  const received = shown(name)
  const place = catalogue.elsewhere(name)
  if (place === undefined) return invalid('unknown_tool', { received }, asking)
  return invalid('tool_elsewhere', { received, place }, asking)
}

function invalid(code: Code, params: Readonly<Record<string, string>>, { context }: Asking): ProtocolError {
  const message = messageOf(code, params, context.messages)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

import { ProtocolError, ProtocolErrorCode, Server, type ServerOptions } from '@modelcontextprotocol/server'
import { type Code, excerptOf, messageOf } from '../../engine/index.ts'
import type { Catalogue } from './catalogue.ts'
import { callTool, type ToolRequest } from './tool-call.ts'

/** Supported protocol versions, newest first. */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** One of the two servers. */
export interface Setup {
  readonly catalogue: Catalogue
  readonly title: string
  readonly version: string
  /** Instructions for agents; clients cut them at 2,048 characters. */
  readonly instructions: string
}

/** Milliseconds that clients may cache a list or the discovery. */
const lifetimes = { list: 60_000, discovery: 3_600_000 }

/**
 * Creates a server for one request. That costs less than sharing one, and clients cannot see each other's answers. The
 * catalogue is prepared, so nothing is registered.
 */
export function createServer(setup: Setup, asking: ToolRequest): Server {
  const { catalogue, title, version } = setup
  const { context } = asking
  const server = new Server({ name: 'otep-engine', title, version }, optionsOf(setup, asking))
  server.setRequestHandler('tools/list', ({ params }) => {
    if (params?.cursor !== undefined) throw invalid('unknown_cursor', { received: excerptOf(params.cursor) }, asking)
    return { tools: [...catalogue.list(context.caller)] }
  })
  server.setRequestHandler('tools/call', ({ params }) => {
    const entry = catalogue.find(params.name)
    if (entry === undefined) throw missing(params.name, setup, asking)
    return callTool(entry, params.arguments ?? {}, asking)
  })
  return server
}

function optionsOf({ instructions }: Setup, { connection }: ToolRequest): ServerOptions {
  // Caches distinguish lists by token, but not by the headers that narrow them.
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

function missing(name: string, { catalogue }: Setup, asking: ToolRequest): ProtocolError {
  const received = excerptOf(name)
  const place = catalogue.elsewhere(name)
  if (place === undefined) return invalid('unknown_tool', { received }, asking)
  return invalid('tool_elsewhere', { received, place }, asking)
}

function invalid(code: Code, params: Readonly<Record<string, string>>, { context }: ToolRequest): ProtocolError {
  const message = messageOf(code, params, context.messages)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

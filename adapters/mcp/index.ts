import { Hono } from 'hono'
import { baseHeaders } from '../http/headers.ts'
import type { Door } from '../node/door.ts'
import { createCatalogue } from './catalogue.ts'
import { createEndpoint } from './endpoint.ts'
import { instructions } from './instructions.ts'
import { metadataOf, wellKnown } from './metadata.ts'
import { answerPreflight, refuseMethod } from './methods.ts'
import type { StatusOf } from './refusal.ts'
import type { Propose } from './tool-call.ts'

/** What the servers do not know themselves. */
export interface McpOptions {
  readonly statusOf: StatusOf
  /** Queues a call for an approval; without it a connection that asks for approvals has its high-risk writes refused. */
  readonly propose?: Propose | undefined
}

const servers = [
  { path: '/mcp', title: 'OTEP operations', instructions: instructions.operations },
  { path: '/mcp/developer', title: 'OTEP developer', instructions: instructions.developer },
] as const

/**
 * The operations server and the developer server for agents (Model Context Protocol, five versions, without sessions), and
 * what clients look up about them. Both have the same tools.
 */
export function createMcp(door: Door, options: McpOptions): Hono {
  const app = new Hono()
  const catalogue = createCatalogue(door.operations)
  for (const { path, ...texts } of servers) {
    const { statusOf } = options
    app.post(path, createEndpoint(door, { catalogue, version: door.version, ...texts }, { path, ...options }))
    app.options(path, (request) => answerPreflight(request, door, statusOf))
    app.all(path, (request) => refuseMethod(request, door, statusOf))
  }
  for (const { at, path, title } of documents) {
    app.get(at, (request) => {
      const { baseUrl } = door.enter(request).context
      return request.json(metadataOf(baseUrl, path, title, catalogue.scopes), 200, publicHeaders)
    })
    // Clients in browsers name their version even here.
    app.options(at, () => new Response(null, { status: 204, headers: publicHeaders }))
  }
  return app
}

/** The document of each server at its own address, and that of the first at the root too. */
const documents = [
  { ...servers[0], at: wellKnown },
  ...servers.map((server) => ({ ...server, at: `${wellKnown}${server.path}` })),
]

const publicHeaders = {
  ...baseHeaders,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'MCP-Protocol-Version',
  'Cache-Control': 'public, max-age=300',
}

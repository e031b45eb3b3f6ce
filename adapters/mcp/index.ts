import { Hono } from 'hono'
import { baseHeaders } from '../http/headers.ts'
import type { Door } from '../node/door.ts'
import { createCatalogue, type ServerName, serverPaths } from './catalogue.ts'
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
  { name: 'operations', title: 'OTEP operations' },
  { name: 'developer', title: 'OTEP developer' },
] as const

/**
 * The operations server and the developer server for agents (Model Context Protocol, five versions, without sessions), and
 * their metadata.
 */
export function createMcp(door: Door, options: McpOptions): Hono {
  const app = new Hono()
  for (const { name, title } of servers) {
    const { statusOf } = options
    const path = serverPaths[name]
    const catalogue = createCatalogue(door.operations, name)
    const setup = { catalogue, title, version: door.version, instructions: instructions[name] }
    app.post(path, createEndpoint(door, setup, { path, ...options }))
    app.options(path, (request) => answerPreflight(request, door, statusOf))
    app.all(path, (request) => refuseMethod(request, door, statusOf))
    for (const address of metadataAddresses(name)) {
      app.get(address, (request) => {
        const { baseUrl } = door.enter(request).context
        return request.json(metadataOf(baseUrl, path, title, catalogue.scopes), 200, publicHeaders)
      })
      // Clients in browsers name their version even here.
      app.options(address, () => new Response(null, { status: 204, headers: publicHeaders }))
    }
  }
  return app
}

/** The metadata of each server has its own address; that of the operations server is at the root too. */
function metadataAddresses(name: ServerName): readonly string[] {
  const own = `${wellKnown}${serverPaths[name]}`
  return name === 'operations' ? [wellKnown, own] : [own]
}

const publicHeaders = {
  ...baseHeaders,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'MCP-Protocol-Version',
  'Cache-Control': 'public, max-age=300',
}

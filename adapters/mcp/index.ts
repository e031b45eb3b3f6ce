import { Hono } from 'hono'
import { baseHeaders } from '../http/headers.ts'
import { agentPaths } from '../http/oauth.ts'
import type { Gateway } from '../node/gateway.ts'
import { createCatalogue, type ServerName } from './catalogue.ts'
import { createEndpoint } from './endpoint.ts'
import { instructions } from './instructions.ts'
import { metadataOf, wellKnown } from './metadata.ts'
import { answerPreflight, refuseMethod } from './methods.ts'
import type { StatusOf } from './refusal.ts'
import type { Propose } from './tool-call.ts'

/** Dependencies of the servers. */
export interface McpOptions {
  readonly statusOf: StatusOf
  /** Queues a call for approval; without it, connections that require approvals cannot make high-risk writes. */
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
export function createMcp(gateway: Gateway, options: McpOptions): Hono {
  const app = new Hono()
  for (const { name, title } of servers) {
    const { statusOf } = options
    const path = agentPaths[name]
    const catalogue = createCatalogue(gateway.operations, name)
    const setup = { catalogue, title, version: gateway.version, instructions: instructions[name] }
    app.post(path, createEndpoint(gateway, setup, { path, ...options }))
    app.options(path, (request) => answerPreflight(request, gateway, statusOf))
    app.all(path, (request) => refuseMethod(request, gateway, statusOf))
    for (const address of metadataAddresses(name)) {
      app.get(address, (request) => {
        const opened = gateway.open(request)
        opened.take('public_reads')
        const { baseUrl } = opened.context
        return request.json(metadataOf(baseUrl, path, title, catalogue.scopes), 200, publicHeaders)
      })
      // Browser clients send their protocol version even here.
      app.options(address, () => new Response(null, { status: 204, headers: publicHeaders }))
    }
  }
  return app
}

/** The addresses of the metadata of a server; those of the operations server include the root. */
function metadataAddresses(name: ServerName): readonly string[] {
  const own = `${wellKnown}${agentPaths[name]}`
  return name === 'operations' ? [wellKnown, own] : [own]
}

const publicHeaders = {
  ...baseHeaders,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'MCP-Protocol-Version',
  'Cache-Control': 'public, max-age=300',
}

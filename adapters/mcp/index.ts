import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { baseHeaders } from '../http/headers.ts'
import { agentPaths } from '../http/oauth.ts'
import { metadataOf, modeOf, wellKnown } from '../http/protected-resource.ts'
import type { Gateway } from '../node/gateway.ts'
import { createCatalogue, type ServerName } from './catalogue.ts'
import { type DeveloperParts, developerTools } from './developer/index.ts'
import { createEndpoint } from './endpoint.ts'
import { instructions } from './instructions.ts'
import { answerPreflight, refuseMethod } from './methods.ts'
import { promptsOf } from './prompts/index.ts'
import { resourcesOf } from './resources/index.ts'
import type { Setup } from './setup.ts'
import type { Propose } from './tool-request.ts'

/** Dependencies of the servers. */
export interface McpOptions extends DeveloperParts {
  /** Queues a call for approval; without it, connections that require approvals cannot make high-risk writes. */
  readonly propose?: Propose | undefined
  /** Who gives out the tokens of agents; this server if absent. */
  readonly issuer?: string | undefined
}

const servers = [
  { name: 'operations', title: 'OTEP operations' },
  { name: 'developer', title: 'OTEP developer' },
] as const

/**
 * The operations server and the developer server for agents (Model Context Protocol, five versions, without sessions), and
 * their metadata.
 */
export async function createMcp(gateway: Gateway, options: McpOptions): Promise<Hono> {
  const app = new Hono()
  for (const { name, title } of servers) {
    // It is made at the first request, beside the requests of others.
    await setImmediate()
    const { statusOf } = options
    const path = agentPaths[name]
    const setup = setupOf(gateway, options, name, title)
    const { catalogue } = setup
    app.post(path, createEndpoint(gateway, setup, { path, ...options }))
    app.options(path, (request) => answerPreflight(request, gateway, statusOf))
    app.all(path, (request) => refuseMethod(request, gateway, statusOf))
    for (const address of metadataAddresses(name)) {
      app.get(address, (request) => {
        const opened = gateway.open(request)
        opened.take('public_reads')
        const { baseUrl } = opened.context
        return request.json(
          metadataOf(baseUrl, path + modeOf(request), title, catalogue.scopes, options.issuer),
          200,
          publicHeaders,
        )
      })
      // Browser clients send their protocol version even here.
      app.options(address, () => new Response(null, { status: 204, headers: publicHeaders }))
    }
  }
  return app
}

/** What a server offers. Who connects to the developer server without naming scopes gets the tools that it alone has. */
function setupOf({ operations, version }: Gateway, options: McpOptions, name: ServerName, title: string): Setup {
  const all = [...operations, ...developerTools(operations, options)]
  const catalogue = createCatalogue(all, name)
  return {
    catalogue,
    resources: resourcesOf(operations, options.published, name),
    prompts: promptsOf(operations, name),
    ...{ title, version, instructions: instructions[name] },
    ...(name === 'developer' && { ownScopes: catalogue.ownScopes }),
  }
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

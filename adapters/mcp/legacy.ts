import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { isObject } from '../../engine/index.ts'
import { createServer, type Setup } from './server.ts'
import type { Asking } from './tool-call.ts'

/** What the transport reads of a request; whatever a client accepts, it is answered in JSON. */
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** Answers messages of a version before 2026-07-28: without a session, so that each request stands for itself. */
export async function answerLegacy(raw: Request, body: unknown, setup: Setup, asking: Asking): Promise<Response> {
  // A call that its own batch cancels would never be answered, and nothing else can be cancelled without a session.
  const parsedBody = Array.isArray(body) ? body.filter((message) => !isCancelling(message)) : body
  if (Array.isArray(parsedBody) && parsedBody.length === 0) return new Response(null, { status: 202 })
  const version = raw.headers.get('mcp-protocol-version')
  const own = version === null ? headers : { ...headers, 'MCP-Protocol-Version': version }
  const server = createServer(setup, asking)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(new Request(raw.url, { method: 'POST', headers: own }), { parsedBody })
  } finally {
    await server.close()
  }
}

function isCancelling(message: unknown): boolean {
  return isObject(message) && message.method === 'notifications/cancelled'
}

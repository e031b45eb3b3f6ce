import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { isObject } from '../../engine/index.ts'
import { createServer } from './server.ts'
import type { Setup } from './setup.ts'
import type { ToolRequest } from './tool-request.ts'

/** Headers for the transport: whatever a client accepts, the response is JSON. */
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** Answers messages of protocol versions before 2026-07-28, without sessions. */
export async function answerLegacy(raw: Request, body: unknown, setup: Setup, asking: ToolRequest): Promise<Response> {
  // Drops cancellations: a call cancelled in its own batch would never be answered, and without sessions nothing else
  // can be cancelled.
  const parsedBody = Array.isArray(body) ? body.filter((message) => !isCancelling(message)) : body
  if (Array.isArray(parsedBody) && parsedBody.length === 0) return new Response(null, { status: 202 })
  const version = raw.headers.get('mcp-protocol-version')
  const own = version === null ? headers : { ...headers, 'MCP-Protocol-Version': version }
  const server = createServer(setup, asking, 'legacy')
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const answer = await transport.handleRequest(new Request(raw.url, { method: 'POST', headers: own }), { parsedBody })
    return Array.isArray(body) ? await inList(answer) : answer
  } finally {
    await server.close()
  }
}

/** A batch is answered by a list, also where it asked for one answer alone (JSON-RPC 2.0, section 6). */
async function inList(answer: Response): Promise<Response> {
  const { status, headers } = answer
  const text = await answer.text()
  return new Response(status !== 200 || text.startsWith('[') ? text || null : `[${text}]`, { status, headers })
}

function isCancelling(message: unknown): boolean {
  return isObject(message) && message.method === 'notifications/cancelled'
}

import type { Context as Request } from 'hono'
import { EngineError } from '../../engine/index.ts'
import { postalCodeHeader } from '../http/pass.ts'
import type { Gateway } from '../node/gateway.ts'
import { corsHeaders, originOf } from './origin.ts'
import { refuse, type StatusOf } from './refusal.ts'

const allow = 'POST, OPTIONS'

const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': [
    'Authorization',
    'Content-Type',
    'Accept',
    'Accept-Language',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'Last-Event-ID',
    'X-MCP-Profile',
    'X-MCP-Scopes',
    'X-MCP-Dry-Run',
    'X-MCP-Require-Approval',
    postalCodeHeader,
    'X-Request-Id',
  ].join(', '),
  'Access-Control-Max-Age': '86400',
}

/** Answers a CORS preflight request (Fetch standard). */
export function answerPreflight(request: Request, gateway: Gateway, statusOf: StatusOf): Response {
  const opened = gateway.open(request)
  try {
    const origin = originOf(request.req.header('origin'), opened.context.baseUrl)
    return new Response(null, { status: 204, headers: { ...corsHeaders(origin), ...preflightHeaders, Allow: allow } })
  } catch (error) {
    return refuse(error, opened, { statusOf })
  }
}

/** Refuses other methods: without sessions there is nothing to listen to and nothing to end. */
export function refuseMethod(request: Request, gateway: Gateway, statusOf: StatusOf): Response {
  const error = new EngineError('method_not_allowed', { received: request.req.method, expected: 'POST' })
  return refuse(error, gateway.open(request), { statusOf, headers: { Allow: allow } })
}

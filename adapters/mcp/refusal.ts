import { type Code, EngineError, isEngineError, isObject, messageOf, remark } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { retryHeaders } from '../http/retry.ts'
import type { OpenRequest } from '../node/gateway.ts'

/** The HTTP status of a code. */
export type StatusOf = (code: Code) => number

/** A JSON-RPC error response for a request that does not reach the protocol, with the error envelope as its data. */
export function refuse(
  error: unknown,
  { context, report }: OpenRequest,
  { statusOf, body, headers = {} }: { statusOf: StatusOf; body?: unknown; headers?: Readonly<Record<string, string>> },
): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown) report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { code, params, findings } = known
  const message = messageOf(code, params, context.messages)
  const errors = findings.map((finding) => remark(finding, context.messages))
  const data = { result: false, code, message, ...(errors.length > 0 && { errors }) }
  const rpc = { jsonrpc: '2.0', id: idOf(body), error: { code: numberOf(code), message: `${code}: ${message}`, data } }
  const status = statusOf(code)
  return new Response(JSON.stringify(rpc), {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...baseHeaders,
      ...retryHeaders(status, known),
      ...headers,
    },
  })
}

/** The JSON-RPC error number of a code. */
function numberOf(code: Code): number {
  if (code === 'malformed_json') return -32_700
  return code === 'internal' || code === 'store_unavailable' ? -32_603 : -32_600
}

function idOf(body: unknown): string | number | null {
  const id = isObject(body) ? body.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

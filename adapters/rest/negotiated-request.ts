import type { Context as Request } from 'hono'
import { authorizeAndValidate, type Context, isObject } from '../../engine/index.ts'
import { type Negotiated, negotiate } from '../http/negotiate.ts'
import type { JsonSchema } from '../http/schema.ts'
import type { Routed } from './routed.ts'

/** A routed operation, with the headers of all its responses. */
export interface Route<Placed extends Routed = Routed> {
  readonly operation: Placed
  /** The JSON Schema of its input, built on first use because a server has hundreds of operations. */
  readonly schema: () => JsonSchema
  readonly headers: Readonly<Record<string, string>>
  /** Largest body in bytes. */
  readonly bodyLimit: number
}

/** Answers a permitted request; messages in the answer are in `language`. */
export type Respond = (request: Request, context: Context, language: string) => Promise<Response>

/** The validated input of a request, and the form of its response. */
export interface NegotiatedRequest {
  readonly input: unknown
  readonly wanted: Negotiated
}

const plainJson: Negotiated = { type: 'application/json', place: 0 }

/** Validates the input of a request; `Accept` may choose the format. */
export function negotiateRequest(
  request: Request,
  operation: Routed,
  context: Context,
  given: unknown,
): NegotiatedRequest {
  const { formats } = operation.rest
  const wanted = formats === undefined ? plainJson : negotiateFormat(request, context, given, formats)
  const input = authorizeAndValidate(
    operation,
    context,
    wanted.format === undefined ? given : withFormat(given, wanted.format),
  )
  return { input, wanted }
}

/** Combines `Accept` and the `format` of the input. */
function negotiateFormat(request: Request, { formats }: Context, given: unknown, kind: 'one' | 'many'): Negotiated {
  const format = isObject(given) ? given.format : undefined
  const named = typeof format === 'string' ? format : undefined
  return negotiate(formats, request.req.header('accept'), { named, kind })
}

function withFormat(given: unknown, format: string): unknown {
  return isObject(given) ? { ...given, format } : given
}

import type { Context as Request } from 'hono'
import { admit, type Context, isObject } from '../../engine/index.ts'
import { type Negotiated, negotiate } from '../http/negotiate.ts'
import type { JsonSchema } from '../http/schema.ts'
import type { Routed } from './routed.ts'

/** An operation at its place, with the headers that all its answers carry. */
export interface Route<Placed extends Routed = Routed> {
  readonly operation: Placed
  /** That of its input; made when it is first needed, as a server has hundreds. */
  readonly schema: () => JsonSchema
  readonly headers: Readonly<Record<string, string>>
}

/** Answers a request that was let in. */
export type Respond = (request: Request, context: Context) => Promise<Response>

/** What a request asks an operation for, and how it is to be answered. */
export interface Asked {
  readonly input: unknown
  readonly wanted: Negotiated
}

const plain: Negotiated = { type: 'application/json', place: 0 }

/** What is asked for by an input, as far as the door lets it in; `Accept` may choose its format. */
export function askedOf(request: Request, operation: Routed, context: Context, given: unknown): Asked {
  const { formats } = operation.rest
  const wanted = formats === undefined ? plain : negotiated(request, context, given, formats)
  const input = admit(operation, context, wanted.format === undefined ? given : withFormat(given, wanted.format))
  return { input, wanted }
}

/** What `Accept` and the `format` of the input choose together. */
function negotiated(request: Request, { formats }: Context, given: unknown, kind: 'one' | 'many'): Negotiated {
  const format = isObject(given) ? given.format : undefined
  const named = typeof format === 'string' ? format : undefined
  return negotiate(formats, request.req.header('accept'), { named, kind })
}

function withFormat(given: unknown, format: string): unknown {
  return isObject(given) ? { ...given, format } : given
}

import type { AnswerVersion, Context } from '../../engine/index.ts'
import type { NegotiatedRequest } from './negotiated-request.ts'
import type { Versioned } from './routed.ts'
import type { Body } from './text.ts'

/** A response that is valid as long as its tag is current. */
export interface FinishedAnswer {
  readonly tag: string
  readonly type: string
  readonly body: Body
}

/** A validated request with its last response. */
export interface CachedRequest extends NegotiatedRequest {
  /** The current version, for a caller who sees no more than the public. */
  readonly version: (context: Context) => Promise<AnswerVersion>
  readonly finished?: FinishedAnswer
  readonly operation: Versioned
  /** Its path in the router. */
  readonly path: string
  /** The headers of all responses to it. */
  readonly headers: Readonly<Record<string, string>>
}

/** What all requests of a route have in common. */
export type RouteParts = Pick<CachedRequest, 'operation' | 'path' | 'headers'>

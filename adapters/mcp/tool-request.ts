import type { Answer, Context, Members, Operation } from '../../engine/index.ts'
import type { OpenRequest } from '../node/gateway.ts'
import type { Limits } from '../node/limits.ts'
import type { Connection } from './connection.ts'

/** Queues a validated call for approval, once per idempotency key; returns the proposal. */
export type Propose = (context: Context, operation: Operation, input: Members, key?: string) => Promise<Answer>

/** The caller of the tools of a request, and the rules of the connection. */
export interface ToolRequest {
  /** Its caller has only the scopes that the connection leaves. */
  readonly context: Context
  readonly connection: Connection
  readonly limits: Limits
  readonly report: OpenRequest['report']
  /** Whether the token came as an argument: announced as deprecated until the end of 2026, then refused. */
  readonly tokenArgument?: 'deprecated' | 'ended'
  readonly propose?: Propose | undefined
}

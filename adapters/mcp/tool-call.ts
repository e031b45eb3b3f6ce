import type { CallToolResult } from '@modelcontextprotocol/server'
import {
  type Answer,
  admit,
  type Context,
  changesIn,
  EngineError,
  isEngineError,
  isObject,
  isWriting,
  type Members,
  messageOf,
  type Operation,
  perform,
  preview,
  remark,
} from '../../engine/index.ts'
import type { Entered } from '../node/door.ts'
import type { Entry } from './catalogue.ts'
import type { Connection } from './connection.ts'
import { takeApart } from './control.ts'

/** Queues a call that was let in for somebody to approve, once for an idempotency key, and answers the proposal. */
export type Propose = (context: Context, operation: Operation, input: Members, key?: string) => Promise<Answer>

/** Who calls tools in a request, and by what rules. */
export interface Asking {
  /** Its caller has the scopes that the connection leaves. */
  readonly context: Context
  readonly connection: Connection
  readonly report: Entered['report']
  /** Whether the token came as an argument: it is told of until the end of 2026, and then refused. */
  readonly tokenArgument?: 'deprecated' | 'ended'
  readonly propose?: Propose | undefined
}

/** Carries out a tool call by the rules of its connection. What the caller can put right is a result, not an error. */
export async function callTool(entry: Entry, given: Answer, asking: Asking): Promise<CallToolResult> {
  try {
    if (asking.tokenArgument === 'ended') throw new EngineError('api_token_ended')
    return withNotice(resultOf(await carriedOut(entry, given, asking)), asking)
  } catch (error) {
    return refused(error, asking)
  }
}

async function carriedOut({ operation, control }: Entry, given: Answer, asking: Asking): Promise<Answer> {
  const { context, connection } = asking
  const { name, scopes, risk } = operation
  if (!scopes.every((scope) => context.caller.scopes.includes(scope)))
    throw new EngineError('outside_connection', { tool: name, scopes: scopes.join(', ') })
  const { input, confirm, idempotencyKey } = takeApart(control, given)
  const value = admit(operation, context, input)
  const writes = isWriting(operation)
  if (writes && connection.isDryRun) {
    const { answer, appends } = await preview(operation, context, value)
    return { status: 'dry_run', data: answer, changes: changesIn(appends, context.caller) }
  }
  if (risk === 'high') {
    if (writes && connection.needsApproval) {
      const approval = await proposing(asking, name)(context, operation, input, idempotencyKey)
      return { status: 'approval_required', approval }
    }
    if (!confirm) throw new EngineError('confirm_required', { tool: name })
  }
  const answer = await perform(operation, context, value, idempotencyKey)
  return writes ? { status: 'done', data: answer } : answer
}

function proposing({ propose }: Asking, tool: string): Propose {
  if (propose === undefined) throw new EngineError('approvals_unavailable', { tool })
  return propose
}

/** An answer as data, and as a text for clients that read only that. */
function resultOf(answer: Answer): CallToolResult {
  const text = JSON.stringify(answer)
  // A call that was refused and still has much to tell.
  const told = answer.result === undefined && isObject(answer.data) ? answer.data : answer
  const refusal = told.result === false && typeof told.code === 'string' ? `${told.code}: ` : undefined
  return {
    content: [{ type: 'text', text: `${refusal ?? ''}${text}` }],
    structuredContent: answer,
    ...(refusal !== undefined && { isError: true }),
  }
}

/** A refusal as a text, by which models go: its code, what to do, and what was found where. */
function refused(error: unknown, { context, report }: Asking): CallToolResult {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown) report(error)
  const { code, params, findings } = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { messages } = context
  const found = findings.map((finding) => remark(finding, messages))
  const lines = found.map(({ path, code, message }) => `- ${path === '' ? '' : `${path}: `}${message} (${code})`)
  const text = [`${code}: ${messageOf(code, params, messages)}`, ...lines].join('\n')
  return { content: [{ type: 'text', text }], isError: true }
}

function withNotice(result: CallToolResult, { tokenArgument, context }: Asking): CallToolResult {
  if (tokenArgument === undefined) return result
  const text = messageOf('api_token_deprecated', {}, context.messages)
  return { ...result, content: [...result.content, { type: 'text', text }], _meta: { 'otep/notice': text } }
}

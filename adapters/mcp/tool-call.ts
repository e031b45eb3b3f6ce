import type { CallToolResult } from '@modelcontextprotocol/server'
import {
  type Answer,
  authorizeAndValidate,
  type Context,
  changesIn,
  createPauses,
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
import { jsonPieces } from '../http/json-pieces.ts'
import { withLists } from '../http/schema.ts'
import type { OpenRequest } from '../node/gateway.ts'
import { countCall, runLimited } from '../node/limited.ts'
import type { Limits } from '../node/limits.ts'
import type { Entry } from './catalogue.ts'
import type { Connection } from './connection.ts'
import { splitArguments } from './control.ts'

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

/**
 * Runs a tool call by the rules of its connection. What the caller can correct is a result with `isError`, not a
 * protocol error.
 */
export async function callTool(entry: Entry, given: Answer, asking: ToolRequest): Promise<CallToolResult> {
  try {
    if (asking.tokenArgument === 'ended') throw new EngineError('api_token_ended')
    const answer = await runTool(entry, given, asking)
    const text = isWriting(entry.operation) ? JSON.stringify(answer) : await boundedText(answer, asking.context)
    return withNotice(answerResult(answer, text), asking)
  } catch (error) {
    return refusalResult(error, asking)
  }
}

async function runTool({ operation, control, listed }: Entry, given: Answer, asking: ToolRequest): Promise<Answer> {
  const { context, connection, limits } = asking
  const { name, scopes, risk } = operation
  if (!scopes.every((scope) => context.caller.scopes.includes(scope)))
    throw new EngineError('outside_connection', { tool: name, scopes: scopes.join(', ') })
  const { input, confirm, idempotencyKey } = splitArguments(control, withLists(listed.inputSchema, given))
  countCall(limits, operation, context)
  const value = authorizeAndValidate(operation, context, input)
  const writes = isWriting(operation)
  if (writes && connection.isDryRun) {
    const { answer, appends } = await preview(operation, context, value)
    return { status: 'dry_run', data: answer, changes: changesIn(appends, context.caller) }
  }
  if (risk === 'high') {
    if (writes && connection.needsApproval) {
      const approval = await requirePropose(asking, name)(context, operation, input, idempotencyKey)
      return { status: 'approval_required', approval }
    }
    if (!confirm) throw new EngineError('confirm_required', { tool: name })
  }
  const answer = await runLimited(limits, operation, context, () => perform(operation, context, value, idempotencyKey))
  return writes ? { status: 'done', data: answer } : answer
}

function requirePropose({ propose }: ToolRequest, tool: string): Propose {
  if (propose === undefined) throw new EngineError('approvals_unavailable', { tool })
  return propose
}

/** The longest answer of a tool that reads, in characters. The protocol sends it in one message, and twice. */
const maxAnswer = 512 * 1024

/** The JSON text of an answer. Throws `answer_too_large`; while a long one is written, others are served. */
async function boundedText(answer: Answer, { pause }: Context): Promise<string> {
  const pauses = createPauses(pause)
  let text = ''
  for (const piece of jsonPieces(answer)) {
    text += piece
    if (text.length > maxAnswer) throw new EngineError('answer_too_large', { limit: maxAnswer })
    await pauses.next()
  }
  return text
}

/** An answer as structured content, and as text for clients that only read text. */
function answerResult(answer: Answer, text: string): CallToolResult {
  // A refused call may still have a detailed answer.
  const told = answer.result === undefined && isObject(answer.data) ? answer.data : answer
  const refusal = told.result === false && typeof told.code === 'string' ? `${told.code}: ` : undefined
  return {
    content: [{ type: 'text', text: `${refusal ?? ''}${text}` }],
    structuredContent: answer,
    ...(refusal !== undefined && { isError: true }),
  }
}

/** A refusal as text for models: the code, what to do, and the findings with their places. */
function refusalResult(error: unknown, { context, report }: ToolRequest): CallToolResult {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown) report(error)
  const { code, params, findings } = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { messages } = context
  const found = findings.map((finding) => remark(finding, messages))
  const lines = found.map(({ path, code, message }) => `- ${path === '' ? '' : `${path}: `}${message} (${code})`)
  const text = [`${code}: ${messageOf(code, params, messages)}`, ...lines].join('\n')
  return { content: [{ type: 'text', text }], isError: true }
}

function withNotice(result: CallToolResult, { tokenArgument, context }: ToolRequest): CallToolResult {
  if (tokenArgument === undefined) return result
  const text = messageOf('api_token_deprecated', {}, context.messages)
  return { ...result, content: [...result.content, { type: 'text', text }], _meta: { 'otep/notice': text } }
}

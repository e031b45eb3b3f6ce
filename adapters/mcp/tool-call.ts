import type { CallToolResult } from '@modelcontextprotocol/server'
import {
  type Answer,
  authorizeAndValidate,
  changesIn,
  EngineError,
  isEngineError,
  isObject,
  isWriting,
  messageOf,
  perform,
  preview,
  remark,
} from '../../engine/index.ts'
import { withLists } from '../http/schema.ts'
import { countCall, runLimited } from '../node/limited.ts'
import type { Entry } from './catalogue.ts'
import { splitArguments } from './control.ts'
import { boundedText } from './read.ts'
import type { Propose, ToolRequest } from './tool-request.ts'

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
  const { connection, limits } = asking
  const { name, scopes, risk } = operation
  if (!scopes.every((scope) => asking.context.caller.scopes.includes(scope)))
    throw new EngineError('outside_connection', { tool: name, scopes: scopes.join(', ') })
  const { input, confirm, idempotencyKey, postalCode } = splitArguments(control, withLists(listed.inputSchema, given))
  const context =
    postalCode === undefined ? asking.context : { ...asking.context, pass: { ...asking.context.pass, postalCode } }
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

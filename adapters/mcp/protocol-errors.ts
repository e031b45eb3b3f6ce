import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { type Code, EngineError, excerptOf, isEngineError, kinds, messageOf, remark } from '../../engine/index.ts'
import type { ToolRequest } from './tool-request.ts'

/** An error of the protocol for parameters that are wrong, in the language of the caller. */
export function invalid(
  code: Code,
  params: Readonly<Record<string, string>>,
  { context }: Pick<ToolRequest, 'context'>,
): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, messageOf(code, params, context.messages))
}

/** Lists have one page. Throws `unknown_cursor` for any other. */
export function requireFirstPage(cursor: string | undefined, asking: Pick<ToolRequest, 'context'>): void {
  if (cursor !== undefined) throw invalid('unknown_cursor', { received: excerptOf(cursor) }, asking)
}

/**
 * Turns refusals into errors of the protocol: a resource that is not there into its own, others into wrong parameters
 * with the code and the findings as data. Anything unexpected is logged, and told without its words.
 */
export async function inProtocol<Result>(
  asking: Pick<ToolRequest, 'context' | 'report'>,
  answer: () => Result | Promise<Result>,
  uri?: string,
): Promise<Result> {
  try {
    return await answer()
  } catch (error) {
    throw error instanceof ProtocolError ? error : protocolErrorOf(error, asking, uri)
  }
}

function protocolErrorOf(
  error: unknown,
  { context, report }: Pick<ToolRequest, 'context' | 'report'>,
  uri?: string,
): ProtocolError {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown) report(error)
  const { code, params, findings } = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { messages } = context
  const text = `${code}: ${messageOf(code, params, messages)}`
  if (uri !== undefined && kinds[code] === 'not_found') return new ResourceNotFoundError(uri, text)
  const errors = findings.map((finding) => remark(finding, messages))
  const number = isKnown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(number, text, { code, ...(errors.length > 0 && { errors }) })
}

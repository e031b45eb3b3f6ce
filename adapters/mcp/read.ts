import {
  type Answer,
  authorizeAndValidate,
  type Context,
  createPauses,
  EngineError,
  type Operation,
  perform,
} from '../../engine/index.ts'
import { jsonPieces } from '../http/json-pieces.ts'
import { countCall, runLimited } from '../node/limited.ts'
import type { ToolRequest } from './tool-request.ts'

/** The answer of an operation that reads, within the limits of the caller. */
export async function readBy(
  operation: Operation,
  input: Answer,
  { context, limits }: Pick<ToolRequest, 'context' | 'limits'>,
): Promise<Answer> {
  countCall(limits, operation, context)
  const value = authorizeAndValidate(operation, context, input)
  return runLimited(limits, operation, context, () => perform(operation, context, value))
}

/** The longest text of a tool that reads or of a resource, in characters. The protocol sends it in one message, and that of a tool twice. */
const maxAnswer = 512 * 1024

/** The JSON text of a value. Throws `answer_too_large`; while a long one is written, others are served. */
export async function boundedText(value: unknown, { pause }: Pick<Context, 'pause'>): Promise<string> {
  const pauses = createPauses(pause)
  let text = ''
  for (const piece of jsonPieces(value)) {
    text += piece
    if (text.length > maxAnswer) throw new EngineError('answer_too_large', { limit: maxAnswer })
    await pauses.next()
  }
  return text
}

/** The operation of this name; what reads it is not offered where the program has other operations. */
export function operationNamed(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find((one) => one.name === name)
}

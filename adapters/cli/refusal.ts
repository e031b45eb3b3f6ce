import { isEngineError, messageOf } from '../../engine/index.ts'
import type { Terminal } from './command.ts'
import { messagesFor } from './session.ts'

/** The message of an engine error in the language of the environment; `undefined` for other errors. */
export function refusal(error: unknown, env: Terminal['env']): string | undefined {
  if (!isEngineError(error)) return undefined
  const messages = messagesFor(env)
  const lines = [messageOf(error.code, error.params, messages)]
  // Operators may see the cause, which HTTP callers may not.
  if (error.cause instanceof Error) lines.push(`  ${error.cause.message}`)
  for (const { path, code, params } of error.findings) lines.push(`  ${path}: ${messageOf(code, params, messages)}`)
  return `${lines.join('\n')}\n`
}

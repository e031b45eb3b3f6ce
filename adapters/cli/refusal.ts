import { isEngineError, messageOf } from '../../engine/index.ts'
import type { Terminal } from './command.ts'
import { messagesFor } from './session.ts'

/** What the engine refused, in the language of the environment; nothing where the error is not the engine's. */
export function refusal(error: unknown, env: Terminal['env']): string | undefined {
  if (!isEngineError(error)) return undefined
  const messages = messagesFor(env)
  const lines = [messageOf(error.code, error.params, messages)]
  // Whoever runs a command may know what its caller over HTTP may not.
  if (error.cause instanceof Error) lines.push(`  ${error.cause.message}`)
  for (const { path, code, params } of error.findings) lines.push(`  ${path}: ${messageOf(code, params, messages)}`)
  return `${lines.join('\n')}\n`
}

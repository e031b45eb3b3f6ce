import type { PromptMessage } from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { EngineError, parse } from '../../engine/index.ts'
import type { Complete, Values } from './resource.ts'
import type { ToolRequest } from './tool-request.ts'

/** An argument of a prompt, as people fill it in. */
interface Argument {
  readonly name: string
  readonly description: string
  readonly required?: true
  /** Its possible values; none are offered if absent. */
  readonly complete?: Complete
}

/** A task that people choose, with the words that a model needs for it. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The tools that it tells the model to use; a connection without one of them does not get the prompt. */
  readonly tools: readonly string[]
  readonly arguments: readonly Argument[]
  /** Throws an `EngineError` if the values name what does not exist for the caller. */
  messages(values: Values, asking: ToolRequest): Promise<readonly PromptMessage[]>
}

/** The arguments of a prompt. Throws `invalid_input` with what is missing, unknown or too long. */
export function argumentsOf({ arguments: wanted }: Prompt, given: unknown): Values {
  const text = v.pipe(v.string(), v.maxLength(64 * 1024))
  const entries = wanted.map(({ name, required }) => [name, required ? text : v.exactOptional(text)] as const)
  const { value, findings } = parse(v.strictObject(Object.fromEntries(entries)), given ?? {})
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return value as Values
}

/** What a person says. */
export function said(...lines: readonly string[]): PromptMessage {
  return { role: 'user', content: { type: 'text', text: lines.join('\n') } }
}

/** A resource that comes with what a person says. */
export function enclosed(uri: string, text: string, mimeType = 'application/json'): PromptMessage {
  return { role: 'user', content: { type: 'resource', resource: { uri, mimeType, text } } }
}

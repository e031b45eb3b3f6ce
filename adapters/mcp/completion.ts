import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import { EngineError, excerptOf } from '../../engine/index.ts'
import type { Complete } from './resource.ts'
import type { Setup } from './setup.ts'
import type { ToolRequest } from './tool-request.ts'

/** The most values of an answer (Model Context Protocol, completion). */
const most = 100

/**
 * The values of a variable or an argument that begin like the given text. Throws `unknown_resource`, `unknown_prompt` and
 * `unknown_argument`.
 */
export async function completionOf(
  { ref, argument, context }: CompleteRequestParams,
  setup: Setup,
  asking: ToolRequest,
): Promise<CompleteResult> {
  const complete = completerOf(ref, argument.name, setup)
  const all = complete === undefined ? [] : await complete(asking, context?.arguments ?? {})
  const begun = all.filter((one) => one.toLowerCase().startsWith(argument.value.toLowerCase()))
  return { completion: { values: begun.slice(0, most), total: begun.length, hasMore: begun.length > most } }
}

function completerOf(ref: CompleteRequestParams['ref'], name: string, setup: Setup): Complete | undefined {
  if (ref.type === 'ref/resource') {
    const resource = setup.resources.find(({ uri }) => uri === ref.uri)
    if (resource === undefined) throw new EngineError('unknown_resource', { received: excerptOf(ref.uri) })
    if (!resource.uri.includes(`{${name}}`)) throw new EngineError('unknown_argument', { received: excerptOf(name) })
    return resource.complete?.[name]
  }
  const prompt = setup.prompts.find((one) => one.name === ref.name)
  if (prompt === undefined) throw new EngineError('unknown_prompt', { received: excerptOf(ref.name) })
  const argument = prompt.arguments.find((one) => one.name === name)
  if (argument === undefined) throw new EngineError('unknown_argument', { received: excerptOf(name) })
  return argument.complete
}

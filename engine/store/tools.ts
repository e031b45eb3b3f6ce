import { admit } from '../kernel/call.ts'
import type { Tools } from '../kernel/context.ts'
import { EngineError } from '../kernel/errors.ts'
import { isWriting, type Operation } from '../kernel/operation.ts'
import { previewOnce } from './perform.ts'

/** The operations that are tools, by their names. */
export function createTools(operations: readonly Operation[]): Tools {
  const tools = new Map(operations.filter(({ mcp }) => mcp !== undefined).map((tool) => [tool.name, tool]))

  function named(name: string): Operation {
    const tool = tools.get(name)
    if (tool === undefined) throw new EngineError('unknown_tool', { received: name })
    return tool
  }

  return {
    find: (name) => {
      const tool = tools.get(name)
      if (tool === undefined) return undefined
      const { scopes, risk, mcp } = tool
      return { name, title: mcp?.title ?? name, scopes, risk, writes: isWriting(tool) }
    },
    admit: (context, name, input) => void admit(named(name), context, input),
    preview: async (context, name, input) => previewOnce(named(name), context, admit(named(name), context, input)),
  }
}

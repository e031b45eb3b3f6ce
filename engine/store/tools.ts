import { authorizeAndValidate } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import { EngineError } from '../kernel/errors.ts'
import { isWriting, type Operation } from '../kernel/operation.ts'
import { type Preview, previewOnce } from './perform.ts'

/** What is known of an operation that is asked for by its name. */
export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly scopes: readonly string[]
  readonly risk: Operation['risk']
  readonly writes: boolean
}

/** The operations that are tools, by their names. */
export interface Tools {
  /** A tool; nothing where there is none of this name. */
  find(name: string): ToolFacts | undefined
  /** Lets an input through the door of a tool as the caller of the context, or refuses it. */
  authorizeAndValidate(context: Context, name: string, input: unknown): void
  /** What a call of a tool would do, through its door; nothing is recorded. Refuses with `wrong_expected_revision` where somebody else writes meanwhile. */
  preview(context: Context, name: string, input: unknown): Promise<Preview>
}

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
    authorizeAndValidate: (context, name, input) => void authorizeAndValidate(named(name), context, input),
    preview: async (context, name, input) =>
      previewOnce(named(name), context, authorizeAndValidate(named(name), context, input)),
  }
}

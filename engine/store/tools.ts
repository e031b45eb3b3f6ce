import { authorizeAndValidate } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import { EngineError } from '../kernel/errors.ts'
import { type Answer, isWriting, type Operation } from '../kernel/operation.ts'
import { type Preview, previewOnce, settled } from './perform.ts'

/** The properties of an operation that is looked up by name. */
interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly scopes: readonly string[]
  readonly risk: Operation['risk']
  readonly writes: boolean
}

/** The operations that are tools, by their names. */
export interface Tools {
  /** The tool of this name, if there is one. */
  find(name: string): ToolFacts | undefined
  /** Checks the caller's rights and the input of a tool; throws if either is wrong. */
  authorizeAndValidate(context: Context, name: string, input: unknown): void
  /**
   * What a call of a tool would do; nothing is recorded. Throws `wrong_expected_revision` if another writer was
   * faster.
   */
  preview(context: Context, name: string, input: unknown): Promise<Preview>
  /** The answer of a tool whose events are recorded, once its work outside of the house is done (`Operation.settle`). */
  settle(context: Context, name: string, answer: Answer): Promise<Answer>
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
    settle: (context, name, answer) => settled(named(name), context, answer),
  }
}

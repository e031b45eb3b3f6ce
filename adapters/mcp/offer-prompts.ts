import type { Prompt as ListedPrompt, Server } from '@modelcontextprotocol/server'
import { EngineError, excerptOf, isOpenTo } from '../../engine/index.ts'
import { argumentsOf, type Prompt } from './prompt.ts'
import { inProtocol, requireFirstPage } from './protocol-errors.ts'
import type { Setup } from './setup.ts'
import type { ToolRequest } from './tool-request.ts'

/** Lists and fills in the prompts of a server whose tools the caller has. */
export function offerPrompts(server: Server, { catalogue, prompts }: Setup, asking: ToolRequest): void {
  const { caller } = asking.context
  const open = prompts.filter(({ tools }) =>
    tools.every((name) => {
      const tool = catalogue.find(name)
      return tool !== undefined && isOpenTo(tool.operation, caller)
    }),
  )
  server.setRequestHandler('prompts/list', ({ params }) => {
    requireFirstPage(params?.cursor, asking)
    return { prompts: open.map(listedOf) }
  })
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given } }) =>
    inProtocol(asking, async () => {
      const prompt = open.find((one) => one.name === name)
      if (prompt === undefined) throw new EngineError('unknown_prompt', { received: excerptOf(name) })
      const messages = await prompt.messages(argumentsOf(prompt, given), asking)
      return { description: prompt.description, messages: [...messages] }
    }),
  )
}

function listedOf({ name, title, description, arguments: wanted }: Prompt): ListedPrompt {
  const filled = wanted.map((one) => ({
    name: one.name,
    description: one.description,
    required: one.required === true,
  }))
  return { name, title, description, arguments: filled }
}

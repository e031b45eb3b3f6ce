import type { Operation } from '../../../engine/index.ts'
import type { ServerName } from '../catalogue.ts'
import type { Prompt } from '../prompt.ts'
import { developerPrompts } from './developer.ts'
import { operationsPrompts } from './operations.ts'

/** THE LIST of the prompts of a server. */
export function promptsOf(operations: readonly Operation[], server: ServerName): readonly Prompt[] {
  return server === 'developer' ? developerPrompts : operationsPrompts(operations)
}

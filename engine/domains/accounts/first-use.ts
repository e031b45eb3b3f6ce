import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import type { Code } from '../../kernel/messages/index.ts'

/** Refuses what was used before at any node, and is good for less than an hour. */
export async function requireFirstUse(
  { credentials }: Pick<Context, 'credentials'>,
  thing: string,
  refusal: Code,
): Promise<void> {
  await credentials.attempts.countTry(thing, 1).catch((error: unknown) => {
    throw isEngineError(error, 'too_many_attempts') ? new EngineError(refusal) : error
  })
}

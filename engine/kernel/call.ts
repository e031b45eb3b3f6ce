import type { GenericSchema, InferOutput } from 'valibot'
import type { Context } from './context.ts'
import { EngineError } from './errors.ts'
import type { Answer, Operation } from './operation.ts'
import { parse } from './parse.ts'

/** The one door, first half: checks the caller's scopes and the input, and answers the input as the handler may see it. */
export function admit<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  input: unknown,
): InferOutput<Input> {
  requireScopes(context, operation.scopes)
  const { value, findings } = parse(operation.input, input)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return value
}

/** Calls an operation through the door: scopes, input, then its handler. */
export async function call<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  input: unknown,
): Promise<Answer> {
  return operation.handle(context, admit(operation, context, input))
}

/** Refuses a caller that lacks one of the scopes: `unauthenticated` for the public, `forbidden` for the known. */
export function requireScopes(context: Context, scopes: readonly string[]): void {
  if (scopes.every((scope) => context.caller.scopes.includes(scope))) return
  throw new EngineError(context.caller.kind === 'anonymous' ? 'unauthenticated' : 'forbidden', {
    scopes: scopes.join(', '),
  })
}

import * as v from 'valibot'
import { authorizeAndValidate, type Operation, perform } from '../../../engine/index.ts'
import type { Visitor } from './session.ts'

/** Calls an operation and returns its output with its type, checked by its output schema; prices that are hidden are missing. */
export async function outputOf<Output extends v.GenericSchema>(
  operation: Operation<v.GenericSchema, Output>,
  { context }: Pick<Visitor, 'context'>,
  input: unknown,
): Promise<v.InferOutput<Output>> {
  const value = authorizeAndValidate(operation, context, input)
  const { price_hidden: _, ...answer } = await perform(operation, context, value)
  return v.parse(operation.output, answer)
}

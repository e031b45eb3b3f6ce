import * as v from 'valibot'
import { call, type Operation } from '../../../engine/index.ts'
import type { Visitor } from './session.ts'

/** Calls an operation and returns its output with its type, checked by its output schema; prices that are hidden are missing. */
export async function outputOf<Output extends v.GenericSchema>(
  operation: Operation<v.GenericSchema, Output>,
  { context }: Pick<Visitor, 'context'>,
  input: unknown,
): Promise<v.InferOutput<Output>> {
  const { price_hidden: _, ...answer } = await call(operation, context, input)
  return v.parse(operation.output, answer)
}

import type { GenericSchema, InferOutput } from 'valibot'
import type { Context } from './context.ts'
import { isEngineError } from './errors.ts'
import type { Answer, Audited, Operation } from './operation.ts'

/** Tells the security log that a call was refused; it keeps refusals for lack of credentials or rights. */
export function auditRefusal(context: Context, operation: Partial<Pick<Operation, 'name'>>, error: unknown): void {
  if (!isEngineError(error)) return
  const { name } = operation
  context.audit?.(context, {
    ...{ event: 'access', outcome: 'refused', reason: error.code },
    ...(name === undefined ? {} : { operation: name }),
  })
}

/** Logs how a call of an audited operation ended; an unexpected error is none of its entries. */
export async function auditEnd<Input extends GenericSchema>(
  context: Context,
  audited: Audited<Input>,
  input: InferOutput<Input>,
  end: { readonly answer: Answer } | { readonly error: unknown },
): Promise<void> {
  const { audit } = context
  if (audit === undefined || ('error' in end && !isEngineError(end.error))) return
  const about = await audited.concerned?.(context, input, 'answer' in end ? end.answer : undefined)
  const reason = 'error' in end && isEngineError(end.error) ? end.error.code : undefined
  audit(context, {
    event: audited.event(input),
    ...{ outcome: reason === undefined ? 'ok' : reason === 'too_many_attempts' ? 'delayed' : 'refused' },
    ...(reason === undefined ? {} : { reason }),
    ...(about === undefined ? {} : { concerned: about }),
  })
}

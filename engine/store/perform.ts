import type { GenericSchema, InferOutput } from 'valibot'
import { executeOperation } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Append } from '../kernel/event-store.ts'
import { deriveId } from '../kernel/id.ts'
import { type Answer, isWriting, type Operation } from '../kernel/operation.ts'
import type { StreamName } from '../kernel/stream.ts'
import { asStoreConflict, createCollectingStore, isCollecting } from './collect.ts'
import { retryOnConflict } from './execute.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** What a call would do: its answer and what it would record. */
export interface Preview {
  readonly answer: Answer
  readonly appends: readonly Append[]
}

/** The fact that a call was answered; what a call that writes is answered tells nothing of people. */
interface RecordedAnswer {
  readonly request: string
  readonly answer: Answer
}

/** The type of the event that keeps the answer under an idempotency key. */
export const callAnswered = 'Answered'

/**
 * Runs an operation on an input that was let in, and records nothing: not even a number is taken. Begins again where
 * somebody else has written meanwhile.
 */
export async function preview<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Preview> {
  return retryOnConflict(() => previewOnce(operation, context, value))
}

/** As `preview`, for whoever begins again himself: refuses with `wrong_expected_revision` where somebody else has written. */
export async function previewOnce<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Preview> {
  const store = createCollectingStore(context.store, context.clock)
  try {
    return { answer: await executeOperation(operation, { ...context, store }, value), appends: store.appends() }
  } catch (error) {
    throw isCollecting(context.store) ? error : asStoreConflict(error)
  }
}

/** Calls under one idempotency key, by its stream. */
const queue = createKeyedQueue<StreamName>()

/**
 * Runs an operation on an input that was let in. Under an idempotency key what it does and what it answers are recorded as
 * one: the same call again gets the same answer, another one under the same key `idempotency_key_reused`. Calls at once wait
 * for each other, so that what reaches outside of the store is done once at this node too. A key belongs to its caller and
 * its operation; a refusal is not kept.
 */
export async function perform<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
  idempotencyKey?: string,
): Promise<Answer> {
  if (idempotencyKey === undefined || operation.secret === true || !isWriting(operation))
    return executeOperation(operation, context, value)
  const { store, caller, credentials } = context
  const stream: StreamName = `idempotency-${deriveId(caller.kind, caller.name, operation.name, idempotencyKey)}`
  const request = credentials.blind(JSON.stringify(value))
  const attempt = async () => {
    const [known] = await store.read(stream, { limit: 1 })
    if (known !== undefined) return replayed(known.data as RecordedAnswer, request)
    const done = await previewOnce(operation, context, value)
    const fact = {
      id: context.randomId(),
      type: callAnswered,
      data: { request, answer: done.answer } satisfies RecordedAnswer,
    }
    const metadata = { actor: `${caller.kind}:${caller.name}`, correlationId: context.requestId, schemaVersion: 1 }
    await store.appendMany([...done.appends, { stream, events: [{ ...fact, metadata }], expected: 'no-stream' }])
    return done.answer
  }
  return queue(stream, () => retryOnConflict(attempt))
}

function replayed({ request, answer }: RecordedAnswer, asked: string): Answer {
  if (request !== asked) throw new EngineError('idempotency_key_reused')
  return answer
}

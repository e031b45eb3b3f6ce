import type { GenericSchema, InferOutput } from 'valibot'
import { actorOf } from '../kernel/audit.ts'
import { executeOperation, visibleAnswer } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import { EngineError, isRefusal } from '../kernel/errors.ts'
import type { Append } from '../kernel/event-store.ts'
import { deriveId } from '../kernel/id.ts'
import { type Answer, isWriting, type Operation } from '../kernel/operation.ts'
import type { StreamName } from '../kernel/stream.ts'
import { collect } from './collect.ts'
import { retryOnConflict } from './execute.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** What a call would do: its answer and its appends. */
export interface Preview {
  readonly answer: Answer
  readonly appends: readonly Append[]
}

/** Records the answer of a call. Answers of writing operations contain no personal data. */
interface RecordedAnswer {
  readonly request: string
  readonly answer: Answer
}

/** Type of the event that stores the answer under an idempotency key. */
export const callAnswered = 'Answered'

/**
 * Runs an operation on validated input without recording anything, not even a sequence number: nobody gets a message, and the
 * security log has no entry of it. Retries when another writer was faster.
 */
export async function preview<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Preview> {
  return retryOnConflict(() => previewOnce(operation, silent(context), value))
}

/** A context in which nobody gets a message, and the security log has no entry, because nothing is done. */
export function silent({ audit: _, ...context }: Context): Context {
  return { ...context, messenger: { ...context.messenger, post: () => {} } }
}

/**
 * Like `preview`, but without retries: throws `wrong_expected_revision` when another writer was faster. What a refusal records where
 * a secret is given is recorded here too: a wrong code counts, or a preview would tell of each guess whether it is right.
 */
export async function previewOnce<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Preview> {
  const { result: answer, appends } = await collect(context, async (collecting) => {
    try {
      return await executeOperation(operation, collecting, value)
    } catch (error) {
      const counted = operation.secret === true && isRefusal(error) ? collecting.store.appends() : []
      if (counted.length > 0) await context.store.appendMany(counted)
      throw error
    }
  })
  return { answer, appends }
}

/** Calls with the same idempotency key, by stream. */
const queue = createKeyedQueue<StreamName>()

/**
 * Runs an operation on validated input. With an idempotency key, its events and its answer are recorded in one
 * transaction: the same request gets the same answer again, and another request with the same key is refused with
 * `idempotency_key_reused`. Concurrent calls wait for each other, so a node also does external work only once. A key
 * belongs to one caller and one operation; refusals are not stored. What is to be done outside of the house follows. `onReplay` is
 * called if the answer is one that was recorded before.
 */
export async function perform<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
  idempotencyKey?: string,
  onReplay: () => void = () => {},
): Promise<Answer> {
  if (idempotencyKey === undefined || operation.secret === true || !isWriting(operation))
    return settled(operation, context, await executeOperation(operation, context, value))
  const { store, caller, credentials } = context
  const stream: StreamName = `idempotency-${deriveId(caller.kind, caller.name, operation.name, idempotencyKey)}`
  const request = credentials.blind(JSON.stringify(value))
  const recorded = async () => {
    // What a call before this one recorded may be newer than the view of this request.
    const [known] = await (store.origin ?? store).read(stream, { limit: 1 })
    if (known === undefined) return undefined
    const answer = answerTo(request, known.data as RecordedAnswer)
    onReplay()
    return answer
  }
  const carryOut = async () => {
    const done = await previewOnce(operation, context, value)
    const fact = {
      id: context.randomId(),
      type: callAnswered,
      data: { request, answer: done.answer } satisfies RecordedAnswer,
    }
    const metadata = { actor: actorOf(caller), correlationId: context.requestId, schemaVersion: 1 }
    await store.appendMany([...done.appends, { stream, events: [{ ...fact, metadata }], expected: 'no-stream' }])
    return done.answer
  }
  const attempt = async () =>
    (await recorded()) ??
    carryOut().catch(async (error: unknown) => {
      // Another node may have carried out the same call meanwhile, and may be why this one is refused, or too late.
      const since = await recorded()
      if (since === undefined) throw error
      return since
    })
  return queue(stream, async () => settled(operation, context, await retryOnConflict(attempt)))
}

/** The answer once its work outside of the house is done; that of a repeated call is settled again. */
export async function settled<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  answer: Answer,
): Promise<Answer> {
  if (operation.settle === undefined) return answer
  return visibleAnswer(operation, context, await operation.settle(context, answer))
}

function answerTo(request: string, { request: recorded, answer }: RecordedAnswer): Answer {
  if (recorded !== request) throw new EngineError('idempotency_key_reused')
  return answer
}

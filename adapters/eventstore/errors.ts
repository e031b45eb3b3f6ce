import { ErrorType, type MaxAppendSizeExceededError } from '@eventstore/db-client'
import { EngineError, isEngineError } from '../../engine/index.ts'

/** A call without an answer in time: its effect is unknown. */
export const timedOut: Error = Object.assign(new Error('The event store server does not answer in time.'), {
  name: 'Timeout',
  stack: '',
})

/** Errors after which a retry may succeed; the call may also have succeeded. */
const temporaryTypes: ReadonlySet<unknown> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.NOT_LEADER,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  // Unclassified errors, such as a full disk.
  ErrorType.UNKNOWN,
])

/** Connection failures without a type: no node answers, or the channel was closed. */
const unnamed = /^(Failed to discover|Channel has been shut down)/

/** Marks the cause of an outage that outlasted the retries. */
const outage: unique symbol = Symbol('an outage')

/** Whether a retry may succeed. */
export function isTemporary(error: unknown): boolean {
  return error === timedOut || temporaryTypes.has(typeOf(error)) || unnamed.test(textOf(error)) || isOutage(error)
}

/** Whether a call failed only because it ran out of time for retries. */
export function isOutage(error: unknown): boolean {
  return isEngineError(error) && error.cause instanceof Error && outage in error.cause
}

/** The error of a call that may succeed later, and may also have succeeded. */
export function unavailable(reason: string): Error {
  return Object.assign(new Error(reason), { type: ErrorType.UNAVAILABLE })
}

/** Whether an error has this type of the client. */
function isType(error: unknown, type: ErrorType): boolean {
  return typeOf(error) === type
}

/** What a server refuses: the credentials, or what they may do. */
export type Denial = 'credentials' | 'right'

/** Status of gRPC for credentials that are not accepted. */
const unauthenticated = 16

/** Whether and what a server denied. */
export function denialOf(error: unknown): Denial | undefined {
  if (!isType(error, ErrorType.ACCESS_DENIED)) return undefined
  return (error as { readonly code?: unknown }).code === unauthenticated ? 'credentials' : 'right'
}

/**
 * The engine error of a failed call: `store_unavailable`, with the reason as its `cause`, if the server or the
 * connection failed; `too_large_to_store` if the server never takes so much; otherwise `internal`. Never contains the connection string.
 */
export function failureOf(error: unknown): EngineError {
  if (isEngineError(error)) return error
  if (isType(error, ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED)) return tooLarge(error)
  const reason = reasonOf(error)
  if (reason === undefined) return withCause(misuse(textOf(error)), error)
  const cause = new Error(reason)
  return withCause(
    new EngineError('store_unavailable'),
    isTemporary(error) ? Object.assign(cause, { [outage]: true }) : cause,
  )
}

/** The error of a stream whose events others have hidden, so that nobody knows where it ends. */
export function hidden(): EngineError {
  return withCause(
    new EngineError('store_unavailable'),
    new Error('All events of a stream of the engine were hidden on the event store server.'),
  )
}

function tooLarge(error: unknown): EngineError {
  const { maxAppendSize: limit } = error as MaxAppendSizeExceededError
  return withCause(new EngineError('too_large_to_store', { limit }), error)
}

/** The error of invalid use, or of a server that this store cannot work with. */
export function misuse(request: string): EngineError {
  return new EngineError('internal', { request })
}

function reasonOf(error: unknown): string | undefined {
  if (error === timedOut) return textOf(error)
  const type = typeOf(error)
  if (type === ErrorType.ACCESS_DENIED) {
    return 'The event store server does not take these credentials, or they do not allow this.'
  }
  if (type === ErrorType.STREAM_DELETED) return 'A stream of the engine was deleted on the event store server.'
  return isTemporary(error) ? `The event store server cannot be used: ${textOf(error)}` : undefined
}

function withCause(failure: EngineError, cause: unknown): EngineError {
  failure.cause = cause
  return failure
}

function typeOf(error: unknown): unknown {
  return error instanceof Error && 'type' in error ? error.type : undefined
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The answer, or `undefined` for an error of this type. */
export async function unless<Answer>(type: ErrorType, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isType(error, type)) return undefined
    throw error
  }
}

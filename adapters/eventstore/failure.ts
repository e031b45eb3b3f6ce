import { ErrorType } from '@eventstore/db-client'
import { EngineError, isEngineError } from '../../engine/index.ts'

/** A call that was not answered in time: whether it was done is unknown. */
export const late: unique symbol = Symbol('not answered in time')

/** After these the same call may work, and may have worked: nobody knows. */
const passing: ReadonlySet<unknown> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.NOT_LEADER,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  // What the server cannot name: a full disk, among other things.
  ErrorType.UNKNOWN,
])

/** Failures of the way to the server that the client gives no type: no node answers, or the channel was just given up. */
const unnamed = /^(Failed to discover|Channel has been shut down)/

/** Marks the cause of a failure that was waited for, and lasted longer. */
const outage: unique symbol = Symbol('an outage')

/** Whether it is worth to send the same call again. */
export function isPassing(error: unknown): boolean {
  return error === late || passing.has(typeOf(error)) || unnamed.test(textOf(error)) || isOutage(error)
}

/** Whether a call failed only because it could not wait for longer. */
function isOutage(error: unknown): boolean {
  return isEngineError(error) && error.cause instanceof Error && outage in error.cause
}

/** Whether the error is of this type of the client. */
export function isType(error: unknown, type: ErrorType): boolean {
  return typeOf(error) === type
}

/**
 * What a failed call means to the caller: `store_unavailable` where the server or the way to it is to blame, with the
 * reason as its `cause`; `internal` otherwise. Nothing of the connection string is in it.
 */
export function failureOf(error: unknown): EngineError {
  if (isEngineError(error)) return error
  if (isType(error, ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED)) return misuse(textOf(error))
  const reason = reasonOf(error)
  if (reason === undefined) return withCause(misuse(textOf(error)), error)
  const cause = new Error(reason)
  return withCause(
    new EngineError('store_unavailable'),
    isPassing(error) ? Object.assign(cause, { [outage]: true }) : cause,
  )
}

/** The error of a caller who asks for what no caller may, and of a server that this store cannot work with. */
export function misuse(request: string): EngineError {
  return new EngineError('internal', { request })
}

function reasonOf(error: unknown): string | undefined {
  if (error === late) return 'The event store server does not answer in time.'
  const type = typeOf(error)
  if (type === ErrorType.ACCESS_DENIED) {
    return 'The event store server does not take these credentials, or they do not allow this.'
  }
  if (type === ErrorType.STREAM_DELETED) return 'A stream of the engine was deleted on the event store server.'
  return isPassing(error) ? `The event store server cannot be used: ${textOf(error)}` : undefined
}

function withCause(failure: EngineError, cause: unknown): EngineError {
  failure.cause = cause
  return failure
}

function typeOf(error: unknown): unknown {
  return error instanceof Error && 'type' in error ? error.type : undefined
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

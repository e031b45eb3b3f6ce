import shared from '@eventstore/db-client/generated/shared_pb.js'
import status from '@eventstore/db-client/generated/status_pb.js'
import { Metadata, type StatusObject, status as statusCodes } from '@grpc/grpc-js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Expected } from './decide.ts'
import { streamIdentifier } from './messages.ts'

/** Why a call is refused. */
export type Reason =
  | { readonly kind: 'conflict'; readonly current: bigint; readonly expected: Expected; readonly stream: string }
  | { readonly kind: 'deleted'; readonly stream: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'not-leader'; readonly host: string; readonly port: number }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'unauthenticated' | 'access-denied' | 'busy' | 'not-ready' | 'timeout' | 'dropped' }

/** A refusal as the status and the trailers of a call. */
export function callError(reason: Reason): Partial<StatusObject> {
  switch (reason.kind) {
    case 'conflict':
      return failure(statusCodes.FAILED_PRECONDITION, 'Wrong expected version.', {
        exception: 'wrong-expected-version',
        'stream-name': reason.stream,
        'expected-version': `${versionOf(reason.expected)}`,
        'actual-version': `${reason.current}`,
      })
    case 'deleted':
      return failure(statusCodes.FAILED_PRECONDITION, `Event stream '${reason.stream}' is deleted.`, {
        exception: 'stream-deleted',
        'stream-name': reason.stream,
      })
    case 'too-large':
      return failure(statusCodes.INVALID_ARGUMENT, `Maximum Append Size of ${reason.limit} Exceeded.`, {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': `${reason.limit}`,
      })
    case 'not-leader':
      return failure(statusCodes.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': reason.host,
        'leader-endpoint-port': `${reason.port}`,
      })
    case 'access-denied':
      return failure(statusCodes.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })
    case 'invalid':
      return failure(statusCodes.INVALID_ARGUMENT, reason.message)
    case 'unauthenticated':
      return failure(statusCodes.UNAUTHENTICATED, 'Not authenticated')
    case 'busy':
      return failure(statusCodes.UNAVAILABLE, 'Server Is Too Busy')
    case 'not-ready':
      return failure(statusCodes.UNAVAILABLE, 'Server Is Not Ready')
    case 'timeout':
      return failure(statusCodes.ABORTED, 'Operation timed out')
    case 'dropped':
      return failure(statusCodes.UNAVAILABLE, 'Subscription dropped')
  }
}

/**
 * A refusal as the response to one append of a batch stream; undefined if it ends the stream, and with it every waiting
 * append. In contrast to the other path, a busy server sends no details here.
 */
export function batchError(reason: Reason): status.Status | undefined {
  switch (reason.kind) {
    case 'conflict':
      return detailed('event_store.client.WrongExpectedVersion', conflictDetails(reason.expected, reason.current))
    case 'deleted':
      return detailed(
        'event_store.client.StreamDeleted',
        new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(reason.stream)),
      )
    case 'too-large': {
      const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(reason.limit)
      return detailed('event_store.client.MaximumAppendSizeExceeded', details)
    }
    case 'timeout':
      return detailed('event_store.client.Timeout', new shared.Timeout())
    case 'access-denied':
      return detailed('event_store.client.AccessDenied', new shared.AccessDenied())
    case 'invalid':
      return detailed('event_store.client.BadRequest', new shared.BadRequest().setMessage(reason.message))
    case 'busy':
      return detailed('google.protobuf.Empty', new empty.Empty(), 'Server Is Busy')
    case 'not-ready':
      return detailed('google.protobuf.Empty', new empty.Empty(), 'Server Is Not Ready')
    case 'not-leader':
    case 'unauthenticated':
    case 'dropped':
      return undefined
  }
}

function conflictDetails(expected: Expected, current: bigint): shared.WrongExpectedVersion {
  const details = new shared.WrongExpectedVersion()
  if (expected === 'any') details.setExpectedAny(new empty.Empty())
  else if (expected === 'no-stream') details.setExpectedNoStream(new empty.Empty())
  else if (expected === 'stream-exists') details.setExpectedStreamExists(new empty.Empty())
  else details.setExpectedStreamPosition(`${expected}`)
  return current < 0n ? details.setCurrentNoStream(new empty.Empty()) : details.setCurrentStreamRevision(`${current}`)
}

function detailed(type: string, details: { serializeBinary(): Uint8Array }, message = type): status.Status {
  const packed = new any.Any()
  packed.pack(details.serializeBinary(), type)
  return new status.Status().setCode(0).setMessage(message).setDetails(packed)
}

/** The number of an expected revision; the three words are negative. */
function versionOf(expected: Expected): bigint {
  if (typeof expected === 'bigint') return expected
  return { 'no-stream': -1n, any: -2n, 'stream-exists': -4n }[expected]
}

function failure(code: statusCodes, details: string, trailers: Readonly<Record<string, string>> = {}) {
  const metadata = new Metadata()
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value)
  return { code, details, metadata }
}

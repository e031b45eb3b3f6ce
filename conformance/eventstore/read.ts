import { once } from 'node:events'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Metadata, ServerWritableStream } from '@grpc/grpc-js'
import { accessProblem, leaderProblem } from './access.ts'
import { indexAfter, type Log, type Recorded } from './log.ts'
import { eventResponse, positionOf, streamIdentifier, streamName } from './messages.ts'
import type { Node } from './node.ts'
import { callError, type Reason } from './refusals.ts'
import { stateOf, visible } from './stream.ts'
import { subscription } from './subscribe.ts'

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>
type Options = streams.ReadReq.Options

const backwards = 1

/** The call behind reads and subscriptions of a stream and of `$all`. */
export function readCall(node: Node) {
  return async (call: ReadCall): Promise<void> => {
    const end = node.conditions.tally.begin(nameOf(call.request))
    try {
      await node.conditions.ready('read')
      await answer(node, call, call.request.getOptions() ?? new streams.ReadReq.Options())
    } catch (error) {
      call.emit('error', callError({ kind: 'invalid', message: String(error) }))
    } finally {
      end()
    }
  }
}

async function answer(node: Node, call: ReadCall, options: Options): Promise<void> {
  const problem = problemOf(node, call.metadata, options)
  if (problem !== undefined) call.emit('error', callError(problem))
  else if (options.hasSubscription()) await follow(node, call, options)
  else await send(node, call, readResponses(node.log, options), cancelled(call))
}

/** What is asked for, as the tally has it. */
function nameOf(request: streams.ReadReq): string {
  const options = request.getOptions()
  const stream = options?.hasAll() ? '$all' : streamName(options?.getStream()?.getStreamIdentifier())
  return `${options?.hasSubscription() ? 'subscribe' : 'read'} ${stream}`
}

function problemOf(node: Node, metadata: Metadata, options: Options): Reason | undefined {
  const stream = options.hasAll() ? '$all' : streamName(options.getStream()?.getStreamIdentifier())
  const wantsLeader = metadata.get('requires-leader').includes('true')
  const problem = accessProblem(node, metadata, stream) ?? (wantsLeader ? leaderProblem(node) : undefined)
  return problem ?? (stateOf(node.log, stream) === 'gone' ? { kind: 'deleted', stream } : undefined)
}

async function follow(node: Node, call: ReadCall, options: Options): Promise<void> {
  const { subscriptions } = node.conditions
  const ended = new AbortController()
  const drop = () => {
    ended.abort()
    call.emit('error', callError({ kind: 'dropped' }))
  }
  subscriptions.add(drop)
  const signal = AbortSignal.any([cancelled(call), ended.signal])
  try {
    await send(node, call, subscription(node, options, signal), signal)
  } finally {
    subscriptions.delete(drop)
  }
}

/** Writes at the caller's pace, until everything is written or the caller has gone. */
async function send(
  { conditions: { tally } }: Node,
  call: ReadCall,
  responses: Iterable<streams.ReadResp> | AsyncIterable<streams.ReadResp>,
  signal: AbortSignal,
): Promise<void> {
  for await (const response of responses) {
    if (signal.aborted) return
    if (response.hasEvent()) tally.sent()
    if (!call.write(response)) await once(call, 'drain', { signal }).catch(() => undefined)
  }
  if (!signal.aborted) call.end()
}

function cancelled(call: ReadCall): AbortSignal {
  const controller = new AbortController()
  call.once('cancelled', () => controller.abort())
  if (call.cancelled) controller.abort()
  return controller.signal
}

function* readResponses(log: Log, options: Options): Iterable<streams.ReadResp> {
  const records = options.hasAll() ? allRecords(log, options) : streamRecords(log, options)
  if (records === undefined) {
    const name = streamName(options.getStream()?.getStreamIdentifier())
    const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name))
    yield new streams.ReadResp().setStreamNotFound(missing)
    return
  }
  for (const record of records.slice(0, Number(options.getCount()))) yield eventResponse(record)
}

/** From a revision on (inclusive), in either direction; undefined if there is no visible stream. */
function streamRecords(log: Log, options: Options): readonly Recorded[] | undefined {
  const from = options.getStream()
  const stream = streamName(from?.getStreamIdentifier())
  if (stateOf(log, stream) !== 'present') return undefined
  const records = visible(log, stream)
  const revision = BigInt(from?.getRevision() ?? 0)
  if (options.getReadDirection() === backwards) {
    return from?.hasEnd() ? records.toReversed() : records.filter((one) => one.revision <= revision).toReversed()
  }
  return from?.hasEnd() ? [] : records.filter((one) => one.revision >= revision)
}

/** From a position on: forwards including the record at that position, backwards without it. */
function allRecords(log: Log, options: Options): readonly Recorded[] {
  const from = options.getAll()
  const position = positionOf(from)
  const count = Number(options.getCount())
  const { records } = log
  if (options.getReadDirection() === backwards) {
    const end = from?.hasEnd() ? records.length : position === undefined ? 0 : indexAfter(log, position, true)
    return records.slice(Math.max(0, end - count), end).toReversed()
  }
  if (from?.hasEnd()) return []
  const start = position === undefined ? 0 : indexAfter(log, position, true)
  return records.slice(start, start + count)
}

import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Metadata, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js'
import { accessProblem, leaderProblem } from './access.ts'
import { decide, type Expected } from './decide.ts'
import type { Recorded } from './log.ts'
import { expectedOf, streamName } from './messages.ts'
import type { Node } from './node.ts'
import { callError, type Reason } from './refusals.ts'
import { deleteSoftly, tombstone } from './stream.ts'

/** Soft-deletes a stream: a later append restores it. */
export function deleteCall(node: Node) {
  return async (
    call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
    callback: sendUnaryData<streams.DeleteResp>,
  ): Promise<void> => {
    const removed = await remove(node, call.metadata, call.request.getOptions(), deleteSoftly)
    if ('kind' in removed) return callback(callError(removed))
    const position = new streams.DeleteResp.Position()
    callback(null, new streams.DeleteResp().setPosition(placed(position, removed)))
  }
}

/** Ends a stream for ever. */
export function tombstoneCall(node: Node) {
  return async (
    call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
    callback: sendUnaryData<streams.TombstoneResp>,
  ): Promise<void> => {
    const removed = await remove(node, call.metadata, call.request.getOptions(), tombstone)
    if ('kind' in removed) return callback(callError(removed))
    const position = new streams.TombstoneResp.Position()
    callback(null, new streams.TombstoneResp().setPosition(placed(position, removed)))
  }
}

type Options = streams.DeleteReq.Options | streams.TombstoneReq.Options

async function remove(
  node: Node,
  metadata: Metadata,
  options: Options | undefined,
  how: typeof tombstone,
): Promise<Recorded | Reason> {
  await node.conditions.ready('write')
  if (options === undefined) return { kind: 'invalid', message: 'Options are missing.' }
  const stream = streamName(options.getStreamIdentifier())
  node.conditions.tally.begin(`delete ${stream}`)()
  const expected = expectedOf(options, () => options.getRevision())
  const problem =
    accessProblem(node, metadata, stream) ?? leaderProblem(node) ?? revisionProblem(node, stream, expected)
  return problem ?? how(node.log, stream, node.conditions.now())
}

function revisionProblem(node: Node, stream: string, expected: Expected): Reason | undefined {
  const decision = decide(node.log, stream, expected, [], node.knownSince)
  if (decision.kind === 'deleted') return { kind: 'deleted', stream }
  return decision.kind === 'conflict' ? { ...decision, expected, stream } : undefined
}

function placed<P extends streams.DeleteResp.Position | streams.TombstoneResp.Position>(position: P, at: Recorded): P {
  position.setCommitPosition(`${at.commit}`).setPreparePosition(`${at.prepare}`)
  return position
}

import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerReadableStream, sendUnaryData } from '@grpc/grpc-js'
import { append } from './append.ts'
import type { Expected } from './decide.ts'
import type { Recorded } from './log.ts'
import { expectedOf, proposedOf, streamName } from './messages.ts'
import type { Node } from './node.ts'
import { callError, type Reason } from './refusals.ts'

/** The call that carries one append: first its options, then its events. */
export function appendCall(node: Node) {
  return (
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    callback: sendUnaryData<streams.AppendResp>,
  ): void => {
    const requests: streams.AppendReq[] = []
    call.on('data', (request: streams.AppendReq) => requests.push(request))
    call.on('end', async () => {
      const options = requests[0]?.getOptions()
      if (options === undefined) return callback(callError({ kind: 'invalid', message: 'Options come first.' }))
      const answer = await append(node, {
        stream: streamName(options.getStreamIdentifier()),
        expected: expectedOf(options, () => options.getRevision()),
        events: requests.flatMap((request) => request.getProposedMessage() ?? []).map(proposedOf),
        metadata: call.metadata,
      })
      if (answer.kind === 'appended') callback(null, success(answer.last))
      else if (answer.kind === 'refused') refuse(answer.reason, callback)
    })
  }
}

function refuse(reason: Reason, callback: sendUnaryData<streams.AppendResp>): void {
  if (reason.kind === 'conflict') callback(null, conflict(reason.expected, reason.current))
  else callback(callError(reason))
}

function success({ commit, prepare, revision }: Recorded): streams.AppendResp {
  const position = new streams.AppendResp.Position().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`)
  const done = new streams.AppendResp.Success().setCurrentRevision(`${revision}`).setPosition(position)
  return new streams.AppendResp().setSuccess(done)
}

/** A conflict is no error of this call, but one of its two answers. */
function conflict(expected: Expected, current: bigint): streams.AppendResp {
  const details = new streams.AppendResp.WrongExpectedVersion()
  if (expected === 'any') details.setExpectedAny(new shared.Empty())
  else if (expected === 'no-stream') details.setExpectedNoStream(new shared.Empty())
  else if (expected === 'stream-exists') details.setExpectedStreamExists(new shared.Empty())
  else details.setExpectedRevision(`${expected}`)
  if (current < 0n) details.setCurrentNoStream(new shared.Empty())
  else details.setCurrentRevision(`${current}`)
  return new streams.AppendResp().setWrongExpectedVersion(details)
}

import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Metadata, ServerDuplexStream } from '@grpc/grpc-js'
import { type AppendAnswer, type AppendCall, append } from './append.ts'
import type { Proposed, Recorded } from './log.ts'
import { allPosition, expectedOf, proposedOf, streamIdentifier, streamName } from './messages.ts'
import type { Node } from './node.ts'
import { batchError, callError } from './refusals.ts'

type BatchStream = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

/** An append whose parts have not all arrived. */
interface Pending extends AppendCall {
  readonly events: (Proposed | undefined)[]
}

/** The call that carries all appends of a client side by side; a correlation id ties parts and answer together. */
export function batchAppendCall(node: Node) {
  return (call: BatchStream): void => {
    const pending = new Map<string, Pending>()
    const { tally, batches } = node.conditions
    tally.begin('batches')
    let isDropped = false
    const drop = () => {
      isDropped = true
      batches.delete(drop)
      call.emit('error', callError({ kind: 'dropped' }))
    }
    batches.add(drop)
    for (const end of ['end', 'cancelled']) call.on(end, () => batches.delete(drop))
    call.on('end', () => call.end())
    call.on('data', async (request: streams.BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? ''
      const options = request.getOptions()
      if (options !== undefined) pending.set(id, begin(options, call.metadata))
      const whole = pending.get(id)
      if (whole === undefined) return
      whole.events.push(...request.getProposedMessagesList().map(proposedOf))
      if (!request.getIsFinal()) return
      pending.delete(id)
      const result = await append(node, whole)
      if (!isDropped) answer(call, request, whole.stream, result)
    })
  }
}

function begin(options: streams.BatchAppendReq.Options, metadata: Metadata): Pending {
  const deadline = options.getDeadline()?.toDate().getTime()
  return {
    stream: streamName(options.getStreamIdentifier()),
    expected: expectedOf(options, () => options.getStreamPosition()),
    events: [],
    metadata,
    ...(deadline !== undefined && { deadline }),
  }
}

function answer(call: BatchStream, request: streams.BatchAppendReq, stream: string, result: AppendAnswer): void {
  if (result.kind === 'silent' || call.cancelled) return
  const response = new streams.BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(streamIdentifier(stream))
  if (result.kind === 'appended') {
    call.write(response.setSuccess(success(result.last)))
    return
  }
  const error = batchError(result.reason)
  if (error === undefined) call.emit('error', callError(result.reason))
  else call.write(response.setError(error))
}

function success(last: Recorded): streams.BatchAppendResp.Success {
  return new streams.BatchAppendResp.Success().setCurrentRevision(`${last.revision}`).setPosition(allPosition(last))
}

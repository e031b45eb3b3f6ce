import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Expected } from './decide.ts'
import type { Position, Proposed, Recorded } from './log.ts'

const ticksPerMillisecond = 10_000n

/** A proposed event of either append call; it may lack parts that the server demands. */
type Message = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage

/** Name of the stream that a request is about. */
export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')
}

/** The name as it travels: in bytes of UTF-8. */
export function streamIdentifier(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream))
}

/** The event in a message; undefined if its id is not a UUID. */
export function proposedOf(message: Message): Proposed | undefined {
  const id = message.getId()?.getString().toLowerCase() ?? ''
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined
  return {
    id,
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

/** What the options of a write expect; `revision` is the number where that is what they hold. */
export function expectedOf(
  options: { hasNoStream(): boolean; hasAny(): boolean; hasStreamExists(): boolean },
  revision: () => string,
): Expected {
  if (options.hasAny()) return 'any'
  if (options.hasNoStream()) return 'no-stream'
  return options.hasStreamExists() ? 'stream-exists' : BigInt(revision())
}

/** A position as it travels: numbers of 64 bits are strings. */
export function allPosition({ commit, prepare }: Position): shared.AllStreamPosition {
  return new shared.AllStreamPosition().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`)
}

/** A recorded event as the answer of a read; times are counted in steps of 100 ns since 1970. */
export function eventResponse(recorded: Recorded): streams.ReadResp {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(recorded.id))
    .setStreamIdentifier(streamIdentifier(recorded.stream))
    .setStreamRevision(`${recorded.revision}`)
    .setCommitPosition(`${recorded.commit}`)
    .setPreparePosition(`${recorded.prepare}`)
    .setData(recorded.data)
    .setCustomMetadata(recorded.metadata)
  event.getMetadataMap().set('type', recorded.type)
  event.getMetadataMap().set('content-type', recorded.contentType)
  event.getMetadataMap().set('created', `${BigInt(recorded.created) * ticksPerMillisecond}`)
  const read = new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(`${recorded.commit}`)
  return new streams.ReadResp().setEvent(read)
}

/** The position in the options of a read of `$all`, where they hold one. */
export function positionOf(from: streams.ReadReq.Options.AllOptions | undefined): Position | undefined {
  const position = from?.getPosition()
  if (position === undefined) return undefined
  return { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) }
}

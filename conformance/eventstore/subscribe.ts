import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { filterOf } from './filter.ts'
import { indexAfter, type Log, lastRevision, type Recorded } from './log.ts'
import { eventResponse, positionOf, streamName } from './messages.ts'
import type { Node } from './node.ts'
import { visible } from './stream.ts'

type Options = streams.ReadReq.Options

/** Where a subscription starts among all records, and which of them it receives. */
interface Scope {
  /** Who reads: what the streams are called that it asks for. */
  readonly reader: string
  readonly from: number
  readonly wants: (record: Recorded) => boolean
  /** The number of checked records after which a checkpoint is sent; never without a filter. */
  readonly checkpointEvery: number
}

/**
 * The messages of a subscription: a confirmation, the existing events, a notice that it has caught up, and then every
 * new event.
 */
export async function* subscription(
  node: Node,
  options: Options,
  signal: AbortSignal,
): AsyncGenerator<streams.ReadResp> {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())
  yield new streams.ReadResp().setConfirmation(confirmation)
  const { reader, from, wants, checkpointEvery } = options.hasAll()
    ? scopeOfAll(node.log, options)
    : scopeOfStream(node.log, options)
  const { tally } = node.conditions
  let seen = 0
  let isCaughtUp = false
  while (!signal.aborted) {
    const record = node.log.records[from + seen]
    if (record !== undefined) {
      tally.looked(reader, 'records')
      if (wants(record)) yield eventResponse(record)
      if (++seen % checkpointEvery === 0) {
        tally.looked(reader, 'checkpoints')
        yield checkpoint(record)
      }
      if (seen % turn === 0) await Promise.all([setImmediate(), node.conditions.ready('records')])
    } else if (isCaughtUp) {
      await nextWrite(node.log, signal)
    } else {
      isCaughtUp = true
      if (node.options.caughtUp !== false) yield new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())
    }
  }
}

/** Records that are looked through before others are served. */
const turn = 1_000

function nextWrite(log: Log, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      log.watchers.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    log.watchers.add(done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

/** The start is exclusive. */
function scopeOfAll(log: Log, options: Options): Scope {
  const filter = options.getFilter()
  const all = options.getAll()
  const position = positionOf(all)
  const after = position === undefined ? 0 : indexAfter(log, position)
  return {
    from: all?.hasEnd() ? log.records.length : after,
    ...filterOf(filter),
  }
}

/** The start is exclusive; what the metadata of the stream hides now is left out. */
function scopeOfStream(log: Log, options: Options): Scope {
  const from = options.getStream()
  const stream = streamName(from?.getStreamIdentifier())
  const last = lastRevision(log, stream)
  const firstVisible = visible(log, stream)[0]?.revision ?? last + 1n
  const after = from?.hasEnd() ? last : from?.hasStart() ? -1n : BigInt(from?.getRevision() ?? 0)
  const wants = (record: Recorded) =>
    record.stream === stream && record.revision > after && record.revision >= firstVisible
  return { reader: stream, from: 0, wants, checkpointEvery: Number.POSITIVE_INFINITY }
}

function checkpoint({ commit, prepare }: Recorded): streams.ReadResp {
  const position = new streams.ReadResp.Checkpoint().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`)
  return new streams.ReadResp().setCheckpoint(position)
}

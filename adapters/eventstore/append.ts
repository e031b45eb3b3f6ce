import { randomUUID } from 'node:crypto'
import {
  type AppendExpectedRevision,
  ErrorType,
  type EventStoreDBClient,
  NO_STREAM,
  type Position,
} from '@eventstore/db-client'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { clientEventOf, type ServerRecord } from './codec.ts'
import { unavailable, unless } from './errors.ts'

/** Events for one stream, after its event at revision `last` (-1: none). */
interface Addition {
  readonly stream: string
  readonly events: readonly ServerRecord[]
  readonly last: number
}

/** How an append is sent. */
interface Sending {
  /** Whether it may have been sent before. */
  readonly isRepeated: boolean
  /** Milliseconds that the server has for it in a separate call. */
  readonly timeout: number
}

/** Where the last event of an append is; `unknown` if the server does not say. */
type Place = Position | 'unknown'

/** Bytes of an append that others may have to wait for. */
const maxShared = 64 * 1024

/**
 * Appends all or nothing; a repetition with the same ids gives the first result. Returns where the last event is, or `undefined`
 * if the stream is at another revision.
 *
 * A small append goes over a call that all appends of the client share (`BatchAppend`), at a third of the cost. A large one and a
 * repetition go in separate calls. An append that the server will never take is sent again in a separate call, because the client
 * knows the errors of such calls.
 */
export async function appendWith(
  client: EventStoreDBClient,
  addition: Addition,
  { isRepeated, timeout }: Sending,
): Promise<Place | undefined> {
  const request = isRepeated ? undefined : requestOf(addition)
  const answer = request && (await (await sharedCallOf(client)).send(request))
  return answer === undefined ? appendAlone(client, addition, timeout) : answer.place
}

/** Ends the shared call of a client; the appends on it are lost. */
export function endAppends(client: EventStoreDBClient): void {
  newest.get(client)?.cancel()
}

async function appendAlone(
  client: EventStoreDBClient,
  { stream, events, last }: Addition,
  timeout: number,
): Promise<Place | undefined> {
  const expectedRevision: AppendExpectedRevision = last < 0 ? NO_STREAM : BigInt(last)
  const options = { expectedRevision, deadline: timeout, requiresLeader: true }
  const appended = await unless(
    ErrorType.WRONG_EXPECTED_VERSION,
    client.appendToStream(stream, events.map(clientEventOf), options),
  )
  return appended && (appended.position ?? 'unknown')
}

/** The server's answer to an append: its place, none if the stream is at another revision. */
interface Answer {
  readonly place: Place | undefined
}

/** An append that waits for its answer. */
interface Waiting {
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}

/** An open call that carries appends side by side. */
interface SharedCall {
  /** Sends an append; `undefined` if the call is over, or the server will never take this append. */
  send(request: streams.BatchAppendReq): Promise<Answer | undefined>
}

/** What the client has, but does not declare for others: it opens a call, and does so again when it changes the server. */
interface Inside {
  GRPCStreamCreator(
    service: typeof StreamsClient,
    name: string,
    open: (service: StreamsClient) => Stream,
    cache: WeakMap<StreamsClient, Stream>,
  ): () => Promise<Stream>
  callArguments(base: { readonly requiresLeader: true }, own: { readonly deadline: number }): Parameters<Batch>
}

type Batch = StreamsClient['batchAppend']
type Stream = ReturnType<Batch>

/** The open calls, by the service of a client; a client has another service after it has changed the server. */
const opened = new WeakMap<StreamsClient, Stream>()
const calls = new WeakMap<Stream, SharedCall>()
const newest = new WeakMap<EventStoreDBClient, Stream>()

async function sharedCallOf(client: EventStoreDBClient): Promise<SharedCall> {
  const inside = client as unknown as Inside
  const open = (service: StreamsClient) => {
    const stream = service.batchAppend(...inside.callArguments({ requiresLeader: true }, { deadline: Infinity }))
    endAppends(client)
    newest.set(client, stream)
    calls.set(stream, sharedCallOn(stream))
    return stream
  }
  const stream = await inside.GRPCStreamCreator(StreamsClient, 'appends', open, opened)()
  return calls.get(stream) as SharedCall
}

function sharedCallOn(stream: Stream): SharedCall {
  const waiting = new Map<string, Waiting>()
  let isOver = false

  stream.on('data', (response: streams.BatchAppendResp) => {
    const id = response.getCorrelationId()?.getString() ?? ''
    const append = waiting.get(id)
    waiting.delete(id)
    if (append !== undefined) settle(append, response)
  })
  for (const end of ['error', 'end', 'close']) {
    stream.on(end, () => {
      isOver = true
      for (const { reject } of waiting.values()) reject(unavailable('the connection was lost'))
      waiting.clear()
    })
  }

  function send(request: streams.BatchAppendReq): Promise<Answer | undefined> {
    if (isOver) return Promise.resolve(undefined)
    const id = randomUUID()
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      stream.write(request.setCorrelationId(uuidOf(id)))
    })
  }

  return { send }
}

/** Reasons for which a server will never take an append. */
const lasting: ReadonlySet<string | undefined> = new Set(
  ['AccessDenied', 'BadRequest', 'MaximumAppendSizeExceeded', 'StreamDeleted'].map(nameOf),
)

function nameOf(reason: string): string {
  return `event_store.client.${reason}`
}

function settle({ resolve, reject }: Waiting, response: streams.BatchAppendResp) {
  const success = response.getSuccess()
  if (success !== undefined) return resolve({ place: placeOf(success) })
  const error = response.getError()
  const reason = error?.getDetails()?.getTypeName()
  if (reason === nameOf('WrongExpectedVersion')) resolve({ place: undefined })
  else if (lasting.has(reason)) resolve(undefined)
  else reject(unavailable(error?.getMessage() ?? ''))
}

function placeOf(success: streams.BatchAppendResp.Success): Place {
  const at = success.getPosition()
  if (at === undefined) return 'unknown'
  return { commit: BigInt(at.getCommitPosition()), prepare: BigInt(at.getPreparePosition()) }
}

/** The request of an append, without a deadline, which would compare two clocks; `undefined` if it is too large. */
function requestOf({ stream, events, last }: Addition): streams.BatchAppendReq | undefined {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream)),
  )
  if (last < 0) options.setNoStream(new shared.Empty())
  else options.setStreamPosition(String(last))
  const request = new streams.BatchAppendReq().setOptions(options).setIsFinal(true)
  let size = 0
  for (const event of events) {
    const [data, metadata] = [Buffer.from(event.data), Buffer.from(event.metadata)]
    size += data.length + metadata.length
    if (size > maxShared) return undefined
    const message = new streams.BatchAppendReq.ProposedMessage()
      .setId(uuidOf(event.id))
      .setData(data)
      .setCustomMetadata(metadata)
    message.getMetadataMap().set('type', event.type).set('content-type', 'application/json')
    request.addProposedMessages(message)
  }
  return request
}

function uuidOf(id: string): shared.UUID {
  return new shared.UUID().setString(id)
}

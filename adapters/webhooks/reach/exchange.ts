import type { IncomingHttpHeaders } from 'node:http'
import type { AttemptFailure } from '../../../engine/index.ts'
import type { Deadline } from './deadline.ts'
import { failureOf } from './failure.ts'
import { maxBody } from './logged.ts'
import type { PhaseClock } from './phases.ts'
import type { PooledConnection } from './pool.ts'

/** A request to a known origin. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the whole time of an attempt is for the body of the response. */
  readonly isAnswerRead: boolean
  /** Called at the head of a response that is a success: only its body is to come. */
  readonly answered: () => void
  readonly phases: PhaseClock
}

/** The response, as far as it arrived. */
export interface ReceivedResponse {
  /** Absent if none arrived; below 200 only if no final status followed. */
  readonly status?: number
  /** Absent if the status is 2xx. */
  readonly failure?: AttemptFailure
  readonly headers: IncomingHttpHeaders
  /** At most 16 KiB of the body. */
  readonly body: Uint8Array
  /** Whether it was read to its end, so that the connection can be reused. */
  readonly isWhole: boolean
  /** When the status line arrived, or the failure, by `performance.now()`. */
  readonly at: number
  /** Whether no byte arrived. */
  readonly isWithoutTracking: boolean
}

/** Maximum number of interim responses. */
const maxInterim = 64

/** Milliseconds that a body may take after its head: the outcome is known, and the body is only for the log. */
const bodyTime = 500

/** The response so far. */
interface PartialResponse {
  status?: number
  headers: IncomingHttpHeaders
  at?: number
  readonly chunks: Uint8Array[]
  size: number
  interim: number
  isWithoutTracking: boolean
}

/** Sends a request and reads the response: to its end, to 16 KiB of body, or until the deadline. Never rejects. */
export function exchange(
  lane: PooledConnection,
  { method, path, headers, body, isAnswerRead, answered, phases }: OutgoingRequest,
  deadline: Deadline,
): Promise<ReceivedResponse> {
  return new Promise((resolve) => {
    const incoming: PartialResponse = { headers: {}, chunks: [], size: 0, interim: 0, isWithoutTracking: true }
    let bodyTimer: NodeJS.Timeout | undefined
    const end = (failure: AttemptFailure | undefined) => {
      clearTimeout(bodyTimer)
      deadline.stop = undefined
      resolve(answerOf(incoming, failure))
    }
    const stop = () => end('timeout')
    if (deadline.isOver) return stop()
    deadline.stop = stop
    lane.phases = phases
    lane.client.dispatch(
      { method, path, headers, body: method === 'GET' ? null : body },
      {
        onRequestStart: () => phases.begin('wait'),
        onResponseStarted: () => {
          phases.begin('read')
          incoming.isWithoutTracking = false
        },
        onResponseStart: (_, status, received) => {
          readHead(incoming, status, received)
          if (status >= 200 && !isAnswerRead) bodyTimer = setTimeout(stop, bodyTime)
          if (status >= 200 && status < 300) answered()
          if (incoming.interim > maxInterim) end('timeout')
        },
        onResponseData: (_, chunk) => {
          if (readChunk(incoming, chunk)) end('reset')
        },
        onResponseEnd: () => end(undefined),
        onResponseError: (_, error) => end(failureOf(error)),
      },
    )
  })
}

/** Reads the head of a response; after an interim status, another one follows. */
function readHead(incoming: PartialResponse, status: number, headers: IncomingHttpHeaders): void {
  incoming.status = status
  if (status < 200) {
    incoming.interim++
    return
  }
  incoming.headers = headers
  incoming.at = performance.now()
}

/** Stores as much of a chunk as fits; returns whether something was cut. */
function readChunk(incoming: PartialResponse, chunk: Uint8Array): boolean {
  const kept = chunk.subarray(0, maxBody - incoming.size)
  // Copy the bytes: a view would keep the whole read buffer in memory.
  if (kept.length > 0) incoming.chunks.push(Buffer.from(kept))
  incoming.size += kept.length
  return kept.length < chunk.length
}

/** The result of the exchange. Once there is a status, errors in the body do not change the outcome. */
function answerOf(incoming: PartialResponse, ending: AttemptFailure | undefined): ReceivedResponse {
  const { status, headers, chunks, isWithoutTracking, at = performance.now() } = incoming
  const failure = failureBy(status, ending)
  return {
    headers,
    body: Buffer.concat(chunks),
    isWhole: ending === undefined,
    at,
    isWithoutTracking,
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure }),
  }
}

/** A receiver that sends only interim responses until the deadline fails with that status. */
function failureBy(status: number | undefined, ending: AttemptFailure | undefined): AttemptFailure | undefined {
  if (status === undefined) return ending ?? 'protocol'
  if (status < 200 && ending !== 'timeout') return ending ?? 'protocol'
  return status >= 200 && status < 300 ? undefined : 'status'
}

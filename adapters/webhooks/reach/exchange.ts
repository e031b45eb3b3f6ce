import type { IncomingHttpHeaders } from 'node:http'
import type { AttemptFailure } from '../../../engine/index.ts'
import { maxBody } from './answer.ts'
import { failureOf } from './failure.ts'
import type { Lane } from './lanes.ts'

/** A POST, of which the origin is known already. */
export interface Post {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What came back. */
export interface Answer {
  /** Absent where none came; one below 200 where nothing else did. */
  readonly status?: number
  /** Absent where the status is 2xx. */
  readonly failure?: AttemptFailure
  readonly headers: IncomingHttpHeaders
  /** At most 16 KiB of the body. */
  readonly body: Uint8Array
  /** Whether it came to its end, so that the connection can be used again. */
  readonly isWhole: boolean
  /** When the status line came, or the failure, by `performance.now()`. */
  readonly at: number
  /** Whether not a byte came back. */
  readonly isSilent: boolean
}

/** Answers below 200 that are waited through. */
const maxInterim = 64

/** What has come back so far. */
interface Incoming {
  status?: number
  headers: IncomingHttpHeaders
  at?: number
  readonly chunks: Uint8Array[]
  size: number
  interim: number
  isSilent: boolean
}

/** Sends a request and reads what comes back until its end, 16 KiB of a body, or the abortion. Never rejects. */
export function exchange({ client }: Lane, { path, headers, body }: Post, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const incoming: Incoming = { headers: {}, chunks: [], size: 0, interim: 0, isSilent: true }
    const end = (failure: AttemptFailure | undefined) => {
      signal.removeEventListener('abort', stop)
      resolve(answerOf(incoming, failure))
    }
    const stop = () => end('timeout')
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    client.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: () => {},
        onResponseStarted: () => {
          incoming.isSilent = false
        },
        onResponseStart: (_, status, received) => {
          begin(incoming, status, received)
          if (incoming.interim > maxInterim) end('timeout')
        },
        onResponseData: (_, chunk) => {
          if (take(incoming, chunk)) end('reset')
        },
        onResponseEnd: () => end(undefined),
        onResponseError: (_, error) => end(failureOf(error)),
      },
    )
  })
}

/** The head of an answer, after which another comes where the status is below 200. */
function begin(incoming: Incoming, status: number, headers: IncomingHttpHeaders): void {
  incoming.status = status
  if (status < 200) {
    incoming.interim++
    return
  }
  incoming.headers = headers
  incoming.at = performance.now()
}

/** Keeps what there is room for, and tells whether that was not all. */
function take(incoming: Incoming, chunk: Uint8Array): boolean {
  const kept = chunk.subarray(0, maxBody - incoming.size)
  // A view would keep all that was read with it in memory.
  if (kept.length > 0) incoming.chunks.push(Buffer.from(kept))
  incoming.size += kept.length
  return kept.length < chunk.length
}

/** What the exchange has come to, however it ended: once there is a status, what becomes of the body changes nothing. */
function answerOf(incoming: Incoming, ending: AttemptFailure | undefined): Answer {
  const { status, headers, chunks, isSilent, at = performance.now() } = incoming
  const failure = failureBy(status, ending)
  return {
    headers,
    body: Buffer.concat(chunks),
    isWhole: ending === undefined,
    at,
    isSilent,
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure }),
  }
}

/** To send nothing but statuses below 200 until the deadline is to answer with them. */
function failureBy(status: number | undefined, ending: AttemptFailure | undefined): AttemptFailure | undefined {
  if (status === undefined) return ending ?? 'protocol'
  if (status < 200 && ending !== 'timeout') return ending ?? 'protocol'
  return status >= 200 && status < 300 ? undefined : 'status'
}

import { setTimeout } from 'node:timers/promises'
import { documentBounds, parseJsonInSteps } from '../http/json.ts'
import { createFairQueue } from '../node/fair-queue.ts'
import type { Outbound } from '../node/outbound.ts'

/** A request to the server of a carrier. */
export interface CarrierRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  /** Parameters that are added to the address. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** The value of the header `Authorization`; none if absent. */
  readonly authorization?: string
  /** Sent as JSON; nothing if absent. */
  readonly body?: object
  /** Whether a POST does nothing that costs money, so that it is sent again after a lost answer, as a GET is. */
  readonly isHarmless?: boolean
  readonly signal: AbortSignal
}

/** What a question to a carrier may have beside its path. */
export type CarrierQuestion = Pick<CarrierRequest, 'query' | 'body' | 'isHarmless'>

/** What a server answered. */
export interface CarrierResponse {
  readonly status: number
  readonly bytes: Uint8Array
  /** The body, if it is JSON within the bounds of an answer. */
  readonly json: unknown
}

/** Asks the server of a carrier. Rejects when there is no answer, when it says that the server failed, and when it is too big. */
export type CarrierHttp = (request: CarrierRequest) => Promise<CarrierResponse>

/** How often a request is sent, and the longest pause before the next time, in milliseconds. */
const attempts = 3
const longestPause = 5_000

/** Answers of more bytes are parsed one at a time: the texts of a hundred of them fill a small heap. */
const shortAnswer = 64 * 1024

/** The most values in an answer. A thousand rates, with all that a server says of them, have 50,000. */
const mostValues = 150_000

/** Creates the HTTP of carriers. */
export function createCarrierHttp(outbound: Pick<Outbound, 'send'>, userAgent: string): CarrierHttp {
  // The questions that are open bound how many wait.
  const oneAtATime = {
    running: 1,
    runningOfOne: 1,
    waiting: Number.POSITIVE_INFINITY,
    waitingOfOne: Number.POSITIVE_INFINITY,
  }
  const parsing = createFairQueue(oneAtATime)

  /** Servers take turns, so that many long answers of one do not make another one wait for all of them. */
  function parsed(bytes: Uint8Array, server: string, signal: AbortSignal): Promise<unknown> {
    if (bytes.length <= shortAnswer) return jsonOf(bytes)
    return parsing.run(server, async () => {
      signal.throwIfAborted()
      return jsonOf(bytes)
    })
  }

  async function send({ method, url, query = {}, authorization, body, signal }: CarrierRequest): Promise<Answer> {
    const target = new URL(url)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    const headers = {
      ...{ accept: 'application/json, */*;q=0.5', 'user-agent': userAgent },
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const {
      status,
      bytes,
      headers: received,
    } = await outbound.send({
      ...{ method, url: target.href, headers, signal },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = await parsed(bytes, target.origin, signal)
    return { status, bytes, json, pause: pauseOf(received['retry-after']) }
  }

  return async (request) => {
    const isSafe = request.method === 'GET' || request.isHarmless === true
    for (let attempt = 1; ; attempt++) {
      const sent = await send(request).catch((error: unknown) => ({ error }))
      const isLast = attempt === attempts || request.signal.aborted
      if ('error' in sent) {
        if (isLast || !isSafe) throw sent.error
      } else if (!isRefusedForNow(sent.status)) return sent
      // A server that says 429 has done nothing; after others it is not known.
      else if (isLast || (!isSafe && sent.status !== 429)) throw new Error(`The server answers ${sent.status}.`)
      const pause = 'error' in sent ? undefined : sent.pause
      await setTimeout(pause ?? 250 * 2 ** attempt, undefined, { signal: request.signal })
    }
  }
}

interface Answer extends CarrierResponse {
  /** How long the server asks to be left alone, in milliseconds. */
  readonly pause: number | undefined
}

/** Statuses that say nothing of the request itself. */
function isRefusedForNow(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

function pauseOf(retryAfter: string | readonly string[] | undefined): number | undefined {
  const seconds = typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
  return seconds === undefined ? undefined : Math.min(longestPause, seconds * 1000)
}

async function jsonOf(bytes: Uint8Array): Promise<unknown> {
  try {
    return await parseJsonInSteps(new TextDecoder().decode(bytes), documentBounds.levels, { values: mostValues })
  } catch {
    return undefined
  }
}

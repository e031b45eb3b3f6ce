import { randomBytes } from 'node:crypto'
import { EngineError } from '../../../engine/index.ts'
import type { Outcome, Outgoing, Sender } from '../../node/deliveries.ts'
import { createGuard } from './addresses.ts'
import { createChallenge } from './challenge.ts'
import { createDeliver, type Deliver } from './deliver.ts'
import { createDial } from './dial.ts'
import { loggedBody, loggedHeaders } from './logged.ts'
import { createConnectionPool } from './pool.ts'
import { createResolver } from './resolve.ts'
import { retryAfterOf } from './retry-after.ts'
import { targetOf, type UrlFault } from './target.ts'

/** Options of a sender. */
export interface SenderOptions {
  /** Addresses and ranges (`10.0.0.0/8`) that are permitted besides the public ones, also without TLS. */
  readonly allow: readonly string[]
  readonly userAgent: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** DNS servers such as `127.0.0.1:53`; those of the system if absent. */
  readonly servers?: readonly string[]
  /** Certificates (PEM) to trust instead of the well-known ones; for tests. */
  readonly ca?: string
  /** Source of random bytes for challenges; that of the system if absent. */
  readonly randomBytes?: (length: number) => Uint8Array
}

/** Creates the sender of requests to receivers. Throws if `allow` holds an invalid range. */
export function createSender(options: SenderOptions): Sender {
  const { clock, userAgent } = options
  const guard = createGuard(options.allow)
  const find = createResolver({ guard, servers: options.servers, clock })
  const lanes = createConnectionPool(createDial({ guard, find, ca: options.ca }))
  const deliver = createDeliver(lanes, userAgent)

  async function checkUrl(url: string) {
    const target = targetOf(url)
    if (typeof target === 'string') throw refused(target)
    const isFound = (port: number) =>
      find(target.host, { ...target, port }).then(
        () => true,
        () => false,
      )
    if (await isFound(target.port)) return
    // A URL without TLS gets the same refusal wherever it leads.
    if (!target.isSecure) throw refused('not https')
    throw refused((await isFound(443)) ? 'port' : 'address')
  }

  async function send(outgoing: Outgoing): Promise<Outcome> {
    const startedAt = clock()
    const begun = performance.now()
    const answer = await deliver(outgoing)
    return outcomeOf(answer, startedAt, Math.max(0, Math.round(answer.at - begun)))
  }

  const challenge = createChallenge({ send, clock, randomBytes: options.randomBytes ?? randomBytes })
  return { checkUrl, send, challenge, close: async () => lanes.close() }
}

function refused(reason: UrlFault): EngineError {
  return new EngineError('webhook_url_refused', { reason })
}

function outcomeOf(answer: Awaited<ReturnType<Deliver>>, startedAt: number, duration: number): Outcome {
  const { status, failure, headers, body, isWhole, phases, lastPhase } = answer
  const retryAfter = retryAfterOf(status, headers['retry-after'], startedAt + duration)
  return {
    startedAt,
    duration,
    responseHeaders: loggedHeaders(headers),
    responseBody: loggedBody(body),
    isResponseCut: status !== undefined && !isWhole,
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure }),
    ...(failure !== undefined && failure !== 'status' && { failedPhase: lastPhase }),
    phases,
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

import { randomBytes } from 'node:crypto'
import { EngineError } from '../../../engine/index.ts'
import type { Outcome, Outgoing, Sender } from '../../node/deliveries.ts'
import { createGuard } from './addresses.ts'
import { keptHeaders, keptText } from './answer.ts'
import { createChallenge } from './challenge.ts'
import { createDeliver } from './deliver.ts'
import { createDial } from './dial.ts'
import type { Answer } from './exchange.ts'
import { createLanes } from './lanes.ts'
import { createFind } from './names.ts'
import { retryAfterOf } from './retry-after.ts'
import { targetOf, type UrlFault } from './target.ts'

/** What a sender is made of. */
export interface SenderOptions {
  /** Addresses and ranges (`10.0.0.0/8`) that may be sent to beside the public ones, and without TLS too. */
  readonly allow: readonly string[]
  readonly userAgent: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** DNS servers, as `127.0.0.1:53`; those of the system where absent. */
  readonly servers?: readonly string[]
  /** Certificates (PEM) to trust in the place of the well-known ones; for tests. */
  readonly ca?: string
  /** What challenges are made of; those of the system where absent. */
  readonly randomBytes?: (length: number) => Uint8Array
}

/** Makes what sends requests to receivers. Throws where `allow` holds what is no range of addresses. */
export function createSender(options: SenderOptions): Sender {
  const { clock, userAgent } = options
  const guard = createGuard(options.allow)
  const find = createFind({ guard, servers: options.servers, clock })
  const lanes = createLanes(createDial({ guard, find, ca: options.ca }))
  const deliver = createDeliver(lanes, userAgent)

  async function admit(url: string) {
    const target = targetOf(url)
    if (typeof target === 'string') throw refused(target)
    const isFound = await find(target.host, target.isSecure).then(
      () => true,
      () => false,
    )
    // Without TLS a URL is refused for that alone, wherever it leads.
    if (!isFound) throw refused(target.isSecure ? 'address' : 'not https')
  }

  async function send(outgoing: Outgoing): Promise<Outcome> {
    const startedAt = clock()
    const begun = performance.now()
    const answer = await deliver(outgoing)
    return outcomeOf(answer, startedAt, Math.max(0, Math.round(answer.at - begun)))
  }

  const challenge = createChallenge({ send, clock, randomBytes: options.randomBytes ?? randomBytes })
  return { admit, send, challenge, close: async () => lanes.close() }
}

function refused(reason: UrlFault): EngineError {
  return new EngineError('webhook_url_refused', { reason })
}

function outcomeOf(answer: Answer, startedAt: number, duration: number): Outcome {
  const { status, failure, headers, body, isWhole } = answer
  const retryAfter = retryAfterOf(status, headers['retry-after'], startedAt + duration)
  return {
    startedAt,
    duration,
    responseHeaders: keptHeaders(headers),
    responseBody: keptText(body),
    isResponseCut: status !== undefined && !isWhole,
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

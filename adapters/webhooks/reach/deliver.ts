import { attemptDeadline } from '../../../engine/index.ts'
import type { Outgoing } from '../../node/deliveries.ts'
import { type Answer, exchange, type Post } from './exchange.ts'
import { failed, failureOf } from './failure.ts'
import { requestHeaders } from './headers.ts'
import type { Lanes } from './lanes.ts'
import { targetOf } from './target.ts'

/** Sends a request once, within the time of an attempt. Never rejects: what goes wrong is an answer with a failure. */
export type Deliver = (outgoing: Outgoing) => Promise<Answer>

/** Makes it, over these lanes. */
export function createDeliver(lanes: Lanes, userAgent: string): Deliver {
  const own = { 'user-agent': userAgent, 'accept-encoding': 'identity' }

  async function deliver({ url, headers, body }: Outgoing, signal: AbortSignal): Promise<Answer> {
    const target = targetOf(url)
    // Refused when it was saved; where the rules have changed since, it reads as one that cannot be reached.
    if (typeof target === 'string') throw failed('unreachable')
    const post = { path: target.path, headers: requestHeaders(headers, own), body }
    const { answer, isStale } = await deliverOnce(lanes, target.origin, post, signal, false)
    return isStale ? (await deliverOnce(lanes, target.origin, post, signal, true)).answer : answer
  }

  return async (outgoing) => {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), attemptDeadline)
    try {
      return await deliver(outgoing, deadline.signal)
    } catch (error) {
      return nothing(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** `isStale` says that the other side had closed the connection before the request came there, so that it may come again. */
async function deliverOnce(lanes: Lanes, origin: string, post: Post, signal: AbortSignal, isFresh: boolean) {
  const lane = await lanes.take(origin, signal, isFresh)
  const answer = await exchange(lane, post, signal)
  const isStale = lane.isWorn && answer.failure === 'reset' && answer.isSilent
  lanes.give(lane, answer.isWhole)
  return { answer, isStale }
}

function nothing(error: unknown): Answer {
  const at = performance.now()
  return { failure: failureOf(error), headers: {}, body: new Uint8Array(), isWhole: false, isSilent: true, at }
}

import type { Outgoing } from '../../node/deliveries.ts'
import { attemptDeadline } from '../retry-policy.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { exchange, type OutgoingRequest, type ReceivedResponse } from './exchange.ts'
import { attemptError, failureOf } from './failure.ts'
import { requestHeaders } from './headers.ts'
import { type MeasuredPhases, type PhaseClock, startPhases } from './phases.ts'
import type { ConnectionPool } from './pool.ts'
import { targetOf } from './target.ts'

/** Sends a request once, within the time limit of an attempt. Never rejects: the response carries the failure. */
export type Deliver = (outgoing: Outgoing) => Promise<ReceivedResponse & MeasuredPhases>

/** Creates the function on a connection pool. */
export function createDeliver(lanes: ConnectionPool, userAgent: string): Deliver {
  const own = { 'user-agent': userAgent, 'accept-encoding': 'identity' }

  async function deliver(outgoing: Outgoing, deadline: Deadline, phases: PhaseClock): Promise<ReceivedResponse> {
    const { url, headers, extra, body, isAnswerRead = false, method = 'POST', answered = () => {} } = outgoing
    const target = targetOf(url)
    // Such a URL is refused when it is saved. If the rules have changed since, it counts as unreachable.
    if (typeof target === 'string') {
      phases.begin('connect')
      throw attemptError('unreachable')
    }
    const post: OutgoingRequest = {
      method,
      path: target.path,
      headers: requestHeaders(headers, own, extra),
      body,
      isAnswerRead,
      answered,
      phases,
    }
    const { answer, isStale } = await deliverOnce(lanes, target.origin, post, deadline, false)
    return isStale ? (await deliverOnce(lanes, target.origin, post, deadline, true)).answer : answer
  }

  return async (outgoing) => {
    const phases = startPhases()
    const deadline = startDeadline(attemptDeadline)
    const answer = await deliver(outgoing, deadline, phases).catch(nothing)
    deadline.clear()
    return { ...answer, ...phases.end() }
  }
}

/**
 * `isStale` means that the receiver had closed the connection before the request arrived, so it is safe to send again.
 */
async function deliverOnce(
  lanes: ConnectionPool,
  origin: string,
  post: OutgoingRequest,
  deadline: Deadline,
  isFresh: boolean,
) {
  post.phases.begin('queue')
  const lane = await lanes.acquire(origin, deadline, isFresh)
  const answer = await exchange(lane, post, deadline)
  const isStale = lane.wasUsed && answer.failure === 'reset' && answer.isWithoutTracking
  lanes.release(lane, answer.isWhole)
  return { answer, isStale }
}

function nothing(error: unknown): ReceivedResponse {
  const at = performance.now()
  return { failure: failureOf(error), headers: {}, body: new Uint8Array(), isWhole: false, isWithoutTracking: true, at }
}

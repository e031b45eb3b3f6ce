import {
  EngineError,
  isObject,
  isoOf,
  lastNotifiedAt,
  lastTick,
  type QuerySubscription,
  querySubscription,
  querySubscriptions,
  subscribeToQuery,
  ticksOf,
  unsubscribeFromQuery,
} from '../../../engine/index.ts'
import { requesterOf } from '../../node/limited.ts'
import { readBody } from '../body.ts'
import {
  type Answer,
  type EpcisCall,
  formatHeaders,
  formatsOf,
  nextLink,
  pageOf,
  respond,
  respondJson,
} from './call.ts'

/** The largest subscription, in bytes. */
const maxSubscription = 16 * 1024

/** Subscribes a URL to a named query. */
export const postSubscription: Answer = async (call) => {
  const { request, context } = call
  const rules = { limit: maxSubscription, lines: false, open: false, caller: requesterOf(context) }
  const body = await readBody(request.req.raw, { ...rules, types: ['application/json', 'application/ld+json'] })
  if (!isObject(body)) throw new EngineError('epcis_subscription_refused', { parameter: 'body', reason: 'an object' })
  const queryName = call.param('queryName')
  const formats = formatsOf(request)
  const subscription = await subscribeToQuery(context, queryName, body, formats.epc)
  const location = `${context.baseUrl}/epcis/queries/${queryName}/subscriptions/${subscription.id}`
  const headers = { 'Content-Type': 'application/json', Location: location, ...formatHeaders({ epc: formats.epc }) }
  return respond(call, 201, JSON.stringify(await shown(call, subscription)), headers)
}

/** The subscriptions to a named query. */
export const getSubscriptions: Answer = async (call) => {
  const { perPage, after } = pageOf(call)
  const start = Number(after?.o ?? 0)
  const known = await querySubscriptions(call.context, call.param('queryName'))
  const end = start + perPage
  const page = await Promise.all(known.slice(start, end).map((one) => shown(call, one)))
  return respondJson(call, page, nextLink(call, end < known.length ? { o: end } : undefined))
}

/** A subscription to a named query. */
export const getSubscription: Answer = async (call) =>
  respondJson(
    call,
    await shown(call, await querySubscription(call.context, ...namesIn(call))),
    await describeSubscription(call),
  )

/** From when on the next results of a subscription were recorded. */
export async function describeSubscription(call: EpcisCall): Promise<Readonly<Record<string, string>>> {
  const subscription = await querySubscription(call.context, ...namesIn(call))
  const { schedule, from, createdAt } = subscription
  const last = schedule && lastTick(ticksOf(schedule), call.context.clock())
  const sent = schedule === undefined ? await lastNotifiedAt(call.context, subscription) : last
  const isLater = sent !== undefined && sent > Date.parse(createdAt) && sent > Date.parse(from)
  return { 'GS1-Query-Min-Record-Time': isLater ? isoOf(sent) : from }
}

/** Ends a subscription. */
export const deleteSubscription: Answer = async (call) => {
  await unsubscribeFromQuery(call.context, ...namesIn(call))
  return respond(call, 204, null)
}

function namesIn(call: EpcisCall): [queryName: string, subscriptionID: string] {
  return [call.param('queryName'), call.param('subscriptionID')]
}

/** A subscription in answers (EPCIS 2.0, AbstractQuerySubscriptionResponse), without its token. */
async function shown({ context }: EpcisCall, subscription: QuerySubscription) {
  const { id, queryName, dest, schedule, reportIfEmpty, from, createdAt } = subscription
  const notified = await lastNotifiedAt(context, subscription)
  return {
    ...{ subscriptionID: id, queryName, dest, createdAt, initialRecordTime: from },
    ...(notified !== undefined && { lastNotifiedAt: isoOf(notified) }),
    ...(schedule === undefined ? { stream: true } : { schedule, reportIfEmpty }),
  }
}

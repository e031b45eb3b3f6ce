import * as v from 'valibot'
import { callerOf } from '../../kernel/call.ts'
import type { Caller, Context, Facts } from '../../kernel/context.ts'
import type { Endpoint, Owner } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { Members } from '../../kernel/members.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { type Door, isOpenTo } from '../../kernel/rights.ts'
import { url } from '../../kernel/schemas.ts'
import { secretProblem } from '../../kernel/signing-secret.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, instantProblem, isoOf } from '../../kernel/time.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { countSourcesSince } from './find.ts'
import {
  changeQueries,
  type EpcisQuerySubscribed,
  type EpcisQueryUnsubscribed,
  epcisQueriesErased,
  loadQueries,
  type NamedQuery,
  namedQuery,
  type QuerySubscription,
  queryStream,
} from './queries.ts'
import { providerOf } from './reader.ts'
import { type Schedule, scheduleIn } from './schedule.ts'

const category = 'epcis_queries-'

/** The most events that a subscription begins with. */
export const maxEarlier = 1_000

/** Deliveries to subscriptions belong to no business: the log of none shows them. */
export const noBusiness = 0

/** The owner of the subscriptions of a provider, or of an account. */
export function reportOwner({ provider, account }: Pick<QuerySubscription, 'provider' | 'account'>): Owner {
  const { id } = account ?? {}
  return `epcis.${provider === undefined ? deriveId('account', String(id)) : deriveId('provider', provider)}`
}

/** The owner whose subscriptions a stream holds; undefined for other streams. */
export function reportOwnerOf(stream: string): Owner | undefined {
  return stream.startsWith(category) ? `epcis.${stream.slice(category.length)}` : undefined
}

/** The stream that holds the subscriptions of an owner. */
export function reportStream(owner: Owner): StreamName {
  return `${category}${owner.slice('epcis.'.length)}`
}

/** The subject of what is sent about a source event. */
export function sourceSubject(stream: string): string {
  return `epcis_event/${stream.slice('epcis_event-'.length)}`
}

/** The stored bodies about a source event go with it. */
export const sourceErasures: WebhookEventSource = {
  category: 'epcis_event',
  types: [],
  webhookEventsOf: async () => [],
  forgets: { types: ['EpcisSourceErased'], subjects: async (_, { stream }) => [sourceSubject(stream)] },
}

/** The rows of subscriptions that an event ends. */
function endedRows({ type, data, stream }: RecordedEvent): readonly Row[] {
  if (type === epcisQueriesErased) return [{ stream }]
  return type === 'EpcisQueryUnsubscribed' ? [{ stream, id: (data as EpcisQueryUnsubscribed['data']).id }] : []
}

/** The subscriptions that also report that there is nothing, by the stream of their owner's queries. */
export const emptyReportModel = {
  name: 'epcis_empty_reports',
  version: 1,
  category: 'epcis_queries',
  columns: { stream: 'text', id: 'text' },
  key: ['stream', 'id'],
  indexes: [],
  rows: ({ type, data, stream }) => {
    const { id, reportIfEmpty } = data as EpcisQuerySubscribed['data']
    return type === 'EpcisQuerySubscribed' && reportIfEmpty ? [{ stream, id }] : []
  },
  gone: endedRows,
} as const satisfies ReadModel

/** The subscriptions of accounts, by the business whose events they may get. */
export const accountReportModel = {
  name: 'epcis_account_reports',
  version: 1,
  category: 'epcis_queries',
  columns: { stream: 'text', id: 'text', business: 'integer' },
  key: ['stream', 'id'],
  indexes: [],
  rows: ({ type, data, stream }) => {
    const { id, account } = data as EpcisQuerySubscribed['data']
    return type === 'EpcisQuerySubscribed' && account !== undefined
      ? [{ stream, id, business: account.business_id }]
      : []
  },
  gone: endedRows,
} as const satisfies ReadModel

/** The owners of the subscriptions of accounts, each with its business. */
export async function accountReportOwners({ models }: Pick<Facts, 'models'>): Promise<ReadonlyMap<Owner, number>> {
  const rows = await models.rows(accountReportModel, {})
  return new Map(
    rows.flatMap(({ stream, business }) => {
      const owner = reportOwnerOf(String(stream))
      return owner === undefined ? [] : [[owner, Number(business)] as const]
    }),
  )
}

/** The owners of subscriptions that also report that there is nothing. */
export async function emptyReportOwners({ models }: Pick<Facts, 'models'>): Promise<readonly Owner[]> {
  const streams = await models.counts(emptyReportModel, 'stream')
  return [...streams.keys()].flatMap((stream) => reportOwnerOf(String(stream)) ?? [])
}

/** A subscription with its query. */
export interface SubscribedQuery extends QuerySubscription {
  readonly query: NamedQuery['query']
}

/** The subscriptions of an owner, with their queries. */
export async function loadReports(store: Context['store'], owner: Owner): Promise<readonly SubscribedQuery[]> {
  const { named, subscriptions } = await loadQueries(store, reportStream(owner))
  return [...subscriptions.values()].map((one) => ({ ...one, query: named.get(one.queryName)?.query ?? {} }))
}

/** The endpoint of a subscription. */
export function reportEndpoint(subscription: QuerySubscription): Endpoint {
  const { id, dest, token, schedule } = subscription
  const sent = { channel: 'epcis_query', field: 'url', url: dest, format: 'native', interval: 0 } as const
  const owner = reportOwner(subscription)
  const how = { ...sent, standard: token !== undefined, ...(schedule !== undefined && { isJoined: true as const }) }
  return { id, owner, businessId: noBusiness, ...how, keys: [{ secret: token ?? '' }] }
}

/** What decides whether the subscriptions of an owner stand. */
type Standing = Pick<Context, 'store' | 'models' | 'ports' | 'clock' | 'directory'>

/**
 * Those that stand, of one owner: a subscription of a provider ends with its key, and rests while that has expired; one of an
 * account rests while that may not sign in or query.
 */
export async function standingReports<Subscription extends QuerySubscription>(
  facts: Standing,
  all: readonly Subscription[],
): Promise<readonly Subscription[]> {
  const [one] = all
  if (one === undefined) return all
  const since = await standingSince(facts, one)
  return since === undefined ? [] : all.filter(({ createdAt }) => createdAt >= since)
}

/** ISO 8601; undefined if no subscription of the owner is active. */
async function standingSince(facts: Standing, { provider, account }: Pick<QuerySubscription, 'provider' | 'account'>) {
  if (provider !== undefined) return facts.ports.epcis.activeSince(facts, provider, isoOf(facts.clock()))
  return account && (await subscriberOf(facts, account.id)) && ''
}

/** What accounts ask queries by, as at the door: a staff role may leave the scope, and yet only operations by name. */
const asksQueries: Door = { scopes: ['orders:read'], hasViews: true, writes: false }

/** The account of a subscription as a caller; undefined if it may not sign in or query. */
export async function subscriberOf(
  facts: Pick<Context, 'store' | 'models' | 'directory'>,
  account: number,
): Promise<Caller | undefined> {
  const person = await facts.directory.person(facts, account)
  const caller = person?.isActive ? callerOf(person) : undefined
  return caller && isOpenTo(asksQueries, caller) ? caller : undefined
}

/** Parameters that a query with subscriptions cannot have. */
const limits = ['eventCountLimit', 'maxEventCount']

/** A wanted subscription, read from its JSON (EPCIS 2.0, QueryScheduleSubscription or QueryStreamSubscription). */
interface Wanted {
  readonly dest: string
  readonly token?: string
  readonly schedule?: Schedule
  readonly reportIfEmpty: boolean
  readonly from?: string
}

const members: ReadonlySet<string> = new Set([
  ...['dest', 'signatureToken', 'secret', 'stream', 'schedule', 'reportIfEmpty', 'initialRecordTime'],
])

function refused(parameter: string, reason: string): EngineError {
  return new EngineError('epcis_subscription_refused', { parameter, reason })
}

function wantedIn(given: Members): Wanted {
  const unknown = Object.keys(given).find((name) => !members.has(name))
  if (unknown !== undefined) throw refused(unknown.slice(0, 80), 'there is no such member')
  const { dest, stream, schedule, reportIfEmpty = false, initialRecordTime } = given
  // The schema of the standard requires a member "secret", and describes it as "signatureToken".
  const { secret, signatureToken: token = secret } = given
  if (!v.is(url, dest)) throw refused('dest', 'an http or https URL')
  if (token !== undefined && (typeof token !== 'string' || secretProblem(token) !== undefined))
    throw refused('signatureToken', '16 to 256 characters')
  if ((stream === true) === (schedule !== undefined)) throw refused('stream', 'true, or else a schedule')
  if (typeof reportIfEmpty !== 'boolean') throw refused('reportIfEmpty', 'true or false')
  if (reportIfEmpty && schedule === undefined) throw refused('reportIfEmpty', 'only with a schedule')
  const isTime = typeof initialRecordTime === 'string' && instantProblem(initialRecordTime) === undefined
  if (initialRecordTime !== undefined && !isTime) throw refused('initialRecordTime', 'a date-time with an offset')
  return {
    ...{ dest, reportIfEmpty },
    ...(token !== undefined && { token }),
    ...(schedule !== undefined && { schedule: scheduleIn(schedule).schedule }),
    ...(isTime && { from: isoOf(instantOf(initialRecordTime)) }),
  }
}

/**
 * Subscribes the caller to its named query. Refuses a wrong subscription with `epcis_subscription_refused`, and a URL
 * that must not be called with `webhook_url_refused`.
 */
export async function subscribeToQuery(
  context: Context,
  queryName: string,
  given: Members,
  epcFormat?: string,
): Promise<QuerySubscription> {
  const { query } = await namedQuery(context, queryName)
  const limit = limits.find((name) => Object.hasOwn(query, name))
  if (limit !== undefined) throw refused(limit, 'a subscription sends every result')
  const wanted = wantedIn(given)
  const subscriber = subscriberIn(context)
  await requireFewEarlier(context, wanted)
  await context.webhooks.checkUrl(wanted.dest)
  const now = isoOf(context.clock())
  const subscription = {
    ...{ id: context.randomId(), queryName, ...subscriber, from: now, createdAt: now },
    ...{ ...wanted, ...(epcFormat !== undefined && { epcFormat }) },
  }
  const since = (await standingSince(context, subscriber)) ?? now
  await changeQueries(context, { type: 'Subscribe', subscription, since })
  return subscription
}

function subscriberIn(context: Context): Pick<QuerySubscription, 'provider' | 'account'> {
  const { account } = context.caller
  if (account === undefined) return { provider: providerOf(context) }
  return { account: { id: account.id, business_id: account.business.id } }
}

/** What was recorded before is sent too, if it is not too much; an account queries it. */
async function requireFewEarlier(context: Context, { from }: Wanted): Promise<void> {
  if (from !== undefined && context.caller.kind === 'account' && instantOf(from) < context.clock())
    throw refused('initialRecordTime', 'not in the past; query what was recorded before')
  if (
    from === undefined ||
    context.caller.kind === 'account' ||
    (await countSourcesSince(context, instantOf(from), maxEarlier + 1)) <= maxEarlier
  )
    return
  throw refused('initialRecordTime', `more than ${maxEarlier} events were recorded since; query those`)
}

/** The caller's subscriptions to a named query, in order of their beginning. */
export async function querySubscriptions(context: Context, queryName: string): Promise<readonly QuerySubscription[]> {
  await namedQuery(context, queryName)
  const { subscriptions } = await loadQueries(context.store, queryStream(context.caller))
  const all = [...subscriptions.values()].filter((one) => one.queryName === queryName)
  return standingReports(context, all)
}

/** A subscription of the caller to a named query; refuses any other with `epcis_subscription_not_found`. */
export async function querySubscription(context: Context, queryName: string, id: string): Promise<QuerySubscription> {
  const found = (await querySubscriptions(context, queryName)).find((one) => one.id === id)
  if (found === undefined) throw new EngineError('epcis_subscription_not_found')
  return found
}

/** Ends a subscription of the caller; what waits is no longer sent. */
export async function unsubscribeFromQuery(context: Context, queryName: string, id: string): Promise<void> {
  await querySubscription(context, queryName, id)
  await changeQueries(context, { type: 'Unsubscribe', id })
}

/** When the last results of a subscription were received (epoch milliseconds); undefined if none were, or long ago. */
export async function lastNotifiedAt({ webhooks }: Pick<Context, 'webhooks'>, subscription: QuerySubscription) {
  const query = { businessId: noBusiness, endpointId: subscription.id, state: ['delivered'] } as const
  const [delivered] = (await webhooks.page(query, { limit: 1, offset: 0 })).deliveries
  const detail = delivered && (await webhooks.find(noBusiness, delivered.id))
  const last = detail?.history.at(-1)
  return last && last.startedAt + last.duration
}

/** Whether an event begins a subscription. */
export function isSubscribed(event: RecordedEvent): event is RecordedEvent<EpcisQuerySubscribed> {
  return event.type === 'EpcisQuerySubscribed'
}

import { requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append, EventStore } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { Schedule } from './schedule.ts'

/** A query under a name (EPCIS 2.0, section 12.6), with the parameters as they were given. */
export interface NamedQuery {
  readonly name: string
  readonly query: Readonly<Record<string, unknown>>
}

/** A subscription to a named query: its results are sent to a URL, as they come or by a schedule. */
export interface QuerySubscription {
  readonly id: string
  readonly queryName: string
  /** Whose it is: a provider's, by name, or else an account's. */
  readonly provider?: string
  readonly account?: { readonly id: number; readonly business_id: number }
  /** The URL that receives the results. */
  readonly dest: string
  /** Signs what is sent; nothing is signed without it. */
  readonly token?: string
  /** Results are sent as they come if absent. */
  readonly schedule?: Schedule
  /** How keys are written (`GS1-EPC-Format`); as they came if absent. */
  readonly epcFormat?: string
  /** Whether it is also said that there are no results. */
  readonly reportIfEmpty: boolean
  /** The time of recording (ISO 8601, UTC) from which events are results; `createdAt` if it was not given. */
  readonly from: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

type EpcisQueryNamed = Event<'EpcisQueryNamed', NamedQuery>
type EpcisQueryDropped = Event<'EpcisQueryDropped', Pick<NamedQuery, 'name'>>

/** A provider or an account subscribed a URL to its query. */
export type EpcisQuerySubscribed = Event<
  'EpcisQuerySubscribed',
  Omit<QuerySubscription, 'dest' | 'token'> & { readonly personal?: Pick<QuerySubscription, 'dest' | 'token'> }
>

/** A subscription ended: by its owner, or with its query. */
export type EpcisQueryUnsubscribed = Event<'EpcisQueryUnsubscribed', Pick<QuerySubscription, 'id'>>

/** The account of these queries was erased; its subscriptions have ended. */
type EpcisQueriesErased = Event<'EpcisQueriesErased', { readonly at: string }>

/** The type of the event that erases the queries of an account. */
export const epcisQueriesErased: EpcisQueriesErased['type'] = 'EpcisQueriesErased'

type QueryFact =
  | EpcisQueryNamed
  | EpcisQueryDropped
  | EpcisQuerySubscribed
  | EpcisQueryUnsubscribed
  | EpcisQueriesErased

/** The shapes of the events of named queries. */
export const queryEventShapes: ShapesOf<QueryFact> = {
  EpcisQueryNamed: { name: 'text', query: 'object' },
  EpcisQueryDropped: { name: 'text' },
  EpcisQuerySubscribed: {
    from: 'text',
    provider: 'text?',
    id: 'text',
    queryName: 'text',
    account: 'object?',
    schedule: 'object?',
    epcFormat: 'text?',
    reportIfEmpty: 'flag',
    createdAt: 'text',
  },
  EpcisQueryUnsubscribed: { id: 'text' },
  EpcisQueriesErased: { at: 'text' },
}

type QueryCommand =
  | { readonly type: 'NameQuery'; readonly query: NamedQuery }
  /** Ends its subscriptions too. */
  | { readonly type: 'DropQuery'; readonly name: string }
  /** `since` is when a provider was added: a subscription of an earlier one of its name does not count. */
  | { readonly type: 'Subscribe'; readonly subscription: QuerySubscription; readonly since: string }
  | { readonly type: 'Unsubscribe'; readonly id: string }

/** The named queries of a provider or an account, and the subscriptions to them by id. */
interface Queries {
  readonly named: ReadonlyMap<string, NamedQuery>
  readonly subscriptions: ReadonlyMap<string, QuerySubscription>
}

/** The most named queries of one owner. */
const maxQueries = 100

/** The most subscriptions of one owner. */
export const maxSubscriptions = 50

/** The named queries of one owner, and the subscriptions to them. */
const queries: Decider<Queries, QueryCommand, QueryFact> = {
  initial: () => ({ named: new Map(), subscriptions: new Map() }),
  evolve: (known, { type, data }) => {
    if (type === 'EpcisQueriesErased') return queries.initial()
    const named = new Map(known.named)
    const subscriptions = new Map(known.subscriptions)
    if (type === 'EpcisQueryNamed') named.set(data.name, data)
    else if (type === 'EpcisQueryDropped') named.delete(data.name)
    else if (type === 'EpcisQueryUnsubscribed') subscriptions.delete(data.id)
    else if (data.personal !== undefined) {
      const { personal, ...rest } = data
      subscriptions.set(data.id, { ...rest, ...personal })
    }
    return { named, subscriptions }
  },
  decide: (command, { named, subscriptions }) => {
    switch (command.type) {
      case 'NameQuery':
        if (named.has(command.query.name)) throw new EngineError('epcis_query_exists')
        if (named.size >= maxQueries)
          throw new EngineError('query_parameter_refused', {
            parameter: 'name',
            reason: `at most ${maxQueries} queries`,
          })
        return [{ type: 'EpcisQueryNamed', data: command.query }]
      case 'DropQuery': {
        if (!named.has(command.name)) throw new EngineError('epcis_query_not_found')
        const ended = [...subscriptions.values()].filter(({ queryName }) => queryName === command.name)
        const facts = ended.map(({ id }) => ({ type: 'EpcisQueryUnsubscribed', data: { id } }) as const)
        return [...facts, { type: 'EpcisQueryDropped', data: { name: command.name } }]
      }
      case 'Subscribe':
        return [subscribed(command.subscription, command.since, { named, subscriptions })]
      case 'Unsubscribe':
        if (!subscriptions.has(command.id)) throw new EngineError('epcis_subscription_not_found')
        return [{ type: 'EpcisQueryUnsubscribed', data: { id: command.id } }]
      default:
        return command satisfies never
    }
  },
}

function subscribed(subscription: QuerySubscription, since: string, known: Queries): EpcisQuerySubscribed {
  if (!known.named.has(subscription.queryName)) throw new EngineError('epcis_query_not_found')
  const standing = [...known.subscriptions.values()].filter(({ createdAt }) => createdAt >= since)
  if (standing.length >= maxSubscriptions)
    throw new EngineError('epcis_subscription_refused', {
      parameter: 'dest',
      reason: `at most ${maxSubscriptions} subscriptions`,
    })
  const { dest, token, ...data } = subscription
  return { type: 'EpcisQuerySubscribed', data: { ...data, personal: { dest, ...(token !== undefined && { token }) } } }
}

/** The stream of the named queries of a caller. */
export function queryStream({ kind, name }: Pick<Context['caller'], 'kind' | 'name'>): StreamName {
  return `epcis_queries-${deriveId(kind, name)}`
}

/** The append that erases the queries of an account; none if it has never had any. */
export async function eraseQueries(context: Context, account: number): Promise<readonly Append[]> {
  const stream = queryStream({ kind: 'account', name: String(account) })
  const last = await context.store.last(stream)
  if (last === undefined) return []
  const event: EpcisQueriesErased = { type: epcisQueriesErased, data: { at: isoOf(context.clock()) } }
  return [{ stream, events: [toNewEvent(context)(event)], expected: last.revision }]
}

/** The queries and subscriptions in a stream. */
export async function loadQueries(store: Pick<EventStore, 'read'>, stream: StreamName): Promise<Queries> {
  return fold(queries, (await store.read(stream)) as readonly QueryFact[])
}

/** Decides a command on the caller's queries. */
export async function changeQueries(context: Context, command: QueryCommand): Promise<void> {
  await execute(context.store, queries, streamOf(context), command, toNewEvent(context))
}

/** The stream of the caller's named queries: providers have some, and accounts that may query. */
function streamOf(context: Context): StreamName {
  requireScopes(context, [context.caller.kind === 'account' ? 'orders:read' : 'otep:ingest'])
  return queryStream(context.caller)
}

/** Names a query of the caller; refuses a name that is in use with `epcis_query_exists`. */
export async function nameQuery(context: Context, query: NamedQuery): Promise<void> {
  await changeQueries(context, { type: 'NameQuery', query })
}

/** Drops a named query of the caller, with its subscriptions; refuses any other name with `epcis_query_not_found`. */
export async function dropQuery(context: Context, name: string): Promise<void> {
  await changeQueries(context, { type: 'DropQuery', name })
}

/** The named queries of the caller, in order of naming. */
export async function namedQueries(context: Context): Promise<readonly NamedQuery[]> {
  return [...(await loadQueries(context.store, streamOf(context))).named.values()]
}

/** A named query of the caller; refuses any other name with `epcis_query_not_found`. */
export async function namedQuery(context: Context, name: string): Promise<NamedQuery> {
  const found = (await namedQueries(context)).find((query) => query.name === name)
  if (found === undefined) throw new EngineError('epcis_query_not_found')
  return found
}

import {
  accountReportOwners,
  type Context,
  deriveId,
  type Endpoint,
  type EpcisEventCaptured,
  findSources,
  type Hooks,
  hooksOf,
  isSeenBy,
  isSubscribed,
  type KeptSource,
  loadReports,
  lookedUp,
  nextTick,
  noBusiness,
  type Owner,
  type RecordedEvent,
  recordedSource,
  reportEndpoint,
  reportOwner,
  reportStream,
  type StreamName,
  type SubscribedQuery,
  sourceSubject,
  standingReports,
  subscriberOf,
  type Ticks,
  thingsOf,
  ticksOf,
  type WebhookEventFacts,
} from '../../../engine/index.ts'
import { type Asked, askedOf } from '../../../projections/epcis/facets.ts'
import { identifierOfUri } from '../../../projections/epcis/parse/things.ts'
import { matches, namedQueryOf, type Query } from '../../../projections/epcis/query.ts'
import { isEpcFormat, translatedJson } from '../../../projections/epcis/translate.ts'
import { wholeJson } from '../../../projections/epcis/whole.ts'
import { formOf } from '../../../projections/epcis/whole-json.ts'
import type { NewDelivery } from '../../node/deliveries.ts'
import { createHooksCache, type HooksCache } from '../hooks-cache.ts'

/** What reports are made of. */
type ReportFacts = WebhookEventFacts & Pick<Context, 'clock' | 'directory' | 'profiles'>

/** A subscription, ready to be reported to. */
export interface Report {
  readonly subscription: SubscribedQuery
  readonly endpoint: Endpoint
  readonly query: Query
  /** When it is reported to; at once if absent. */
  readonly ticks?: Ticks
}

/** The subscriptions to EPCIS queries. */
export interface Reports {
  /** The endpoints of an owner's subscriptions that stand at this moment. */
  hooksOf(owner: Owner): Promise<Hooks>
  /** The subscriptions of an owner that stand at this moment. */
  standing(owner: Owner): Promise<readonly Report[]>
  /** Drops what is cached of an owner. */
  changed(owner: Owner): void
  /** The deliveries that follow from a recorded event: each result is sent for itself. */
  deliveriesOf(event: RecordedEvent): Promise<readonly NewDelivery[]>
}

/** A source event that was recorded. */
interface Recorded {
  readonly stream: string
  readonly revision: number
  /** ISO 8601, UTC. */
  readonly recordedAt: string
  readonly kept: KeptSource
}

/** Creates the subscriptions of a node; `now` is monotonic milliseconds. */
export function createReports(facts: ReportFacts, now: () => number): Reports {
  const { store, clock } = facts
  const load = async (owner: Owner) => (await loadReports(store, owner)).flatMap(reportOf)
  const known = createHooksCache({ store, streamOf: reportStream, load, now })

  async function standing(owner: Owner): Promise<readonly Report[]> {
    const all = await known.of(owner)
    const subscriptions = await standingReports(
      facts,
      all.map(({ subscription }) => subscription),
    )
    return all.filter(({ subscription }) => subscriptions.includes(subscription))
  }

  /** A subscription that is not active any more has no endpoint when its report is sent. */
  async function ofCaptured(event: RecordedEvent): Promise<readonly NewDelivery[]> {
    const { provider } = event.data as { readonly provider: string }
    const others = await accountReportOwners(facts)
    const owners = [reportOwner({ provider }), ...others.keys()]
    const reports = (await Promise.all(owners.map(known.of)))
      .flat()
      .filter(({ subscription }) => subscription.from <= event.recordedAt)
    if (reports.length === 0) return []
    const [opened] = await store.read(event.stream as StreamName, { from: event.revision, limit: 1 })
    const fact = opened as RecordedEvent<EpcisEventCaptured> | undefined
    const kept = fact && recordedSource(fact)
    if (fact === undefined || kept === undefined) return []
    const asked = askedIn(kept)
    const isFor = audienceOf(facts, fact)
    const deliveries: NewDelivery[] = []
    for (const report of reports) {
      const made = deliveryOf(report, { ...event, kept }, asked, clock())
      if (made.length > 0 && (await isFor(report))) deliveries.push(...made)
    }
    return deliveries
  }

  return {
    standing,
    hooksOf: async (owner) =>
      hooksOf(
        owner,
        (await standing(owner)).map(({ endpoint }) => endpoint),
      ),
    changed: known.changed,
    deliveriesOf: async (event) => {
      if (event.type === 'EpcisEventCaptured') return ofCaptured(event)
      return isSubscribed(event) ? ofEarlier(facts, known, event.data) : []
    },
  }
}

/** What was recorded before the subscription of a provider began, if it wants that. */
async function ofEarlier(
  facts: ReportFacts,
  known: HooksCache<readonly Report[]>,
  { id, provider }: Pick<SubscribedQuery, 'id' | 'provider'>,
): Promise<readonly NewDelivery[]> {
  if (provider === undefined) return []
  const report = (await known.of(reportOwner({ provider }))).find(({ subscription }) => subscription.id === id)
  if (report === undefined) return []
  const { from, createdAt } = report.subscription
  if (from >= createdAt) return []
  const caller = { kind: 'provider', name: provider, scopes: [] } as const
  const between = [Date.parse(from), Date.parse(createdAt)] as const
  const wanted = { facets: [], by: 'recorded', between, newestFirst: false } as const
  const deliveries: NewDelivery[] = []
  for await (const found of findSources({ ...facts, caller }, wanted))
    deliveries.push(...deliveryOf(report, found, askedIn(found.kept), Date.parse(createdAt)))
  return deliveries
}

/**
 * Whether a source event is for a subscription. One of a provider gets all of its provider's events; one of an account those of
 * things that the account may see. The businesses of the things are looked up once, so that the accounts of others cost
 * nothing.
 */
function audienceOf(facts: ReportFacts, fact: RecordedEvent<EpcisEventCaptured>) {
  const { baseUrl } = facts
  const wanted = { identifierOf: identifierOfUri(baseUrl) }
  let businesses: Promise<ReadonlySet<number>> | undefined

  async function businessesOf(): Promise<ReadonlySet<number>> {
    const found = new Set<number>()
    for (const thing of thingsOf(facts, fact).slice(0, lookedUp.event))
      for (const id of await facts.ports.epcis.businessesOfThing(facts as Context, wanted.identifierOf(thing)))
        found.add(id)
    return found
  }

  return async ({ subscription: { account } }: Report): Promise<boolean> => {
    if (account === undefined) return true
    businesses ??= businessesOf()
    if (!(await businesses).has(account.business_id)) return false
    const caller = await subscriberOf(facts, account.id)
    return caller !== undefined && isSeenBy({ ...facts, caller }, fact, wanted)
  }
}

/** A query that a later version no longer reads has no results. */
function reportOf(subscription: SubscribedQuery): readonly Report[] {
  const { schedule } = subscription
  try {
    const query = namedQueryOf(subscription.query)
    const endpoint = reportEndpoint(subscription)
    return [{ subscription, endpoint, query, ...(schedule && { ticks: ticksOf(schedule) }) }]
  } catch {
    return []
  }
}

function askedIn(kept: KeptSource): Asked {
  const { event, prefixes } = formOf(kept)
  return askedOf(event, prefixes)
}

/** The delivery of an event to a subscription of whose query it is a result, due at `now` or at the next scheduled time. */
function deliveryOf(report: Report, recorded: Recorded, asked: Asked, now: number): readonly NewDelivery[] {
  const { subscription, query, ticks } = report
  const { stream, revision, recordedAt, kept } = recorded
  const at = Date.parse(recordedAt)
  if (!matches(query, asked, at)) return []
  const dueAt = ticks === undefined ? now : nextTick(ticks, Math.max(at, Date.parse(subscription.createdAt)) - 1)
  const name = [stream, String(revision)]
  const said = { name, subject: sourceSubject(stream), at: recordedAt, dueAt: dueAt ?? now }
  return [deliveryTo(report, { event: 'epcis.results', ...said }, [kept])]
}

/** What a delivery says, besides its events. */
interface Said {
  readonly event: 'epcis.results' | 'epcis.no_results'
  /** What its id is derived from. */
  readonly name: readonly string[]
  readonly subject: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly dueAt: number
}

/** A delivery to a subscription; one with the same name has the same id. */
export function deliveryTo({ subscription, endpoint }: Report, said: Said, kept: readonly KeptSource[]): NewDelivery {
  const { id: subscriptionID, queryName, epcFormat } = subscription
  const { event, name, subject, at, dueAt } = said
  const id = `dlv_${deriveId('report', subscriptionID, ...name).replaceAll('-', '')}`
  const whole = wholeJson(kept, { as: 'query', creationDate: at, queryName, subscriptionID })
  const document = translatedJson(whole, isEpcFormat(epcFormat) ? { epc: epcFormat } : {})
  const body = new TextEncoder().encode(JSON.stringify(document))
  return {
    ...{ id, eventId: id, event, subject, occurredAt: at, businessId: noBusiness, isTest: false, isSandbox: false },
    ...{ endpoint, body, native: body, dueAt, state: 'waiting' },
  }
}

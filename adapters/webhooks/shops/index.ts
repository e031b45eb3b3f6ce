import {
  type Endpoint,
  findStream,
  isEngineError,
  keepShopCredentials,
  type Projection,
  readTimeline,
  type ShopKind,
  shopOrderOf,
  type Timeline,
} from '../../../engine/index.ts'
import { numberShown } from '../../../projections/shared/fold.ts'
import type { DueDelivery, Outcome } from '../../node/deliveries.ts'
import type { Outbound } from '../../node/outbound.ts'
import type { WebhooksOptions } from '../options.ts'
import { type Asking, createAsking } from './asking.ts'
import { drivers } from './drivers.ts'
import { isRefusal, type RetryAfterOf } from './refusal.ts'
import { type Ask, type Asked, at, type Shop } from './shop.ts'

/** Sends a delivery to the shop that an endpoint is. Never rejects: the outcome has the failure. */
export type SendToShop = (delivery: DueDelivery, endpoint: Endpoint) => Promise<Outcome>

/** Milliseconds in which all requests of an attempt have to be answered. */
const deadline = 30_000

/** How the network fails, and what the log keeps of answers. */
interface Reach {
  readonly retryAfterOf: RetryAfterOf
  failureOf(error: unknown): NonNullable<Outcome['failure']>
  loggedBody(body: Uint8Array): string
  loggedHeaders(headers: Readonly<Record<string, string>>): Outcome['responseHeaders']
}

type Parts = Pick<WebhooksOptions, 'facts' | 'clock' | 'randomId' | 'version'> & {
  readonly outbound: Outbound
  readonly reach: Reach
}

/** Creates what sends to shops: what the timeline of a parcel shows now, as far as the shop does not know it yet. */
export function createSendToShop(parts: Parts): SendToShop {
  const { facts, clock, outbound, randomId, version, reach } = parts
  const asking = createAsking({
    ...{ outbound, clock, retryAfterOf: reach.retryAfterOf, userAgent: `otep-engine/${version}` },
    renewed: ({ id }, credentials) => keepShopCredentials({ ...facts, clock, randomId }, id, credentials),
  })
  return async (delivery, endpoint) => {
    const startedAt = clock()
    const begun = performance.now()
    const signal = AbortSignal.timeout(deadline)
    const sent: string[] = []
    const outcome = await told(parts, { delivery, endpoint, signal, sent }, asking).catch((error: unknown) =>
      failed(reach, error, signal),
    )
    const responseBody = reach.loggedBody(new TextEncoder().encode([...sent, outcome.text].join('\n')))
    const { text: _, ...rest } = outcome
    return {
      ...{ startedAt, duration: Math.round(performance.now() - begun), isResponseCut: false, responseHeaders: {} },
      ...{ ...rest, responseBody },
    }
  }
}

interface Telling {
  readonly delivery: DueDelivery
  readonly endpoint: Endpoint
  readonly signal: AbortSignal
  /** The requests that were made, a line each. */
  readonly sent: string[]
}

type Told = Partial<Outcome> & { readonly text: string }

async function told(parts: Parts, telling: Telling, asking: Asking): Promise<Told> {
  const { delivery, endpoint, signal, sent } = telling
  const shop = shopOf(endpoint)
  const driver = drivers[shop.kind as ShopKind]
  const ask = asking(shop, driver, signal)
  if (delivery.isTest) {
    const { status } = await ask(driver.check(shop))
    return { status, text: 'The shop accepts the credentials.' }
  }
  const parcel = await parcelOf(parts, delivery, shop)
  if (parcel === undefined) return { text: 'There is nothing to send.' }
  const status = await sendAll({ ...parcel, shop, ask, sent })
  return { ...(status !== undefined && { status }), text: sent.length === 0 ? 'There is nothing to send.' : '' }
}

function shopOf({ shop, url }: Endpoint): Shop {
  const { id = 0, kind = '', credentials = {} } = shop ?? {}
  return { id, kind, credentials, address: url.replace(/\/+$/, '') }
}

interface Parcel {
  /** The id of the order in the shop. */
  readonly order: string
  readonly number: string
  requests(options: Readonly<Record<string, string>>): readonly Asked[]
}

/** The parcel that a delivery is about, as its timeline shows it now; undefined if there is none that the shop knows. */
async function parcelOf({ facts, clock }: Parts, delivery: DueDelivery, shop: Shop): Promise<Parcel | undefined> {
  const body: unknown = JSON.parse(new TextDecoder().decode(delivery.body))
  const known = await shopOrderOf(facts, Number(at(body, 'data', 'order_id')))
  const name = at(body, 'data', 'tracking_number', 0)
  if (known?.shop !== shop.id || typeof name !== 'string') return undefined
  const read = await timelineOf({ ...facts, clock }, name)
  const format: Projection | undefined = facts.formats.find((one) => one.name === shop.kind)
  const number = read && numberShown(read.timeline.subject)
  if (read === undefined || format === undefined || number === undefined) return undefined
  const { baseUrl, profiles } = facts
  const [first, ...others] = profiles
  return {
    ...{ order: known.order, number },
    requests: (given) => {
      const options = { as: 'input', order: known.order, ...given }
      const target = { baseUrl, timeline: read.name, options, ...(first && { profiles: [first, ...others] as const }) }
      return format.project(read.timeline, target) as readonly Asked[]
    },
  }
}

async function timelineOf(
  facts: Parameters<typeof readTimeline>[0] & Parameters<typeof findStream>[0],
  name: string,
): Promise<{ readonly name: string; readonly timeline: Timeline } | undefined> {
  try {
    return await readTimeline(facts, await findStream(facts, name))
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found') || isEngineError(error, 'ambiguous_identifier')) return undefined
    throw error
  }
}

interface Sending extends Parcel {
  readonly shop: Shop
  readonly ask: Ask
  readonly sent: string[]
}

/** An order of which all is known, to find out whether there is anything to send at all. */
const anyOrder = { items: '0:1', address: '0' }

/** The most times that the shop is asked what it knows. */
const maxLooks = 2

/** Sends what the shop does not know yet, in order; answers the last status. A request repeats nothing, whenever an attempt ended. */
async function sendAll({ shop, order, number, requests, ask, sent }: Sending): Promise<number | undefined> {
  const driver = drivers[shop.kind as ShopKind]
  let status: number | undefined
  for (let looks = 0; looks < maxLooks; looks++) {
    if (requests(anyOrder).length === 0) return status
    const { options, before = [], isDone } = await driver.look(shop, order, number, ask)
    const due = requests(options).filter((request) => !isDone(request))
    const ready = due.slice(0, firstUnknown(due))
    for (const request of [...(ready.length > 0 ? before : []), ...ready]) {
      status = (await ask(request)).status
      sent.push(`${request.method} ${request.path} ${status}`)
    }
    // What the shop has just made has an id now, which others need.
    if (ready.length === due.length || ready.length === 0) return status
  }
  return status
}

/** The place of the first request with an id that only the shop knows. */
function firstUnknown(requests: readonly Asked[]): number {
  const place = requests.findIndex(({ path, body }) => /\{[a-z_]+_id\}/.test(`${path} ${idsIn(body)}`))
  return place === -1 ? requests.length : place
}

function idsIn(body: object | undefined): string {
  const event = at(body, 'variables', 'fulfillmentEvent', 'fulfillmentId')
  const order = at(body, 'variables', 'fulfillment', 'lineItemsByFulfillmentOrder', 0, 'fulfillmentOrderId')
  return `${event} ${order} ${at(body, 'marketplaceId')}`
}

/** The outcome of an attempt that has failed. What a shop has refused is in it with the answer. */
function failed({ failureOf, loggedHeaders }: Reach, error: unknown, signal: AbortSignal): Told {
  if (!isRefusal(error)) return { failure: signal.aborted ? 'timeout' : failureOf(error), text: '' }
  const { asked, answered, retryAfter } = error
  const headers = Object.entries(answered.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])
  return {
    ...{ status: answered.status, failure: 'status', responseHeaders: loggedHeaders(Object.fromEntries(headers)) },
    ...(retryAfter !== undefined && { retryAfter }),
    text: `${asked.method} ${asked.path} ${answered.status}\n${answered.text}`,
  }
}

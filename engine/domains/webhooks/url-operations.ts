import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { changedHeaders, headerNames, namesOfHeaders } from '../../kernel/custom-headers.ts'
import { type Endpoint, isQueue } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { attemptFailures, type HealthPeriod, type QueueProgress } from '../../kernel/webhooks.ts'
import { commandStamp, type Level, levelEntry, levelIds, levelOf, readers, tag, writers } from './access.ts'
import type { EndpointState } from './endpoint-decider.ts'
import { endpointModel } from './endpoint-model.ts'
import { tallyOf } from './health.ts'
import { endpointHooks, loadEndpoint, loadSettings, settingsHooks } from './hooks.ts'
import { type ProviderChannel, providerOwner } from './owners.ts'
import { tune } from './report-health.ts'
import type { Tuning, Tunings } from './tuning.ts'
import { shownUrl } from './urls.ts'

const path = '/api/v1/webhook-urls'

/** The most providers whose endpoints are listed. */
const maxProviders = 200

const milliseconds = (of: string) => v.pipe(v.nullable(v.number()), v.description(`Milliseconds ${of}; null if none.`))

const tallyEntries = {
  attempts: v.number(),
  delivered: v.number(),
  success_rate: v.pipe(v.nullable(v.number()), v.description('From 0 to 1; null without an attempt.')),
  p50_ms: milliseconds('within which half of the delivered attempts were answered'),
  p95_ms: milliseconds('within which 95 of 100 delivered attempts were answered'),
}

const tally = named('AttemptTally', v.strictObject(tallyEntries))

const nullableInstant = v.nullable(v.string())

const limit = (of: string, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(most), v.description(of))

const inFlight = limit('Concurrent attempts at most.', 64)
const perSecond = limit('Attempts started in a second at most.', 1_000)

const urlName = v.pipe(
  word(60),
  v.description('What people call the URL, such as ERP or Warehouse Lyon; the log shows it, too. Stored encrypted.'),
)

const queueEntry = named(
  'WebhookQueue',
  v.strictObject({
    waiting: v.pipe(v.number(), v.description('Events that were not acknowledged yet.')),
    waiting_since: v.pipe(nullableInstant, v.description('When the oldest of them came.')),
    cursor: v.pipe(v.nullable(v.string()), v.description('The last cursor that was acknowledged; null if none was.')),
  }),
)

const entries = {
  endpoint_id: v.string(),
  owner: v.pipe(v.string(), v.description('Owner of the endpoint, for example business.7.')),
  channel: v.string(),
  field: v.string(),
  url: v.pipe(v.string(), v.description('URL without its query string; pull: and a name for a queue.')),
  name: v.nullable(urlName),
  on: v.pipe(v.boolean(), v.description('Whether events are sent; what is due waits while it is off.')),
  disabled: v.pipe(v.boolean(), v.description('Whether it was switched off because it failed for days.')),
  in_flight: v.nullable(inFlight),
  per_second: v.nullable(perSecond),
  headers: headerNames,
  queue: v.pipe(
    v.nullable(queueEntry),
    v.description(
      'How far a queue was read; null for a URL. Nothing is sent from a queue, so the members on attempts stay empty.',
    ),
  ),
  failing: v.pipe(v.boolean(), v.description('Whether its attempts have failed for ten minutes or longer.')),
  failing_since: v.pipe(nullableInstant, v.description('The first attempt that failed since one was delivered.')),
  last_at: v.pipe(nullableInstant, v.description('The last attempt; null if there was none in 90 days.')),
  last_duration_ms: v.nullable(v.number()),
  last_status: v.nullable(v.number()),
  last_failure: v.nullable(v.picklist(attemptFailures)),
  hour: v.pipe(tally, v.description('Attempts of the last hour, to ten minutes. Tests are not counted.')),
  day: tally,
  week: tally,
}

/** A URL with its switch, limits and health. */
export const urlRecord = named('WebhookUrl', v.strictObject(entries))

/** A URL with the hours of its last week. */
export const urlDetail = named(
  'WebhookUrlDetail',
  v.strictObject({
    ...entries,
    hours: v.pipe(
      v.array(v.strictObject({ start: v.string(), ...tallyEntries })),
      v.description('The hours of the last week with an attempt, oldest first.'),
    ),
  }),
)

/** An endpoint and what is set for it. */
export interface Tuned {
  readonly endpoint: Endpoint
  readonly tuning: Tuning
}

/** All endpoints of a level: those of its settings, and with the business those of its providers. */
export async function endpointsAt(
  context: Context,
  { owner, businessId, customerId }: Level,
): Promise<readonly Tuned[]> {
  const settings = await loadSettings(context.store, owner)
  const own = tunedOf(settingsHooks(owner, settings).endpoints, settings.tunings)
  if (customerId !== undefined) return own
  const where = { business_id: businessId, is_set: 1 }
  const { rows } = await context.models.page(endpointModel, { where, limit: maxProviders, offset: 0 })
  const owners = rows.map((row) => providerOwner(businessId, String(row.provider), row.channel as ProviderChannel))
  const found = await Promise.all(
    owners.map(async (one) => [one, await loadEndpoint(context.store, one)] as [string, EndpointState]),
  )
  return [...own, ...found.flatMap(([one, state]) => tunedOf(endpointHooks(one, state).endpoints, state?.tunings))]
}

function tunedOf(endpoints: readonly Endpoint[], tunings: Tunings = {}): readonly Tuned[] {
  return endpoints.map((endpoint) => ({ endpoint, tuning: tunings[endpoint.id] ?? {} }))
}

async function namedAt(context: Context, customer: number | undefined, id: string): Promise<Tuned> {
  const found = (await endpointsAt(context, await levelOf(context, customer))).find(
    ({ endpoint }) => endpoint.id === id,
  )
  if (found === undefined) throw new EngineError('webhook_endpoint_not_found')
  return found
}

const unknown: HealthPeriod = { failed: 0, latencies: [] }

function tallyRecord(period: HealthPeriod): v.InferOutput<typeof tally> {
  const { attempts, delivered, rate = null, p50 = null, p95 = null } = tallyOf(period)
  return { attempts, delivered, success_rate: rate, p50_ms: p50, p95_ms: p95 }
}

function queueOf({ waiting, waitingSince, cursor }: QueueProgress): v.InferOutput<typeof queueEntry> {
  const waiting_since = waitingSince === undefined ? null : isoOf(waitingSince)
  return { waiting, waiting_since, cursor: cursor ?? null }
}

/** What is known of an endpoint outside the store. */
async function stateOf({ webhooks }: Context, { endpoint: { id, url } }: Tuned) {
  const queue = isQueue(url) ? queueOf(await webhooks.queueProgress(id)) : null
  return { health: await webhooks.health(id), queue }
}

function urlOf(
  { endpoint, tuning }: Tuned,
  { health, queue }: Awaited<ReturnType<typeof stateOf>>,
): v.InferOutput<typeof urlRecord> {
  const { id, owner, channel, field, url } = endpoint
  const { isOff = false, isDisabled = false, inFlight: most = null, perSecond: rate = null } = tuning
  const { failingSince, lastAt, lastDuration = null, lastStatus = null, lastFailure = null } = health ?? {}
  return {
    ...{ endpoint_id: id, owner, channel, field, url: shownUrl(url), name: tuning.name ?? null },
    ...{ on: !isOff, disabled: isDisabled, in_flight: most, per_second: rate },
    headers: namesOfHeaders(tuning.headers),
    queue,
    failing: health?.isFailing ?? false,
    failing_since: failingSince === undefined ? null : isoOf(failingSince),
    last_at: lastAt === undefined ? null : isoOf(lastAt),
    last_duration_ms: lastDuration,
    last_status: lastStatus,
    last_failure: lastFailure,
    hour: tallyRecord(health?.hour ?? unknown),
    day: tallyRecord(health?.day ?? unknown),
    week: tallyRecord(health?.week ?? unknown),
  }
}

async function detailOf(context: Context, tuned: Tuned): Promise<v.InferOutput<typeof urlDetail>> {
  const state = await stateOf(context, tuned)
  const hours = (state.health?.hours ?? []).map(({ start, ...period }) => ({
    start: isoOf(start),
    ...tallyRecord(period),
  }))
  return { ...urlOf(tuned, state), hours }
}

/** Lists the URLs of a level with their health. */
export const listWebhookUrls = operation({
  name: 'list_webhook_urls',
  summary:
    'The URLs that receive webhooks, with their switches, limits and health: success rate, latency, failing since.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  mcp: { title: 'Health of webhook URLs', server: 'developer' },
  ids: levelIds,
  input: v.strictObject(levelEntry),
  output: v.strictObject({ result: v.literal(true), urls: v.array(urlRecord) }),
  errors: ['customer_not_found'],
  handle: async (context, { customer_id }) => {
    const found = await endpointsAt(context, await levelOf(context, customer_id))
    const urls = found.map(async (tuned) => urlOf(tuned, await stateOf(context, tuned)))
    return { result: true, urls: await Promise.all(urls) }
  },
})

const onUrl = {
  endpoint_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/), v.description('Id of the endpoint.')),
  ...levelEntry,
}

const ids = { ...levelIds, endpoint_id: 'rule' } as const

/** Returns one URL with the hours of its week. */
export const getWebhookUrl = operation({
  name: 'get_webhook_url',
  summary: 'One URL that receives webhooks, with its health by the hour of the last week.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: `${path}/{endpoint_id}` },
  mcp: { title: 'Health of one webhook URL', server: 'developer' },
  ids,
  input: v.strictObject(onUrl),
  output: v.strictObject({ result: v.literal(true), url: urlDetail }),
  errors: ['customer_not_found', 'webhook_endpoint_not_found'],
  handle: async (context, { endpoint_id, customer_id }) => ({
    result: true,
    url: await detailOf(context, await namedAt(context, customer_id, endpoint_id)),
  }),
})

/** Names a URL, switches it on or off, limits what is sent to it, or adds headers to it. */
export const tuneWebhookUrl = operation({
  name: 'tune_webhook_url',
  summary:
    'Name a webhook URL, switch it off or on, limit how much is sent to it at once and in a second, or add headers to its requests. What is due waits while it is off.',
  ...writers,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'PUT', path: `${path}/{endpoint_id}` },
  ids,
  input: v.strictObject({
    ...onUrl,
    on: v.exactOptional(entries.on),
    in_flight: v.exactOptional(v.pipe(v.nullable(inFlight), v.description('Null for the default limit.'))),
    per_second: v.exactOptional(v.pipe(v.nullable(perSecond), v.description('Null for no limit.'))),
    name: v.exactOptional(v.pipe(v.nullable(urlName), v.description('What people call the URL; null for no name.'))),
    headers: v.exactOptional(changedHeaders),
  }),
  output: v.strictObject({ result: v.literal(true), url: urlDetail }),
  errors: ['customer_not_found', 'webhook_endpoint_not_found', 'contention'],
  handle: async (context, { customer_id, ...changes }) => {
    const { endpoint } = await namedAt(context, customer_id, changes.endpoint_id)
    await tune(context, endpoint.owner, { type: 'TuneEndpoint', ...commandStamp(context), ...changes })
    return { result: true, url: await detailOf(context, await namedAt(context, customer_id, endpoint.id)) }
  },
})

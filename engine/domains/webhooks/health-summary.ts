import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { isQueue } from '../../kernel/endpoint.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import type { EndpointHealth } from '../../kernel/webhooks.ts'
import { type Level, levelEntry, levelIds, levelOf, readers, tag } from './access.ts'
import { tallyOf } from './health.ts'
import { endpointsAt, type Tuned } from './url-operations.ts'
import { shownUrl } from './urls.ts'

const day = 86_400_000

/** The most URLs in the answer that need somebody. */
const maxTroubled = 20

const troubles = ['disabled', 'failing', 'off', 'waiting'] as const

const instant = (of: string) => v.pipe(v.nullable(v.string()), v.description(of))

const entries = {
  waiting: v.pipe(v.number(), v.description('Deliveries that are still to be sent.')),
  waiting_is_more: v.pipe(v.boolean(), v.description('Whether more wait than were counted, a thousand for each URL.')),
  waiting_since: instant('When the oldest of those that were counted was made; null if nothing waits.'),
}

const troubled = named(
  'TroubledWebhookUrl',
  v.strictObject({
    endpoint_id: v.string(),
    url: v.pipe(v.string(), v.description('URL without its query string.')),
    trouble: v.pipe(
      v.picklist(troubles),
      v.description(
        'disabled: switched off because it failed for days; off: switched off by somebody; waiting: what failed is tried again.',
      ),
    ),
    failing_since: instant('The first attempt that failed since one was delivered.'),
    ...entries,
  }),
)

/** Says how well webhooks are received, all URLs together. */
export const getWebhookHealth = operation({
  name: 'get_webhook_health',
  summary: 'How well webhooks are received, all URLs together: failing and disabled URLs, and what waits since when.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/webhook-health' },
  mcp: { title: 'Health of all webhooks', server: 'developer' },
  ids: levelIds,
  input: v.strictObject(levelEntry),
  output: v.strictObject({
    result: v.literal(true),
    urls: v.pipe(v.number(), v.description('URLs that receive webhooks; queues are not counted.')),
    failing: v.number(),
    disabled: v.number(),
    off: v.pipe(v.number(), v.description('URLs that somebody switched off.')),
    ...entries,
    attempts: v.pipe(v.number(), v.description('Attempts of the last hour.')),
    success_rate: v.pipe(v.nullable(v.number()), v.description('Of them, from 0 to 1; null without an attempt.')),
    given_up: v.pipe(v.number(), v.description('Deliveries made in the last day that are not tried any more.')),
    troubled: v.pipe(v.array(troubled), v.description('The URLs that need somebody, at most 20.')),
  }),
  errors: ['customer_not_found'],
  handle: async (context, { customer_id }) => {
    const level = await levelOf(context, customer_id)
    const found = (await endpointsAt(context, level)).filter(({ endpoint }) => !isQueue(endpoint.url))
    const seen = await Promise.all(found.map((tuned) => lookAt(context, tuned)))
    const count = (trouble: Trouble) => seen.filter((one) => one.trouble === trouble).length
    const hours = seen.map(({ health }) => tallyOf(health?.hour ?? { failed: 0, latencies: [] }))
    const [attempts, delivered] = [sum(hours, 'attempts'), sum(hours, 'delivered')]
    return {
      ...{ result: true, urls: seen.length },
      ...{ failing: count('failing'), disabled: count('disabled'), off: count('off'), ...backlogOf(seen) },
      ...{ attempts, success_rate: attempts === 0 ? null : delivered / attempts },
      given_up: await givenUp(context, level),
      troubled: seen.flatMap(troubledRecord).sort(byTrouble).slice(0, maxTroubled),
    }
  },
})

type Trouble = (typeof troubles)[number] | undefined

interface Seen extends Tuned {
  readonly health: EndpointHealth | undefined
  readonly backlog: Awaited<ReturnType<Context['webhooks']['backlog']>>
  readonly trouble: Trouble
}

async function lookAt({ webhooks }: Context, tuned: Tuned): Promise<Seen> {
  const { id } = tuned.endpoint
  const [health, backlog] = await Promise.all([webhooks.health(id), webhooks.backlog(id)])
  const { isOff = false, isDisabled = false } = tuned.tuning
  const waits = health?.lastFailure !== undefined && backlog.waiting > 0 ? 'waiting' : undefined
  const trouble = isDisabled ? 'disabled' : isOff ? 'off' : health?.isFailing ? 'failing' : waits
  return { ...tuned, health, backlog, trouble }
}

function sum<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return all.reduce((total, one) => total + one[name], 0)
}

function backlogOf(seen: readonly Pick<Seen, 'backlog'>[]) {
  const backlogs = seen.map(({ backlog }) => backlog)
  const oldest = Math.min(...backlogs.map(({ since }) => since ?? Number.POSITIVE_INFINITY))
  return {
    waiting: sum(backlogs, 'waiting'),
    waiting_is_more: backlogs.some(({ isMore }) => isMore),
    waiting_since: Number.isFinite(oldest) ? isoOf(oldest) : null,
  }
}

function troubledRecord({ endpoint, trouble, health, ...seen }: Seen): readonly v.InferOutput<typeof troubled>[] {
  if (trouble === undefined) return []
  const failing_since = health?.failingSince === undefined ? null : isoOf(health.failingSince)
  return [{ endpoint_id: endpoint.id, url: shownUrl(endpoint.url), trouble, failing_since, ...backlogOf([seen]) }]
}

function byTrouble(one: v.InferOutput<typeof troubled>, other: v.InferOutput<typeof troubled>): number {
  return troubles.indexOf(one.trouble) - troubles.indexOf(other.trouble)
}

/** Deliveries that failed for good: an index has them apart, so as many rows are read as there are in a day. */
async function givenUp(context: Context, { customerId }: Level): Promise<number> {
  const { webhooks, clock } = context
  const whose = { businessId: accountOf(context).business.id, ...(customerId !== undefined && { customerId }) }
  const { total = 0 } = await webhooks.page(
    { ...whose, state: ['dead'], since: clock() - day },
    { limit: 1, offset: 0 },
  )
  return total
}

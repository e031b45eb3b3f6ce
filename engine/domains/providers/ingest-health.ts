import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { serverScope } from '../../kernel/rights.ts'
import type { ProviderIngest } from '../../kernel/server.ts'
import { isoOf } from '../../kernel/time.ts'
import type { Provider } from './decider.ts'
import { registerOf } from './read.ts'

const hour = 3_600_000

/** Hours in an answer. */
const shownHours = 24

/** The most providers and codes in an answer. */
const most = { providers: 100, codes: 10 }

const share = v.pipe(
  v.nullable(v.number()),
  v.description('Share of the received events that were refused, from 0 to 1; null if there were none.'),
)

const tallyEntries = { received: v.number(), refused: v.number(), refused_rate: share }

const hourRecord = named('IngestHour', v.strictObject({ start: v.string(), received: v.number(), refused: v.number() }))

const provider = named(
  'ProviderIngest',
  v.strictObject({
    provider: v.string(),
    all_businesses: v.pipe(v.boolean(), v.description('Whether it reports for every business.')),
    counts_hidden: v.pipe(
      v.boolean(),
      v.description(
        'Whether only operators of the server see what it pushed, because it reports for other businesses, too.',
      ),
    ),
    last_heard_at: v.pipe(
      v.nullable(v.string()),
      v.description('Its last push; before the server counted, and with hidden counts, the first of the last day.'),
    ),
    ...tallyEntries,
    repeated: v.pipe(v.number(), v.description('Of the received events, what was known already.')),
    last_hour: v.pipe(v.number(), v.description('Events received in the current hour and the one before.')),
    codes: v.pipe(
      v.array(v.strictObject({ code: v.string(), events: v.number() })),
      v.description('Why events were refused, by the code of the first error, the most frequent first.'),
    ),
  }),
)

/** Says how well providers push: how much came in the last 24 hours, and what of it was refused. */
export const getIngestHealth = operation({
  name: 'get_ingest_health',
  summary:
    'What providers pushed in the last 24 hours: who was last heard of when, how much came, what share was refused, and why.',
  scopes: ['analytics:read'],
  roles: staff,
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'What providers push',
    server: 'developer',
    idempotent: true,
    hint: 'Counts begin when the server started, at counted_since. Calls that were refused whole are not counted.',
  },
  rest: { method: 'GET', path: '/api/v1/analytics/ingest' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    at: v.string(),
    counted_since: v.pipe(
      v.string(),
      v.description('From when on every process of the server counted; 24 hours ago at the earliest.'),
    ),
    ...tallyEntries,
    hours: v.pipe(v.array(hourRecord), v.description('The last 24 hours, oldest first.')),
    providers: v.pipe(v.array(provider), v.description('Last heard of first, at most 100.')),
  }),
  errors: [],
  handle: async (context) => {
    const { id } = accountOf(context).business
    const [now, seesAll] = [context.clock(), context.caller.scopes.includes(serverScope)]
    const register = [...(await registerOf(context)).values()].filter(
      ({ businessId, revokedAt }) => revokedAt === undefined && (businessId ?? id) === id,
    )
    const counts = await context.server.ingest()
    const counted = counts.flatMap(({ providers }) => providers)
    const seen = counted.filter(({ businessId }) => businessId === id || (seesAll && businessId === undefined))
    const names = new Set([...register, ...seen].map((one) => ('name' in one ? one.name : one.provider)))
    const providers = [...names].map((name) =>
      providerRecord(
        name,
        register.find((one) => one.name === name),
        { now, seesAll, parts: seen.filter((one) => one.provider === name) },
      ),
    )
    return {
      ...{ result: true, at: isoOf(now), counted_since: isoOf(countedSince(counts, now)), ...tallyOf(seen) },
      hours: hoursOf(seen, now),
      providers: providers.sort(byLastHeard).slice(0, most.providers),
    }
  },
})

/** A process that began later has missed what came to it before. */
function countedSince(counts: Awaited<ReturnType<Context['server']['ingest']>>, now: number): number {
  return Math.max(...counts.map(({ since }) => since), now - shownHours * hour)
}

function tallyOf(parts: readonly ProviderIngest[]) {
  const hours = parts.flatMap((part) => part.hours)
  const received = hours.reduce((sum, one) => sum + one.received, 0)
  const refused = hours.reduce((sum, one) => sum + one.refused, 0)
  return { received, refused, refused_rate: received === 0 ? null : Math.round((refused / received) * 10_000) / 10_000 }
}

function hoursOf(parts: readonly ProviderIngest[], now: number): readonly v.InferOutput<typeof hourRecord>[] {
  const last = Math.floor(now / hour) * hour
  return Array.from({ length: shownHours }, (_, index) => {
    const start = last - (shownHours - 1 - index) * hour
    const found = parts.flatMap(({ hours }) => hours.filter((one) => one.start === start))
    const sum = (name: 'received' | 'refused') => found.reduce((total, one) => total + one[name], 0)
    return { start: isoOf(start), received: sum('received'), refused: sum('refused') }
  })
}

/** What is known of one provider, and what the processes have counted of it. */
function providerRecord(
  name: string,
  known: Provider | undefined,
  {
    now,
    seesAll,
    parts,
  }: { readonly now: number; readonly seesAll: boolean; readonly parts: readonly ProviderIngest[] },
): v.InferOutput<typeof provider> {
  const isShared = known !== undefined && known.businessId === undefined
  const recent = parts.flatMap(({ hours }) => hours).filter(({ start }) => start > now - 2 * hour)
  const lastAt = Math.max(...parts.map((part) => part.lastAt), Number.NEGATIVE_INFINITY)
  return {
    ...{ provider: name, all_businesses: isShared, counts_hidden: isShared && !seesAll },
    last_heard_at: Number.isFinite(lastAt) ? isoOf(lastAt) : (known?.lastUsedAt ?? null),
    ...tallyOf(parts),
    repeated: parts.reduce((sum, { repeated }) => sum + repeated, 0),
    last_hour: recent.reduce((sum, { received }) => sum + received, 0),
    codes: codesOf(parts),
  }
}

function codesOf(parts: readonly ProviderIngest[]) {
  const sums = new Map<string, number>()
  for (const { codes } of parts)
    for (const [code, events] of Object.entries(codes)) sums.set(code, (sums.get(code) ?? 0) + events)
  return [...sums]
    .map(([code, events]) => ({ code, events }))
    .sort((one, other) => other.events - one.events || (one.code < other.code ? -1 : 1))
    .slice(0, most.codes)
}

function byLastHeard(one: v.InferOutput<typeof provider>, other: v.InferOutput<typeof provider>): number {
  const [a, b] = [one.last_heard_at ?? '', other.last_heard_at ?? '']
  if (a === b) return one.provider < other.provider ? -1 : 1
  return a < b ? 1 : -1
}

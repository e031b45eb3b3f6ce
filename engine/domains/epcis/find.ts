import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { shortHex } from '../../kernel/id.ts'
import type { Facet, KeptSource } from '../../kernel/projection.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { eventModel, everything, type LookUp, listTermOf, lookUpOf, termOf } from './event-model.ts'
import { type EpcisEventCaptured, recordedSource, type SourceFact, sourceStreamOf } from './events.ts'
import { providerOf, readerOf, thingsFacet, type Wanted } from './reader.ts'

/** The place of a source event in a list. */
export interface SourcePlace {
  /** Epoch milliseconds: when it happened, or when it was recorded. */
  readonly at: number
  /** The name of its stream in rows of models. */
  readonly source: string
  readonly revision: number
}

/** Which source events are looked for, and in which order. */
interface WantedSources extends Wanted {
  /** Facets of which an event has at least one; all events if there are none. */
  readonly facets: readonly Facet[]
  readonly by: keyof typeof everything
  /** Inclusive bounds of their place in that order. */
  readonly between: readonly [from: number | undefined, to: number | undefined]
  readonly newestFirst: boolean
  /** Only those that follow this one. */
  readonly after?: SourcePlace | undefined
}

/** A source event that was found. */
export interface FoundSource extends SourcePlace {
  readonly stream: StreamName
  readonly kept: KeptSource
  /**
   * Whether the caller may see it; undefined if the call has looked at as much as it may. Nothing may be reported about
   * the others.
   */
  readonly isSeen: boolean | undefined
  /** ISO 8601. */
  readonly recordedAt: string
}

/** What is needed to find source events of a provider; for an account, a whole context. */
type Finding = Pick<Context, 'store' | 'models' | 'credentials' | 'caller'> & Partial<Context>

/** Rows that are read at once. */
const pageSize = 100

/**
 * The source events of the caller, a provider, or of all providers of an account's business, in order, read as they are
 * asked for. With facets they are in order of occurrence. Of several versions of an event, only the last one is
 * included. An account may see those that were reported about a thing whose timeline it may see.
 */
export async function* findSources(context: Finding, wanted: WantedSources): AsyncGenerator<FoundSource> {
  const reader = await readerOf(context, wanted)
  const asked = wanted.facets.flatMap(({ name, value }) => (name === thingsFacet ? [value] : []))
  const lookUps = reader.providers.flatMap((provider) =>
    wanted.facets.length === 0
      ? [{ term: termOf(context, provider, everything[wanted.by]), value: '' }]
      : wanted.facets.map((facet) => lookUpOf(context, provider, facet)),
  )
  const once = new Map(lookUps.map((one) => [JSON.stringify(one), one]))
  for await (const place of merged(
    [...once.values()].map((one) => placesOf(context, one, wanted)),
    wanted,
  )) {
    const found = await sourceAt(context, place)
    if (found === undefined) continue
    const { fact, ...source } = found
    yield { ...source, isSeen: await reader.isSeen(fact, asked) }
  }
}

/** How many of the caller's source events were recorded from an instant on, at most `limit`. */
export async function countSourcesSince(context: Finding, from: number, limit: number): Promise<number> {
  const term = shortHex(termOf(context, providerOf(context), everything.recorded))
  const query = { where: { term, value: '' }, between: { at: [from, undefined] }, limit, uncounted: true } as const
  return (await context.models.page(eventModel, query)).rows.length
}

async function* placesOf(
  { models }: Pick<Context, 'models'>,
  lookUp: LookUp,
  { between: [from, to], newestFirst, after }: Pick<WantedSources, 'between' | 'newestFirst' | 'after'>,
): AsyncGenerator<SourcePlace> {
  const where = { term: shortHex(lookUp.term), value: lookUp.value }
  let bound = after?.at
  let offset = 0
  for (;;) {
    const at = newestFirst ? ([from, bound ?? to] as const) : ([bound ?? from, to] as const)
    const query = { where, between: { at }, newestFirst, limit: pageSize, offset, uncounted: true }
    const rows = (await models.page(eventModel, query as never)).rows as unknown as readonly SourcePlace[]
    for (const row of rows) if (after === undefined || isBefore(after, row, newestFirst)) yield row
    const last = rows.at(-1)?.at
    if (rows.length < pageSize || last === undefined) return
    // The next page begins among those of the same instant.
    offset = last === bound ? offset + rows.length : rows.filter((row) => row.at === last).length
    bound = last
  }
}

/** Several lists in the same order as one, without repetitions. */
async function* merged(
  lists: readonly AsyncGenerator<SourcePlace>[],
  { newestFirst }: Pick<WantedSources, 'newestFirst'>,
): AsyncGenerator<SourcePlace> {
  const heads = await Promise.all(lists.map(async (list) => ({ list, head: await nextOf(list) })))
  for (;;) {
    let first: SourcePlace | undefined
    for (const { head } of heads)
      if (head !== undefined && (first === undefined || isBefore(head, first, newestFirst))) first = head
    if (first === undefined) return
    for (const one of heads) if (one.head !== undefined && isSame(one.head, first)) one.head = await nextOf(one.list)
    yield first
  }
}

async function nextOf(list: AsyncGenerator<SourcePlace>): Promise<SourcePlace | undefined> {
  const { done, value } = await list.next()
  return done ? undefined : value
}

function isSame(one: SourcePlace, other: SourcePlace): boolean {
  return one.source === other.source && one.revision === other.revision
}

function isBefore(one: SourcePlace, other: SourcePlace, newestFirst: boolean): boolean {
  const order = one.at - other.at || compareTexts(one.source, other.source) || one.revision - other.revision
  return newestFirst ? order > 0 : order < 0
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** What was kept at a place; undefined if it was erased, or if the same event was said again. */
async function sourceAt({ store }: Pick<Context, 'store'>, place: SourcePlace) {
  const stream = sourceStreamOf(place.source)
  const history = (await store.read(stream)) as readonly RecordedEvent<SourceFact>[]
  const captured = history.filter(
    (fact): fact is RecordedEvent<EpcisEventCaptured> => fact.type === 'EpcisEventCaptured',
  )
  const at = captured.find(({ revision }) => revision === place.revision)
  const kept = at && recordedSource(at)
  if (at === undefined || kept === undefined) return undefined
  const isSaidAnew = captured.some(
    ({ revision, data }) => revision > place.revision && data.personal?.declaration === undefined,
  )
  if (kept.declaration === undefined && isSaidAnew) return undefined
  return { ...place, stream, kept, recordedAt: at.recordedAt, fact: at }
}

/** A page of the values of a facet, and where the next one begins. */
interface SourceValues {
  readonly values: readonly string[]
  readonly next?: ValuesPlace
}

/** A place in a list of values: after a value, and after some of the events with the next one. */
export interface ValuesPlace {
  readonly value: string | undefined
  readonly event?: SourcePlace | undefined
}

/**
 * The values of a facet in the source events that the caller may see, in order. For an account at most `maxLookedAt`
 * events are looked at, so there may be fewer than `limit` and a next page.
 */
export async function listSourceValues(
  context: Finding,
  name: string,
  {
    after,
    limit,
    maxLookedAt,
    identifierOf,
  }: Wanted & {
    readonly after: ValuesPlace
    readonly limit: number
    readonly maxLookedAt: number
  },
): Promise<SourceValues> {
  const reader = await readerOf(context, { identifierOf })
  const terms = reader.providers.map((provider) => listTermOf(context, provider, name))
  const values: string[] = []
  let [last, place, lookedAt] = [after.value, after.event, 0]
  for await (const value of valuesAfter(context, terms, after.value)) {
    let isFound = reader.seesAll
    const lists = isFound ? [] : terms.map((term) => placesOf(context, { term, value }, { ...inOrder, after: place }))
    for await (const at of merged(lists, inOrder)) {
      const fact = (await sourceAt(context, at))?.fact
      const isSeen = fact === undefined ? false : await reader.isSeen(fact, name === thingsFacet ? [value] : [])
      if (isSeen === undefined || ++lookedAt > maxLookedAt) return { values, next: { value: last, event: place } }
      place = at
      isFound = isSeen
      if (isFound) break
    }
    if (isFound && values.length === limit) return { values, next: { value: last } }
    if (isFound) values.push(value)
    last = value
    place = undefined
  }
  return { values }
}

const inOrder = { between: [undefined, undefined], newestFirst: false } as const

/** The distinct values after one, in order, that stand after any of these terms. */
async function* valuesAfter(
  { models }: Pick<Context, 'models'>,
  terms: readonly string[],
  after: string | undefined,
): AsyncGenerator<string> {
  async function nextOf(term: string, last: string | undefined): Promise<string | undefined> {
    const value = [last === undefined ? undefined : `${last}\u0001`, undefined] as const
    const query = { where: { term: shortHex(term) }, between: { value }, limit: 1, uncounted: true } as const
    const [row] = (await models.page(eventModel, query)).rows
    return row && String(row.value)
  }

  const heads = await Promise.all(terms.map(async (term) => ({ term, value: await nextOf(term, after) })))
  for (;;) {
    const first = heads.flatMap(({ value }) => value ?? []).sort(compareTexts)[0]
    if (first === undefined) return
    yield first
    for (const head of heads) if (head.value === first) head.value = await nextOf(head.term, first)
  }
}

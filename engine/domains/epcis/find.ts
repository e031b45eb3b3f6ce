import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { KeptSource } from '../../kernel/projection.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { eventModel, everything, termOf } from './event-model.ts'
import type { EpcisEventCaptured, SourceFact } from './events.ts'
import { providerOf, readerOf, type Wanted } from './reader.ts'

/** The place of a source event in a list. */
export interface SourcePlace {
  /** Epoch milliseconds: when it happened, or when it was recorded. */
  readonly at: number
  readonly stream: string
  readonly revision: number
}

/** Which source events are looked for, and in which order. */
export interface WantedSources extends Wanted {
  readonly by: keyof typeof everything
  /** Inclusive bounds of their place in that order. */
  readonly between: readonly [from: number | undefined, to: number | undefined]
  readonly newestFirst: boolean
  /** Only those that follow this one. */
  readonly after?: SourcePlace | undefined
}

/** A source event that was found. */
export interface FoundSource extends SourcePlace {
  readonly kept: KeptSource
  /** Whether the caller may see it; undefined if as much was looked at as one call may. Nothing may be told of the others. */
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
 * asked for. With facets they are in order of occurrence. Of several versions of an event there is the last one. An
 * account may see those that were told of a thing whose timeline it may see.
 */
export async function* findSources(context: Finding, wanted: WantedSources): AsyncGenerator<FoundSource> {
  const { providers, isSeen } = await readerOf(context, wanted)
  const terms = providers.flatMap((provider) =>
    wanted.facets.length === 0
      ? [termOf(context, provider, everything[wanted.by])]
      : wanted.facets.map(([name, value]) => termOf(context, provider, name, value)),
  )
  for await (const place of merged(
    [...new Set(terms)].map((term) => placesOf(context, term, wanted)),
    wanted,
  )) {
    const found = await sourceAt(context, place)
    if (found === undefined) continue
    const { fact, ...source } = found
    yield { ...source, isSeen: await isSeen(fact) }
  }
}

/** How many of the caller's source events were recorded from an instant on, at most `limit`. */
export async function countSourcesSince(context: Finding, from: number, limit: number): Promise<number> {
  const term = termOf(context, providerOf(context), everything.recorded)
  const query = { where: { term, value: '' }, between: { at: [from, undefined] }, limit, uncounted: true } as const
  return (await context.models.page(eventModel, query)).rows.length
}

async function* placesOf(
  { models }: Pick<Context, 'models'>,
  term: string,
  { between: [from, to], newestFirst, after }: WantedSources,
): AsyncGenerator<SourcePlace> {
  let bound = after?.at
  let offset = 0
  for (;;) {
    const at = newestFirst ? ([from, bound ?? to] as const) : ([bound ?? from, to] as const)
    const query = { where: { term, value: '' }, between: { at }, newestFirst, limit: pageSize, offset, uncounted: true }
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
  { newestFirst }: WantedSources,
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
  return one.stream === other.stream && one.revision === other.revision
}

function isBefore(one: SourcePlace, other: SourcePlace, newestFirst: boolean): boolean {
  const order = one.at - other.at || compareTexts(one.stream, other.stream) || one.revision - other.revision
  return newestFirst ? order > 0 : order < 0
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** What was kept at a place; undefined if it was erased, or if the same event was said anew. */
async function sourceAt({ store }: Pick<Context, 'store'>, place: SourcePlace) {
  const history = (await store.read(place.stream as StreamName)) as readonly RecordedEvent<SourceFact>[]
  const captured = history.filter(
    (fact): fact is RecordedEvent<EpcisEventCaptured> => fact.type === 'EpcisEventCaptured',
  )
  const at = captured.find(({ revision }) => revision === place.revision)
  const kept = at?.data.personal
  if (at === undefined || kept === undefined) return undefined
  const isSaidAnew = captured.some(
    ({ revision, data }) => revision > place.revision && data.personal?.declaration === undefined,
  )
  if (kept.declaration === undefined && isSaidAnew) return undefined
  return { ...place, kept, recordedAt: at.recordedAt, fact: at }
}

/** The values of a facet in the caller's source events, in order, after a value. */
export async function listSourceValues(
  context: Context,
  name: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly string[]> {
  const term = termOf(context, providerOf(context), 'values', name)
  const values: string[] = []
  let last = after
  while (values.length < limit) {
    const value: readonly [string | undefined, undefined] = [
      last === undefined ? undefined : `${last}\u0001`,
      undefined,
    ]
    const query = { where: { term }, between: { value }, limit: 1, uncounted: true } as const
    const [row] = (await context.models.page(eventModel, query)).rows
    if (row === undefined) break
    last = String(row.value)
    values.push(last)
  }
  return values
}

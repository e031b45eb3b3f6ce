import { EngineError } from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import {
  type Bounds,
  boundsOf,
  keyOf,
  listed,
  type Options,
  refused,
  relationsIn,
  testOf,
} from '../../../projections/sensorthings/query/index.ts'
import { type Cursor, cursorIn, nextLink, type ThingsCall } from './call.ts'
import { comparePlaces, type EntityPlace, placeOf, withRelated } from './nodes.ts'

/** Entities, and where in the list each of them is; without entities, there was nothing that the caller may see. */
export interface Stretch {
  /** The next stretches begin after this place. */
  readonly place: string
  /** All stretches of one name are in one order; the place if absent. */
  readonly name?: string
  readonly nodes: readonly Node[]
}

/** What of a list is wanted; entities beyond the bounds may be left out. */
export interface Hints {
  readonly bounds: Bounds
  readonly newestFirst?: boolean
}

/** A list of entities that is read from a place on. */
export interface Listed {
  read(after: string | undefined, hints: Hints): AsyncIterable<Stretch>
  /** How many entities it has, if it is in order of `phenomenonTime` and can be read in both directions. */
  readonly inOrderOfTime?: number
}

/** A page of a list. */
export interface ListPage {
  readonly nodes: readonly Node[]
  readonly count?: number
  readonly nextLink?: string
}

/** Entities of a page if the caller wants no other number, and the most; how much is looked at for one page, and for a whole list. */
export const pageLimits = { usual: 100, most: 1_000, stretches: 500, whole: 5_000, entities: 200_000 } as const

/** An entity, where it is, and what it is ordered by. */
interface Found {
  readonly node: Node
  readonly stretch: string
  readonly place: EntityPlace
  readonly keys: readonly unknown[]
}

/** The page of a list at an address, by the options of the request. */
export async function pageOf(call: ThingsCall, address: string, list: Listed, options: Options): Promise<ListPage> {
  refuseTooMany(options)
  const after = cursorIn(call, address, options.written)
  const total = list.inOrderOfTime
  const isByTime = total !== undefined && isOfTime(options) && !(options.count && options.filter !== undefined)
  const isInOrder = isByTime || (options.orderBy.length === 0 && !options.count)
  const found = await (isInOrder ? ofStretches : ofWhole)(call, list, options, after)
  return {
    nodes: found.nodes,
    ...(options.count && { count: found.count ?? total ?? 0 }),
    ...(found.next === undefined ? {} : { nextLink: nextLink(call, address, options.written, found.next) }),
  }
}

/** Whether the entities are wanted in order of `phenomenonTime`, or in none. */
function isOfTime({ orderBy }: Options): boolean {
  const [first, ...more] = orderBy
  if (first === undefined) return true
  const { expression } = first
  return more.length === 0 && expression.kind === 'path' && expression.steps[0]?.name === 'phenomenonTime'
}

/** Refuses conditions on all Observations of an entity, of which there may be millions. */
function refuseTooMany({ filter, orderBy }: Options): void {
  const asked = [...(filter === undefined ? [] : [filter]), ...orderBy.map(({ expression }) => expression)]
  if (asked.flatMap(relationsIn).some((names) => names.includes('Observations')))
    throw refused('$filter', 'it leads to Observations, of which there may be millions; filter Observations themselves')
}

interface FoundPage {
  readonly nodes: readonly Node[]
  readonly count?: number
  readonly next?: Cursor
}

function limitOf({ top = pageLimits.usual }: Options): number {
  return Math.min(top, pageLimits.most)
}

/** Whether an entity passes the filter. */
function filterOf({ context }: ThingsCall, { filter }: Options): (node: Node) => boolean {
  if (filter === undefined) return () => true
  const [test, paths] = [testOf(filter, context.clock()), relationsIn(filter)]
  return (node) => test(withRelated(node, paths))
}

function hintsOf({ filter, orderBy }: Pick<Options, 'filter' | 'orderBy'>): Hints {
  return { bounds: boundsOf(filter), newestFirst: orderBy[0]?.isDescending ?? false }
}

/** Where a page begins: after the stretches up to `done`, and in `stretch` after the entity at `place`. */
interface StretchCursor {
  readonly done?: string
  readonly stretch?: string
  readonly place?: EntityPlace
  /** How many entities are still to be passed over. */
  readonly skip: number
}

/** The next entities in the order of the list; a page may be shorter where much is looked at for it. */
async function ofStretches(call: ThingsCall, list: Listed, options: Options, after?: Cursor): Promise<FoundPage> {
  const [limit, passes] = [limitOf(options), filterOf(call, options)]
  const from: StretchCursor = after === undefined ? { skip: options.skip } : (after as unknown as StretchCursor)
  const nodes: Node[] = []
  let [done, left, lookedAt] = [from.done, from.skip, 0]
  let last: StretchCursor = from
  const newestFirst = options.orderBy[0]?.isDescending ?? false
  const isSeen = (place: EntityPlace, last: EntityPlace) => comparePlaces(place, last) * (newestFirst ? -1 : 1) <= 0
  for await (const { place: end, name: stretch = end, nodes: all } of list.read(done, hintsOf(options))) {
    for (const node of all) {
      const place = placeOf(node)
      if (from.stretch === stretch && from.place !== undefined && isSeen(place, from.place)) continue
      if (!passes(node)) continue
      if (left > 0) left--
      else if (nodes.length >= limit) return limit === 0 ? { nodes } : { nodes, next: { ...last } }
      else nodes.push(node)
      last = { ...(done !== undefined && { done }), stretch, place, skip: left }
    }
    done = end
    if (++lookedAt >= pageLimits.stretches) return { nodes, next: { done, skip: left } }
    await call.context.pause()
  }
  return { nodes }
}

/** The next entities in the wanted order, and how many there are in all. Only those of the page are kept meanwhile. */
async function ofWhole(call: ThingsCall, list: Listed, options: Options, after?: Cursor): Promise<FoundPage> {
  const { orderBy, count: isCounted } = options
  const now = call.context.clock()
  const [limit, passes] = [limitOf(options), filterOf(call, options)]
  const keys = orderBy.map(({ expression }) => ({ of: keyOf(expression, now), paths: relationsIn(expression) }))
  const from = after as Omit<Found, 'node'> | undefined
  const wanted = (from === undefined ? options.skip : 0) + limit + 1
  if (wanted > pageLimits.entities) throw new EngineError('query_too_large', { limit: pageLimits.entities })
  const before = (one: Omit<Found, 'node'>, other: Omit<Found, 'node'>) => comparisonOf(orderBy, one, other) < 0
  const best: Found[] = []
  let [count, stretches] = [0, 0]
  for await (const { place, nodes } of list.read(undefined, hintsOf({ ...options, orderBy: [] }))) {
    if (++stretches > pageLimits.whole) throw new EngineError('query_too_large', { limit: pageLimits.whole })
    for (const node of nodes) {
      if (!passes(node)) continue
      count++
      const found = {
        ...{ node, stretch: place, place: placeOf(node) },
        keys: keys.map(({ of, paths }) => of(withRelated(node, paths))),
      }
      if (from === undefined || before(from, found)) keepBest(best, found, wanted, before)
    }
    await call.context.pause()
  }
  const ordered = best.sort((one, other) => (before(one, other) ? -1 : 1))
  const page = ordered.slice(wanted - 1 - limit, wanted - 1)
  const last = page.at(-1)
  const hasMore = ordered.length >= wanted && last !== undefined
  return {
    nodes: page.map(({ node }) => node),
    ...(isCounted && { count }),
    ...(hasMore && { next: { stretch: last.stretch, place: last.place, keys: last.keys } }),
  }
}

/** Keeps at least the first `wanted` ones, and at most twice as many. */
function keepBest(best: Found[], found: Found, wanted: number, before: (one: Found, other: Found) => boolean): void {
  best.push(found)
  if (best.length < 2 * wanted) return
  best.sort((one, other) => (before(one, other) ? -1 : 1))
  best.length = wanted
}

function comparisonOf(orderBy: Options['orderBy'], one: Omit<Found, 'node'>, other: Omit<Found, 'node'>): number {
  for (const [at, { isDescending }] of orderBy.entries()) {
    const order = listed(one.keys[at] as never, other.keys[at] as never)
    if (order !== 0) return isDescending ? -order : order
  }
  if (one.stretch !== other.stretch) return one.stretch < other.stretch ? -1 : 1
  return comparePlaces(one.place, other.place)
}

import { isNotice } from '../../kernel/notice.ts'
import { codeOf, isTerminal, type Profile, perProfile, plannedAfter } from '../../kernel/profile.ts'
import { mapInSteps, sortInSteps, visitInSteps } from '../../kernel/steps.ts'

/** What determines the place of an event in a timeline. */
export interface Place {
  /** When it occurred, in epoch milliseconds. */
  readonly at: number
  readonly code: string
  readonly id: string
  readonly provider: string
  readonly isWithdrawn: boolean
}

interface Placed<Item> extends Place {
  readonly item: Item
}

/**
 * Items in the order of a timeline: by occurrence. Of events of one instant, none comes before another that can only precede
 * it by the table of transitions. The next is the one that is the fewest planned steps away from the event before; of
 * several, one that leads to the others sooner than they lead to it; and then the one with the smallest id. Notices and then
 * withdrawn events come after the others of their instant, and have no influence on the order of those. Without a profile,
 * only the ids count.
 */
export function* inTimelineOrder<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => Place,
  profile: Profile | undefined,
): Generator<void, readonly Item[]> {
  const sorted = yield* sortInSteps(
    yield* mapInSteps(items, (item): Placed<Item> => ({ ...placeOf(item), item })),
    byInstantAndId,
  )
  const ordered: Placed<Item>[] = []
  let group: Placed<Item>[] = []
  let before: string | undefined
  const groups: Placed<Item>[][] = []
  yield* visitInSteps(sorted, (one, index) => {
    group.push(one)
    if (isWith(one, sorted[index + 1])) return
    groups.push(group)
    group = []
  })
  for (const one of groups) {
    const [first] = one as [Placed<Item>]
    const isAside = rankOf(first) > 0
    const isClear = isAside || profile === undefined || one.every((other) => other.code === first.code)
    const next = isClear ? one : yield* byTable(one, before, profile)
    yield* visitInSteps(next, (placed) => void ordered.push(placed))
    if (!isAside) before = ordered.at(-1)?.code
  }
  return yield* mapInSteps(ordered, ({ item }) => item)
}

function byInstantAndId(one: Place, other: Place): number {
  return one.at - other.at || rankOf(one) - rankOf(other) || byId(one, other)
}

/** Of one instant, events that may give a status come first, then notices, then what was withdrawn. */
function rankOf({ code, isWithdrawn }: Place): number {
  if (isWithdrawn) return 2
  return isNotice(code) ? 1 : 0
}

function byId(one: Place, other: Place): number {
  if (one.id !== other.id) return one.id < other.id ? -1 : 1
  if (one.provider === other.provider) return 0
  return one.provider < other.provider ? -1 : 1
}

/** Whether the next event is of the same instant and rank. */
function isWith(one: Place, next: Place | undefined): boolean {
  return next !== undefined && next.at === one.at && rankOf(next) === rankOf(one)
}

/** Events of one instant, which are in order of their ids, in the order of the table after a status. */
function* byTable<One extends Place>(
  group: readonly One[],
  status: string | undefined,
  profile: Profile,
): Generator<void, readonly One[]> {
  const left = new Map<string, Queue<One>>()
  yield* visitInSteps(group, (one) => {
    const queue = left.get(classOf(profile, one.code)) ?? { events: [], next: 0 }
    left.set(classOf(profile, one.code), queue)
    queue.events.push(one)
  })
  const ordered: One[] = []
  let before = status
  let free = freeAmong([...left.keys()], profile)
  yield* visitInSteps(group, () => {
    const heads = free.map((code): Head<One> => {
      const { events, next } = left.get(code) as Queue<One>
      return { code, steps: stepsBetween(profile, before, code), one: events[next] as One }
    })
    const { code, one } = nextOf(heads, profile)
    const queue = left.get(code) as Queue<One>
    queue.next++
    ordered.push(one)
    before = code
    if (queue.next < queue.events.length) return
    left.delete(code)
    free = freeAmong([...left.keys()], profile)
  })
  return ordered
}

/** Events of one code, and the place of the first that is left. */
interface Queue<One> {
  readonly events: One[]
  next: number
}

/** The first event of a code that is left, and how many planned steps it is away from the event before. */
interface Head<One> {
  readonly code: string
  readonly steps: number
  readonly one: One
}

function nextOf<One extends Place>(heads: readonly Head<One>[], profile: Profile): Head<One> {
  const fewest = Math.min(...heads.map(({ steps }) => steps))
  const nearest = heads.filter(({ steps }) => steps === fewest)
  const first = nearest.filter(({ code: to }) => !nearest.some(({ code: from }) => leadsSooner(profile, from, to)))
  const among = first.length === 0 ? nearest : first
  return among.reduce((best, head) => (byId(head.one, best.one) < 0 ? head : best))
}

/** The codes that are not left for after another one. */
function freeAmong(codes: readonly string[], profile: Profile): readonly string[] {
  return codes.filter((to) => !codes.some((from) => precedes(profile, from, to)))
}

/** Whether one code can only come before another: the table leads from it to the other, and not back. */
export function precedes(profile: Profile, from: string, to: string): boolean {
  return leadsSooner(profile, from, to) && stepsBetween(profile, to, from) === Number.POSITIVE_INFINITY
}

/** Whether the table leads from one code to another in fewer planned steps than back. */
function leadsSooner(profile: Profile, from: string, to: string): boolean {
  return stepsBetween(profile, from, to) < stepsBetween(profile, to, from)
}

/** The sign for all codes that the profile does not know. They may follow any code but a terminal one, as `x-` codes do. */
const unknown = ''

/** The code, or the one sign for all codes that the profile does not know. */
export function classOf(profile: Profile, code: string): string {
  return codeOf(profile, code) === undefined ? unknown : code
}

/** How many planned steps lead from a code to another at least; infinitely many if none do. `from` is absent at the beginning. */
function stepsBetween(profile: Profile, from: string | undefined, to: string): number {
  const [known, next] = [from && classOf(profile, from), classOf(profile, to)]
  if (known === next) return 0
  if (known === undefined)
    return next === unknown ? 1 : 1 + soonest(profile.first.map((code) => stepsBetween(profile, code, next)))
  if (known === unknown) return 1
  if (next === unknown) return isTerminal(profile, known) ? Number.POSITIVE_INFINITY : 1
  return distances(profile).get(known)?.get(next) ?? Number.POSITIVE_INFINITY
}

function soonest(steps: readonly number[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...steps)
}

const distances = perProfile(
  (profile): ReadonlyMap<string, ReadonlyMap<string, number>> =>
    new Map(Object.keys(profile.codes).map((code) => [code, distancesFrom(profile, code)])),
)

/** The fewest planned steps from a code to each that the table leads to. */
function distancesFrom(profile: Profile, start: string): ReadonlyMap<string, number> {
  const found = new Map([[start, 0]])
  for (const [code, steps] of found) {
    for (const next of plannedAfter(profile, code)) if (!found.has(next)) found.set(next, steps + 1)
  }
  return found
}

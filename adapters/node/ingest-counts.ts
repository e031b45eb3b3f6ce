import type { IngestCounts, Pushed, Pusher } from '../../engine/index.ts'
import { createTally, type Tally } from './tally.ts'

/** Counts what providers push to this process. */
interface IngestCounter {
  count(caller: Pusher, events: readonly Pushed[]): void
  /** What was counted in the last 24 hours; of many providers those that were heard of last. */
  counts(): IngestCounts
}

const hour = 3_600_000

/** Hours that are kept, the current one included. */
const keptHours = 24

/** The most providers that are reported. */
const maxProviders = 50

interface Counted {
  readonly provider: string
  readonly businessId: number | undefined
  lastAt: number
  /** By the number of the hour. */
  readonly hours: Map<number, CountedHour>
}

interface CountedHour {
  received: number
  refused: number
  repeated: number
  readonly codes: Tally
}

/** Creates a counter: in memory, so it counts from now on. Only known providers and codes are counted, so it stays small. */
export function createIngestCounter(by: string, clock: () => number): IngestCounter {
  const since = clock()
  const known = new Map<string, Counted>()

  function countedOf({ name: provider, businessId }: Pusher): Counted {
    const key = `${provider} ${businessId ?? ''}`
    const counted = known.get(key) ?? { provider, businessId, lastAt: 0, hours: new Map() }
    known.set(key, counted)
    return counted
  }

  /** Forgets the hours that are too long ago. */
  function forget({ hours }: Counted, now: number) {
    for (const start of hours.keys()) if (start <= now - keptHours) hours.delete(start)
  }

  return {
    count: (caller, events) => {
      // What a carrier is asked comes for a business, and under the name of the carrier.
      const isCounted = caller.kind === 'provider' || caller.businessId !== undefined
      if (!isCounted || events.length === 0) return
      const now = clock()
      const counted = countedOf(caller)
      counted.lastAt = now
      const number = Math.floor(now / hour)
      forget(counted, number)
      const current = counted.hours.get(number) ?? { received: 0, refused: 0, repeated: 0, codes: createTally() }
      counted.hours.set(number, current)
      for (const event of events) add(current, event)
    },
    counts: () => {
      const number = Math.floor(clock() / hour)
      for (const [key, counted] of known) {
        forget(counted, number)
        if (counted.hours.size === 0) known.delete(key)
      }
      const heard = [...known.values()]
      const last = heard.sort((one, other) => other.lastAt - one.lastAt).slice(0, maxProviders)
      return { by, since, providers: last.map(told) }
    },
  }
}

function add(current: CountedHour, { outcome, errors }: Pushed) {
  current.received++
  if (outcome === 'duplicate') current.repeated++
  if (outcome !== 'rejected') return
  current.refused++
  current.codes.add(errors[0]?.code ?? 'unknown', 1)
}

function told({ provider, businessId, lastAt, hours }: Counted): IngestCounts['providers'][number] {
  const all = [...hours].sort(([one], [other]) => one - other)
  const codes = createTally()
  for (const [, hour] of all) for (const [code, count] of hour.codes.entries()) codes.add(code, count)
  return {
    ...{
      provider,
      ...(businessId === undefined ? {} : { businessId }),
      lastAt,
      codes: Object.fromEntries(codes.entries()),
    },
    repeated: all.reduce((sum, [, { repeated }]) => sum + repeated, 0),
    hours: all.map(([number, { received, refused }]) => ({ start: number * hour, received, refused })),
  }
}

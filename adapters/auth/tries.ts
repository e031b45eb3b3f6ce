import { type Attempts, EngineError, type Leases, sha256 } from '../../engine/index.ts'

/** So many leases hold the counts, so many each. A flood pushes out the oldest, and costs a request for each. */
const room = { leases: 64, counts: 128 }

/**
 * Milliseconds that a count is kept after the last try. Nothing that is tried is good for an hour; the rest is for nodes whose
 * clocks are ahead, which would otherwise forget what the others have counted.
 */
const kept = 86_400_000

/** Seconds after which to try again, with something new. */
const wait = 300

/** How often a count is written again because another process was faster. */
const most = 50

/** What is tried, the tries so far, and until when they count, in epoch milliseconds. */
type Count = readonly [thing: string, tries: number, until: number]

/**
 * Counts tries of things for all processes and nodes of a store, in leases: they are shared, each write is refused where
 * another was faster, and only the last one is kept.
 */
export function createCountTry(leases: Leases, clock: () => number): Attempts['countTry'] {
  return async (thing, allowed) => {
    const id = sha256(thing).slice(0, 32)
    const name = `tries-${Number.parseInt(id.slice(0, 4), 16) % room.leases}`
    for (let again = 0; again < most; again++) {
      const { term = 0, checkpoint } = (await leases.read(name)) ?? {}
      const counts = countsIn(checkpoint).filter(([, , until]) => clock() < until)
      const [, before, untilThen] = counts.find(([one]) => one === id) ?? [id, 0, 0]
      const [tries, until] = [before + 1, Math.max(untilThen, clock() + kept)]
      if (tries > allowed) throw new EngineError('too_many_attempts', { seconds: wait })
      const others = counts.filter(([one]) => one !== id).slice(1 - room.counts)
      const written = JSON.stringify([...others, [id, tries, until] satisfies Count])
      if (await leases.write(name, { holder: 'tries', term: term + 1, checkpoint: written })) return
    }
    throw new EngineError('too_busy')
  }
}

function countsIn(text: string | undefined): readonly Count[] {
  return text === undefined ? [] : (JSON.parse(text) as readonly Count[])
}

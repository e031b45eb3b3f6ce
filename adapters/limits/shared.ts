import { type CountName, counts, type RateName } from '../node/limits.ts'
import { type Peers, topics } from '../node/peers.ts'
import { createTally, type Tally } from '../node/tally.ts'

/** Milliseconds for which charges are collected before the other processes hear of them. */
const collecting = 10

/** Takes tokens from the bucket of a key. */
type Charge = (name: RateName, key: string, tokens: number) => void

/** Tokens that one process took: limit, key, number. */
type Taken = [name: RateName, key: string, tokens: number]

/**
 * Returns how to tell the other processes of a charge, and charges here what they tell. A key then has as many tokens as
 * with one process, and what each process takes before it hears of the others.
 */
export function shareCharges(peers: Peers | undefined, charge: Charge): Charge {
  if (peers === undefined) return () => {}
  peers.hear('charges', (all) => {
    for (const taken of all as readonly Taken[]) charge(...taken)
  })
  const waiting = new Map<string, Taken>()
  const send = () => {
    peers.tell('charges', [...waiting.values()])
    waiting.clear()
  }
  return (name, key, tokens) => {
    if (waiting.size === 0) setTimeout(send, collecting).unref()
    const id = `${name} ${key}`
    const taken = waiting.get(id)
    if (taken === undefined) waiting.set(id, [name, key, tokens])
    else taken[2] += tokens
  }
}

/** How many things of a kind a key has open, in all processes. */
interface Places {
  of(name: CountName, key: string): number
  /** Adds to what it has open in this process. */
  add(name: CountName, key: string, more: number): void
}

type Tallies = Readonly<Record<CountName, Tally>>

/** A change of what a key has open in one process: limit, key, number. */
type Change = readonly [name: CountName, key: string, more: number]

/** Counts what is open, together with the other processes. */
export function sharePlaces(peers: Peers | undefined): Places {
  const own = createTallies()
  const others = new Map<number, Tallies>()
  const talliesOf = (number: number) => {
    const tallies = others.get(number) ?? createTallies()
    others.set(number, tallies)
    return tallies
  }
  peers?.hear('places', (changes, from) => {
    for (const [name, key, more] of changes as readonly Change[]) talliesOf(from)[name].add(key, more)
  })
  peers?.hear(topics.left, (number) => others.delete(Number(number)))
  peers?.hear(topics.joined, (number) => {
    const open = countNames.flatMap((name) => own[name].entries().map(([key, count]): Change => [name, key, count]))
    if (open.length > 0) peers.tell('places', open, Number(number))
  })
  return {
    of: (name, key) => {
      let count = own[name].of(key)
      for (const tallies of others.values()) count += tallies[name].of(key)
      return count
    },
    add: (name, key, more) => {
      own[name].add(key, more)
      peers?.tell('places', [[name, key, more] satisfies Change])
    },
  }
}

const countNames = Object.keys(counts) as readonly CountName[]

function createTallies(): Tallies {
  return { streams: createTally(), connections: createTally() }
}

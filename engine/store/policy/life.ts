import type { Lease, Leases } from '../../kernel/lease.ts'

/** A process of a store, as its work knows it. */
export interface Node {
  /** Aborted when the node is about to stop; the store stays open until its leases are released. */
  readonly signal: AbortSignal
  /** Monotonic clock in milliseconds. Only compared with itself: clocks of two machines differ. */
  readonly now: () => number
  /** Resolves after this many milliseconds, or when `signal` is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The sign of life of a node in the store, on which all its leases hang, and what it sees of other nodes. */
export interface Life {
  /** The holder of the leases. */
  readonly name: string
  /** Milliseconds between two looks of a node at what it has and waits for; a stored checkpoint is at most this old. */
  readonly beat: number
  /** The time in which this node counts as living; undefined where it does not. */
  span(): Span | undefined
  /** Looks at the other nodes. */
  look(): Promise<Look>
  /** Resolves when the first sign was given, or that has failed. */
  readonly begun: Promise<void>
  /** Resolves when the node has stopped, and the last sign is taken back. */
  readonly ended: Promise<void>
}

/** A time without a gap in which no other node may think that this one is gone. It ends for good. */
export interface Span {
  /** On the clock of this node. */
  readonly until: number
}

/** The nodes as they were at one moment. */
interface Look {
  /** When it began, on the clock of this node. */
  readonly at: number
  /** What is seen of a holder. It changes with each sign of life. */
  signOf(holder: string): Sign
}

interface Sign {
  readonly text: string
  /** Milliseconds in which the next one comes if the node lives. */
  readonly ttl: number
}

/** How a node shows itself. */
export interface Showing extends Node {
  /** Unique among living nodes. */
  readonly name: string
  /** Milliseconds without a sign after which a node counts as gone; by default less where others could take its work. */
  readonly ttl?: number
  /** What else a sign tells. */
  readonly told?: () => Promise<object>
  /** Whether the place of a node that told this is free. */
  readonly isForgotten?: (told: string) => boolean
  /** Called for each failure; must not throw. */
  readonly failed: (error: unknown) => void
}

/** Milliseconds without a sign after which a node counts as gone: while it is the only one, and beside others. */
const ttls = { alone: 15_000, beside: 5_000 }

/** Most nodes of a store. */
const most = 256

/** Milliseconds for which a look serves all who ask. */
const freshness = 100

/** Each node shows itself in its own lease: the first that is free. */
function placeOfNode(number: number): string {
  return `node-${number}`
}

/** What nodes have shown, in order of their places. */
export async function readPlaces(leases: Leases): Promise<readonly Lease[]> {
  const places: Lease[] = []
  for (let number = 1; number <= most; number++) {
    const lease = await leases.read(placeOfNode(number))
    if (lease === undefined) break
    places.push(lease)
  }
  return places
}

/** Shows that a node lives, until its signal is aborted. */
export function startLife(leases: Leases, showing: Showing): Life {
  const { name, signal, now, wait, failed, told = async () => ({}) } = showing
  const beat = Math.min(1_000, (showing.ttl ?? ttls.beside) / 3)
  const place = createPlace(leases, showing)
  const others = createOthers(leases, showing)
  let ttl = showing.ttl ?? ttls.alone
  let last: { until: number } | undefined

  const span = () => (last !== undefined && now() < last.until ? last : undefined)

  /** A sign counts from when it was sent, for others from when they saw it. So this node gives up first, on any clock. */
  async function show(): Promise<void> {
    ttl = showing.ttl ?? ((await others.areThere()) ? ttls.beside : ttls.alone)
    const text = JSON.stringify({ ...(await told()), ttl })
    const lasting = span()
    const until = now() + ttl
    if (lasting !== undefined) lasting.until = Math.min(lasting.until, until)
    await place.write(text)
    if (span() === undefined) last = { until }
    else if (lasting !== undefined && span() === lasting) lasting.until = until
  }

  async function run(begun: Promise<void>): Promise<void> {
    await begun
    while (!signal.aborted) {
      const rest = (span()?.until ?? 0) - now()
      if (rest <= (ttl * 2) / 3) await tried()
      await wait(beat - (now() % beat), signal)
    }
    await place.leave().catch(failed)
  }

  // A store that does not answer must not keep it from trying again.
  const tried = () => Promise.race([show().catch(failed), wait(ttl, signal)])
  const begun = tried()
  return { name, beat, span, look: others.look, begun, ended: run(begun) }
}

/** The lease in which a node shows itself. */
function createPlace(leases: Leases, { name, isForgotten = () => false }: Showing) {
  let own: { readonly number: number; readonly term: number } | undefined

  async function take(number: number, term: number, text: string): Promise<boolean> {
    const isTaken = await leases.write(placeOfNode(number), { holder: name, term, checkpoint: text })
    if (isTaken) own = { number, term }
    return isTaken
  }

  async function write(text: string): Promise<void> {
    // A place that another node has taken by mistake, because clocks differ, is left to it.
    if (own !== undefined && (await take(own.number, own.term + 1, text))) return
    for (let number = 1; number <= most; number++) {
      const { holder, term, checkpoint } = (await leases.read(placeOfNode(number))) ?? { holder: '', term: 0 }
      const isFree = holder === '' || holder === name || (checkpoint !== undefined && isForgotten(checkpoint))
      if (isFree && (await take(number, term + 1, text))) return
    }
    throw new Error(`There are more than ${most} nodes.`)
  }

  async function leave(): Promise<void> {
    if (own !== undefined) await leases.write(placeOfNode(own.number), { holder: '', term: own.term + 1 })
  }

  return { write, leave }
}

/** What a node sees of the others. */
function createOthers(leases: Leases, { name, now }: Showing) {
  const sightings = new Map<string, { readonly text: string; readonly at: number }>()
  let latest: { readonly at: number; readonly look: Promise<Look> } | undefined

  async function lookNow(at: number): Promise<Look> {
    const signs = signsIn(await readPlaces(leases))
    for (const [holder, { text }] of signs)
      if (sightings.get(holder)?.text !== text) sightings.set(holder, { text, at: now() })
    for (const holder of sightings.keys()) if (!signs.has(holder)) sightings.delete(holder)
    return { at, signOf: (holder) => signs.get(holder) ?? { text: '', ttl: ttls.alone } }
  }

  function look(): Promise<Look> {
    const at = now()
    if (latest === undefined || at - latest.at >= freshness) latest = { at, look: lookNow(at) }
    return latest.look
  }

  async function areThere(): Promise<boolean> {
    await look()
    return [...sightings].some(([holder, { at }]) => holder !== name && now() - at < ttls.alone)
  }

  return { look, areThere }
}

function signsIn(places: readonly Lease[]): Map<string, Sign> {
  const signs = new Map<string, Sign>()
  for (const [index, { holder, term, checkpoint }] of places.entries()) {
    if (holder === '') continue
    const before = signs.get(holder)
    signs.set(holder, { text: `${before?.text ?? ''} ${index}:${term}`, ttl: ttlIn(checkpoint) })
  }
  return signs
}

/** Nodes of earlier versions do not tell it. */
function ttlIn(told: string | undefined): number {
  const { ttl } = JSON.parse(told ?? '{}') as { readonly ttl?: number }
  return ttl ?? ttls.alone
}

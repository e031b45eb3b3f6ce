import type { IngestCounts, Lease, Leases, ServerNode } from '../../engine/index.ts'
import type { ModelState } from './models.ts'

/** What a living node tells the others, through the store. */
export interface Heartbeat {
  /** Unique; also the holder of its leases. */
  readonly name: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** When it started (ISO 8601, UTC), by its own clock. */
  readonly since: string
  /** When it told this. */
  readonly at: string
  /** The names of the leases that it holds. */
  readonly leases: readonly string[]
  readonly models: readonly Pick<ModelState, 'name' | 'version' | 'checkpoint' | 'isCaughtUp' | 'secondsBehind'>[]
  /** What it has counted of what was pushed; nodes of earlier versions do not tell it. */
  readonly ingest?: IngestCounts
}

/** Milliseconds between two heartbeats (also while a model is behind), and without one after which a node is lost, or forgotten. */
const times = { interval: 20_000, behind: 5_000, lost: 60_000, forgotten: 3_600_000 }

/** Milliseconds after which a change of the leases is noticed. */
const look = 1_000

/** Most nodes of a store. */
const most = 256

/** Each node keeps its heartbeat in a lease of its own: the first that is free. */
function leaseName(slot: number): string {
  return `node-${slot}`
}

/** Where a node keeps its heartbeat. */
interface Slot {
  readonly number: number
  readonly term: number
}

/** What a node needs to keep telling that it lives. */
export interface Beating {
  readonly leases: Leases
  readonly name: string
  /** The names of the leases that it holds. */
  readonly held: () => readonly string[]
  readonly heartbeat: () => Promise<Heartbeat>
  readonly signal: AbortSignal
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Tells that a node lives, until the signal is aborted: again and again, and whenever its leases change. */
export async function keepBeating({ leases, name, held, heartbeat, ...run }: Beating): Promise<void> {
  const { signal, now, wait, failed } = run
  let [slot, told, next]: [Slot | undefined, string, number] = [undefined, '', now()]
  while (!signal.aborted) {
    const names = held().join()
    if (names !== told || now() >= next) {
      told = names
      next = now() + times.interval
      slot = await heartbeat()
        .then((beat) => {
          if (!beat.models.every(({ isCaughtUp }) => isCaughtUp)) next = now() + times.behind
          return tell(leases, slot, beat)
        })
        .catch((error: unknown) => {
          failed(error)
          return slot
        })
    }
    await wait(look, signal)
  }
  if (slot !== undefined) await leave(leases, slot).catch(failed)
}

async function tell(leases: Leases, slot: Slot | undefined, beat: Heartbeat): Promise<Slot> {
  const write = async ({ number, term }: Slot) => {
    const lease = { holder: beat.name, term: term + 1, checkpoint: JSON.stringify(beat) }
    return (await leases.write(leaseName(number), lease)) ? { number, term: term + 1 } : undefined
  }
  const kept = slot && (await write(slot))
  if (kept !== undefined) return kept
  for (let number = 1; number <= most; number++) {
    const lease = await leases.read(leaseName(number))
    const taken = isFree(lease, beat) ? await write({ number, term: lease?.term ?? 0 }) : undefined
    if (taken !== undefined) return taken
  }
  throw new Error(`There are more than ${most} nodes.`)
}

/** A node whose slot is taken by mistake, because clocks differ, takes another one. */
function isFree(lease: Lease | undefined, { name, at }: Heartbeat): boolean {
  const other = heartbeatIn(lease)
  return other === undefined || other.name === name || ageOf(other, Date.parse(at)) > times.forgotten
}

async function leave(leases: Leases, { number, term }: Slot): Promise<void> {
  await leases.write(leaseName(number), { holder: '', term: term + 1 })
}

function heartbeatIn({ holder, checkpoint }: Partial<Lease> = {}): Heartbeat | undefined {
  return holder === '' || checkpoint === undefined ? undefined : (JSON.parse(checkpoint) as Heartbeat)
}

function ageOf({ at }: Heartbeat, now: number): number {
  return now - Date.parse(at)
}

/** A node as others see it. */
export interface SeenNode extends Heartbeat {
  readonly state: ServerNode['state']
}

/** The nodes of a store that have not stopped, also lost ones for an hour. */
export async function readNodes(leases: Leases, now: number): Promise<readonly SeenNode[]> {
  const nodes: SeenNode[] = []
  for (let number = 1; number <= most; number++) {
    const lease = await leases.read(leaseName(number))
    if (lease === undefined) break
    const beat = heartbeatIn(lease)
    if (beat === undefined || ageOf(beat, now) > times.forgotten) continue
    const held = await Promise.all(beat.leases.map(async (name) => (await leases.read(name))?.holder === beat.name))
    nodes.push({ ...beat, state: stateAt(ageOf(beat, now)), leases: beat.leases.filter((_, index) => held[index]) })
  }
  return nodes
}

/** A node that was killed while its clock was ahead would otherwise be live until then. */
function stateAt(age: number): SeenNode['state'] {
  if (age < -times.lost) return 'unknown'
  return age > times.lost ? 'lost' : 'live'
}

/** Leases that note which ones a node holds. */
export interface NotedLeases {
  readonly leases: Leases
  /** The names of the leases that the node holds, in order. */
  held(): readonly string[]
}

/** Notes which leases are written with this holder. */
export function noteHeld(leases: Leases, holder: string): NotedLeases {
  const held = new Set<string>()
  const write: Leases['write'] = async (name, lease) => {
    const isWritten = await leases.write(name, lease)
    if (isWritten && lease.holder === holder) held.add(name)
    else held.delete(name)
    return isWritten
  }
  return { leases: { ...leases, write }, held: () => [...held].sort() }
}

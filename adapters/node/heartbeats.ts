import { type IngestCounts, type Leases, readPlaces, type ServerNode } from '../../engine/index.ts'
import type { ModelState } from './models.ts'

/** What a living node tells the others with its sign of life. */
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

/** Milliseconds without a heartbeat after which a node is lost, or forgotten. */
const times = { lost: 60_000, forgotten: 3_600_000 }

/** Whether the place of a node that told this is free: it was not heard of for an hour. */
export function isForgotten(told: string, now: number): boolean {
  return ageOf(JSON.parse(told) as Heartbeat, now) > times.forgotten
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
  for (const { holder, checkpoint } of await readPlaces(leases)) {
    if (holder === '' || checkpoint === undefined) continue
    const { ttl: _, ...beat } = JSON.parse(checkpoint) as Heartbeat & { readonly ttl?: number }
    // A sign of life need not tell more than that.
    if (!('leases' in beat) || ageOf(beat, now) > times.forgotten) continue
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

import type { EventStore } from '../kernel/event-store.ts'
import type { NewSnapshot, Snapshot, SnapshotRow, SnapshotRows, Snapshots } from '../kernel/snapshots.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { Vault } from '../kernel/vault.ts'

/**
 * Snapshots on the rows of a node. What is personal is sealed as a whole with the key of its stream, so it is gone with
 * that key. A row that cannot be opened is dropped.
 */
export function sealedSnapshots(rows: SnapshotRows, vault: Vault): Snapshots {
  async function sealed(stream: StreamName, fold: string, snapshot: NewSnapshot): Promise<SnapshotRow | undefined> {
    const { last, state } = snapshot
    const row = { fold, revision: last.revision, id: last.id }
    if (!snapshot.isPersonal()) return { ...row, isSealed: false, body: JSON.stringify(state) }
    const seal = await vault.sealing(stream)
    return seal && { ...row, isSealed: true, body: seal(labelOf(row), state) }
  }

  async function opened(stream: StreamName, row: SnapshotRow): Promise<Snapshot | undefined> {
    const { isSealed, revision, id, body } = row
    const open = isSealed ? await vault.opening(stream) : undefined
    if (isSealed && open === undefined) return undefined
    const state = unlessBroken(() => (open === undefined ? JSON.parse(body) : open(labelOf(row), body)))
    return state === undefined ? undefined : { last: { revision, id }, state }
  }

  return {
    find: async (stream, fold) => {
      const row = rows.find(stream)
      if (row === undefined || row.fold !== fold) return undefined
      const snapshot = await opened(stream, row)
      if (snapshot === undefined) rows.drop(stream)
      return snapshot
    },
    keep: (stream, fold, snapshot) => rows.keep(stream, snapshot.events, () => sealed(stream, fold, snapshot)),
    drop: (stream) => rows.drop(stream),
  }
}

/** The same store, whose streams are always read from their events. */
export function withoutSnapshots({ snapshots, ...store }: EventStore): EventStore {
  return store
}

/** A sealed snapshot opens only with the fold and the event that it was made for. */
function labelOf({ fold, revision, id }: Omit<SnapshotRow, 'isSealed' | 'body'>): string {
  return `snapshot ${fold} ${revision} ${id}`
}

function unlessBroken(open: () => unknown): unknown {
  try {
    return open()
  } catch {
    return undefined
  }
}

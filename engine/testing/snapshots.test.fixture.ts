import type { SnapshotRow, SnapshotRows } from '../kernel/snapshots.ts'

/** Rows of snapshots in memory, made at once; `settled` waits for those that are being made. */
export function createMemoryRows() {
  const rows = new Map<string, SnapshotRow>()
  let making: readonly Promise<void>[] = []
  const kept: SnapshotRows = {
    find: (stream) => rows.get(stream),
    keep: (stream, _size, make) => {
      making = [...making, make().then((row) => void (row && rows.set(stream, row)))]
    },
    drop: (stream) => void rows.delete(stream),
  }
  return { ...kept, rows, settled: () => Promise.all(making) }
}

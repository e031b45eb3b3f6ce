import { getHeapStatistics } from 'node:v8'

const limitOfV8 = getHeapStatistics().heap_size_limit

/** The bytes of heap that limits are derived from. */
const heapLimit = plannedHeap(limitOfV8, [process.env.NODE_OPTIONS ?? '', ...process.execArgv])

/**
 * Whether the young generation does not fit to the old one. V8 then collects garbage all the time once the young one has
 * grown, even in a process that does nothing.
 */
export const isYoungTooLarge = limitOfV8 > heapLimit

/**
 * The bytes of heap that limits are derived from: what V8 allows, but with `--max-old-space-size` the young generation
 * counts as three eighths of the old one at most. That option leaves it as large as the machine suggests (192 MiB on
 * Node 24), and nothing stays in it.
 */
export function plannedHeap(limit: number, options: readonly string[]): number {
  const given = options.flatMap((text) => [...text.matchAll(/--max[-_]old[-_]space[-_]size=(\d+)/g)])
  const old = Number(given.at(-1)?.[1] ?? 0) * 1024 * 1024
  return old === 0 ? limit : Math.min(limit, (old * 11) / 8)
}

/** A limit in bytes, or the nth part of the heap if that is less: so nobody can fill a small heap. */
export function withinHeap(limit: number, part: number, heap: number = heapLimit): number {
  return Math.min(limit, Math.floor(heap / part))
}

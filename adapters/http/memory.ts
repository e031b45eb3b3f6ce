import { getHeapStatistics } from 'node:v8'

/** The most memory in bytes that JavaScript may use in this process. */
export const heapLimit = getHeapStatistics().heap_size_limit

/** A limit in bytes, or the nth part of the heap if that is less: so nobody can fill a small heap. */
export function withinHeap(limit: number, part: number, heap: number = heapLimit): number {
  return Math.min(limit, Math.floor(heap / part))
}

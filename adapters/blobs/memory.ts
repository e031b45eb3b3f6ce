import type { BlobStore } from '../node/blobs.ts'

/** Blobs in memory, for a store in memory. */
export function createMemoryBlobs(clock: () => number = Date.now): BlobStore {
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly since: number }>()
  return {
    put: async (name, bytes) => {
      blobs.set(name, { bytes: bytes.slice(), since: clock() })
    },
    get: async (name) => blobs.get(name)?.bytes,
    remove: async (name) => {
      blobs.delete(name)
    },
    async *list(group) {
      for (const [name, { since }] of [...blobs].sort(([one], [other]) => (one < other ? -1 : 1)))
        if (group === undefined || name.startsWith(`${group}/`)) yield { name, since }
    },
  }
}

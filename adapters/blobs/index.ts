import { type FileName, type Files, isEngineError, type KeptFile, parsedFileName } from '../../engine/index.ts'
import type { BlobAddress, BlobStore, FileVault } from '../node/blobs.ts'
import { once } from '../node/once.ts'
import { createDirectoryBlobs } from './directory.ts'
import { createMemoryBlobs } from './memory.ts'

/** Opens the store of blobs at an address, without asking it anything. */
export function openBlobs(address: BlobAddress): BlobStore {
  switch (address.kind) {
    case 'memory':
      return createMemoryBlobs()
    case 'directory':
      return createDirectoryBlobs(address.directory)
    case 's3':
      return loadedLate(async () => (await import('./s3.ts')).createS3Blobs(address))
    default:
      return address satisfies never
  }
}

/** A store whose code is loaded when it is first used. */
function loadedLate(load: () => Promise<BlobStore>): BlobStore {
  const loaded = once(load)
  return {
    put: async (name, bytes) => (await loaded()).put(name, bytes),
    get: async (name) => (await loaded()).get(name),
    remove: async (name) => (await loaded()).remove(name),
    async *list(group) {
      yield* (await loaded()).list(group)
    },
  }
}

/** The uploaded files of the engine: sealed by the vault, in a store of blobs. */
export function createFiles(blobs: BlobStore, vault: FileVault): Files {
  return {
    keep: async (name, content) => {
      const sealed = await vault.sealFile(streamOf(name), name, Buffer.from(content, 'base64'))
      if (sealed === undefined) return false
      await blobs.put(name, sealed)
      return true
    },
    read: async (name) => {
      const sealed = await blobs.get(name)
      return sealed && vault.openFile(streamOf(name), name, sealed).catch(unlessUnavailable)
    },
    remove: (name) => blobs.remove(name),
    list: (stream) => named(blobs.list(stream)),
  }
}

/** Bytes that the key does not open are none of ours. */
function unlessUnavailable(error: unknown): undefined {
  if (isEngineError(error)) throw error
}

function streamOf(name: FileName): string {
  return name.slice(0, name.indexOf('/'))
}

/** What else lies there is left out. */
async function* named(blobs: ReturnType<BlobStore['list']>): AsyncGenerator<KeptFile> {
  for await (const { name, since } of blobs) {
    const known = parsedFileName(name)
    if (known !== undefined) yield { name: known.name, since }
  }
}

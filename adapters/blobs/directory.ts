import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError } from '../../engine/index.ts'
import type { BlobStore, KeptBlob } from '../node/blobs.ts'
import { refuseOtherName } from './name.ts'

/** Ending of files that are being written. */
const partial = '.partial'

/** After so many milliseconds, a file that is being written was left behind by a crash. */
const abandonedAfter = 3_600_000

/**
 * Blobs in a directory that only its owner can read: `3f/GROUP/NAME`, where `3f` is the beginning of a hash of the group, so that no
 * directory has too many entries.
 */
export function createDirectoryBlobs(root: string): BlobStore {
  const folderOf = (group: string) => join(root, createHash('sha256').update(group).digest('hex').slice(0, 2), group)
  const fileOf = (name: string) => {
    refuseOtherName(name)
    const [group = '', own = ''] = name.split('/')
    return join(folderOf(group), own)
  }

  async function put(name: string, bytes: Uint8Array) {
    const file = fileOf(name)
    const folder = dirname(file)
    const draft = `${file}.${randomBytes(8).toString('hex')}${partial}`
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
    try {
      await writeDurably(draft, bytes)
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
    await syncFolder(folder)
    if (isNew) for (const above of [dirname(folder), root, dirname(root)]) await syncFolder(above)
  }

  async function remove(name: string) {
    const file = fileOf(name)
    await rm(file, { force: true })
    // The last one of a group takes the directory with it.
    await rmdir(dirname(file)).catch(() => {})
  }

  async function* list(group?: string): AsyncGenerator<KeptBlob> {
    if (group !== undefined) {
      refuseOtherName(`${group}/x`)
      yield* blobsIn(folderOf(group), group)
      return
    }
    for (const shard of (await namesIn(root)).filter((one) => /^[0-9a-f]{2}$/.test(one)))
      for (const one of await namesIn(join(root, shard))) yield* blobsIn(join(root, shard, one), one)
  }

  return {
    put: (name, bytes) => reached(() => put(name, bytes)),
    get: (name) => reached(() => readFile(fileOf(name)).catch(unlessAbsent)),
    remove: (name) => reached(() => remove(name)),
    list,
  }
}

/** The blobs of a group. What a crash left of a write is removed. */
async function* blobsIn(folder: string, group: string): AsyncGenerator<KeptBlob> {
  for (const name of await namesIn(folder)) {
    const file = join(folder, name)
    const since = (await reached(() => stat(file).catch(unlessAbsent)))?.mtimeMs
    if (since === undefined) continue
    if (!name.endsWith(partial)) yield { name: `${group}/${name}`, since }
    else if (since < Date.now() - abandonedAfter) await rm(file, { force: true })
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await reached(() => readdir(folder).catch(unlessAbsent))) ?? []
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a directory, so that the names in it also survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** A failure of the file system is one of the store. */
async function reached<Found>(run: () => Promise<Found>): Promise<Found> {
  try {
    return await run()
  } catch (cause) {
    const { code: reason } = cause as NodeJS.ErrnoException
    throw reason === undefined ? cause : new EngineError('files_unavailable', { reason })
  }
}

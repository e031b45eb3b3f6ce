import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { storeFrom } from '../node/config.ts'
import { type Invocation, settingsOf } from './command.ts'

const ownerOnly = 0o600

/**
 * Writes a file atomically: `write` fills a private temporary file beside `path`, which is renamed when it is complete
 * and synced. On failure nothing new exists under `path`. Throws if the file exists, unless forced.
 */
export async function newFile<Result>(
  path: string,
  isForced: boolean,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  refuseTaken(path, isForced)
  // Unique to this run: others may be writing to the same path.
  const partial = `${path}.${randomUUID()}.partial`
  const remove = () => {
    for (const one of [partial, besideOf(partial)])
      for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${one}${end}`, { force: true })
  }
  const interrupted = () => {
    remove()
    process.exit(130)
  }
  closeSync(openSync(partial, 'wx', ownerOnly))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    const result = await write(partial)
    synchronize(partial, 'r+', ownerOnly)
    refuseTaken(path, isForced)
    renameSync(partial, path)
    if (process.platform !== 'win32') synchronize(dirname(path), 'r')
    return result
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    remove()
  }
}

/** The second temporary file of a file that is being written; it is removed together with the first one. */
export function besideOf(partial: string): string {
  return `${partial}.beside`
}

/** Refuses the store's own files: servers would go on writing to an unlinked file. */
export function refuseStore(path: string, invocation: Invocation) {
  const address = storeFrom(settingsOf(invocation))
  if (address.kind !== 'sqlite') return
  const own = ['secret.key', 'models.db', 'webhooks.db'].map((name) => join(dirname(address.file), name))
  const placeOf = (file: string) => (existsSync(file) ? realpathSync(file) : resolve(file))
  if (
    [address.file, `${address.file}-wal`, `${address.file}-shm`, ...own].some((file) => placeOf(file) === placeOf(path))
  )
    throw new Error(`${path} belongs to the store itself.`)
}

function refuseTaken(path: string, isForced: boolean) {
  if (!isForced && existsSync(path)) throw new Error(`${path} exists already. Use --force to replace it.`)
}

/** Syncs a file and its mode, or a directory, to the disk. */
function synchronize(path: string, flags: 'r' | 'r+', mode?: number) {
  const descriptor = openSync(path, flags)
  try {
    if (mode !== undefined) fchmodSync(descriptor, mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

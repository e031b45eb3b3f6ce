import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { storeFrom } from '../node/config.ts'
import { type Invocation, settingsOf } from './command.ts'

const ownerOnly = 0o600

/** The end of the name of a temporary file: the machine and the process of its run, as far as it says so. */
const partialName =
  /\.(?:([0-9a-f]{8})-(\d{1,10})-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial(?:\.beside)?(?:-journal|-wal|-shm)?$/

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** Milliseconds without a change after which the run of another machine has ended. */
const abandoned = 24 * 3_600_000

/**
 * Writes a file atomically: `write` fills a private temporary file beside `path`, which is renamed when it is complete
 * and synced. On failure nothing new exists under `path`. Throws if the file exists, unless forced. What earlier runs left
 * in the directory goes first.
 */
export async function newFile<Result>(
  path: string,
  isForced: boolean,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  refuseTaken(path, isForced)
  removeLeftovers(dirname(path))
  // Unique to this run: others may be writing to the same path.
  const partial = `${path}.${machine}-${process.pid}-${randomUUID()}.partial`
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

/** Removes the temporary files of runs that were killed from a directory, and returns how many there were. */
export function removeLeftovers(directory: string): number {
  const names = existsSync(directory) ? readdirSync(directory) : []
  const left = names.filter((name) => isLeft(directory, name))
  for (const name of left) rmSync(join(directory, name), { force: true })
  return left.length
}

function isLeft(directory: string, name: string): boolean {
  const found = partialName.exec(name)
  if (found === null) return false
  const [, where, pid] = found
  if (where === machine) return !isAlive(Number(pid))
  const changed = statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && Date.now() - changed > abandoned
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
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

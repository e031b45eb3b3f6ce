import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from './command.ts'

/** The option of commands that write a file, and do not overwrite one. */
export const forceOption: Command['options'] = { force: { type: 'boolean', help: 'replace what is there already' } }

/**
 * Has `write` fill a file beside `path`, which its owner alone may read, and gives it that name when it is whole and on
 * the disk. Whatever happens before, there is nothing new under the name. Refuses a name that is taken, unless forced.
 */
export async function newFile<Result>(
  path: string,
  isForced: boolean,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  refuseTaken(path, isForced)
  const partial = `${path}.partial`
  // A journal that a killed run has left would be played back into the new file.
  const remove = () =>
    ['', '-journal', '-wal', '-shm'].forEach((end) => void rmSync(`${partial}${end}`, { force: true }))
  const interrupted = () => {
    remove()
    process.exit(130)
  }
  remove()
  closeSync(openSync(partial, 'wx', 0o600))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    const result = await write(partial)
    synchronize(partial, 'r+')
    refuseTaken(path, isForced)
    renameSync(partial, path)
    if (process.platform !== 'win32') synchronize(dirname(path), 'r')
    return result
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    remove()
  }
}

function refuseTaken(path: string, isForced: boolean) {
  if (!isForced && existsSync(path)) throw new Error(`${path} is there already. --force replaces it.`)
}

/** Has the disk keep what it was given of a file, or the names in a folder. */
function synchronize(path: string, flags: 'r' | 'r+') {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

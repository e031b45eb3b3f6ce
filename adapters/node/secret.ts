import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Length of a secret in bytes. */
const secretLength = 32

/** The secret that encrypts the keys of personal data: 32 bytes. */
export interface Secret {
  /** The secret; `undefined` if there is none yet. */
  read(): Uint8Array | undefined
  /** The secret, created if absent. */
  make(): Uint8Array
}

/** A given secret: `text` is its 32 bytes in base64 or hexadecimal, otherwise the result is `undefined`. */
export function secretOf(text: string): Secret | undefined {
  const key = keyOf(text)
  return key && { read: () => key, make: () => key }
}

/**
 * A secret in a file that only its owner can read. It is created on first use; if several processes create it at once,
 * one wins.
 */
export function secretIn(file: string): Secret {
  function read(): Uint8Array | undefined {
    const text = textOf(file)
    if (text === undefined) return undefined
    refuseShared(file)
    const key = keyOf(text.trim())
    if (key === undefined) throw new Error(`${file} does not hold a secret: 32 bytes in base64 or hexadecimal.`)
    return key
  }
  return { read, make: () => read() ?? createFile(file, read) }
}

function keyOf(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** Refuses a secret that other users of the machine can read or replace. Windows has no such modes. */
function refuseShared(file: string): void {
  const mode = statSync(file).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new Error(`${file} is open to other users (mode ${mode.toString(8)}). Run: chmod 600 ${file}`)
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes to a temporary file and links it, so that the file is always complete and the first writer wins. */
function createFile(file: string, read: () => Uint8Array | undefined): Uint8Array {
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, `${randomBytes(secretLength).toString('base64')}\n`)
    fsyncSync(handle)
    linkSync(draft, file)
    syncFolder(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(handle)
    rmSync(draft)
  }
  return read() as Uint8Array
}

/** Syncs the directory, so that the file name also survives a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

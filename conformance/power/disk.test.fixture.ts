import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Step } from './trace.test.fixture.ts'

/** A change of a file that no sync has made durable. */
type Change =
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly offset: number }
  | { readonly kind: 'truncate'; readonly size: number }

/** A file: what is durable of it, the changes since, and how long it is with them. */
interface File {
  durable: Buffer
  changes: Change[]
  length: number
}

type Names = Map<string, File>

/** A disk that forgets in a power cut what was not synced. */
interface Disk {
  /** Does what a traced process has done. */
  take(step: Step): void
  /**
   * Writes into a directory what is there after a power cut: all that was synced, and of the rest what `survives` chooses, in
   * any order, and of the last changes of names only the first ones.
   */
  cutInto(directory: string, survives: () => boolean): void
}

/** Bytes that a disk writes at once, or not at all. */
const sector = 512

/** Creates an empty disk for the files below a directory. */
export function createDisk(root: string): Disk {
  const names: Names = new Map()
  const durable: Names = new Map()
  let renamed: ((names: Names) => void)[] = []

  function rename(change: (names: Names) => void) {
    change(names)
    renamed.push(change)
  }

  function fileAt(path: string): File {
    const known = names.get(path)
    if (known !== undefined) return known
    const made: File = { durable: Buffer.alloc(0), changes: [], length: 0 }
    rename((all) => all.set(path, made))
    return made
  }

  function change(path: string, step: Extract<Step, { readonly kind: 'write' | 'truncate' }>) {
    const file = fileAt(path)
    // What is written without a place is appended: nobody overwrites files in parts with it.
    const one: Change = step.kind === 'write' ? { offset: file.length, ...step } : step
    file.length = one.kind === 'truncate' ? one.size : Math.max(file.length, one.offset + one.bytes.length)
    file.changes.push(one)
  }

  function sync(path: string) {
    const file = names.get(path)
    if (file === undefined) {
      // A directory.
      durable.clear()
      for (const [name, one] of names) durable.set(name, one)
      renamed = []
      return
    }
    file.durable = afterChanges(file, () => true)
    file.changes = []
    if (![...durable.values()].includes(file)) durable.set(path, file)
  }

  return {
    take: (step) => {
      if (step.kind === 'write' || step.kind === 'truncate') change(step.path, step)
      else if (step.kind === 'sync') sync(step.path)
      else if (step.kind === 'create') fileAt(step.path)
      else if (step.kind !== 'say') rename((all) => moveName(all, step))
    },
    cutInto: (directory, survives) => {
      const left = new Map(durable)
      for (const change of renamed) {
        if (!survives()) break
        change(left)
      }
      for (const [path, file] of left) writeTo(join(directory, relative(root, path)), afterChanges(file, survives))
    },
  }
}

function writeTo(place: string, bytes: Buffer): void {
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, bytes, { mode: 0o600 })
}

function moveName(names: Names, step: Extract<Step, { readonly kind: 'link' | 'rename' | 'unlink' }>): void {
  const file = names.get(step.path)
  if (step.kind !== 'unlink' && file !== undefined) names.set(step.to, file)
  if (step.kind !== 'link') names.delete(step.path)
}

/** What is in a file after its changes, of which each sector is chosen by `survives`. */
function afterChanges({ durable, changes }: File, survives: () => boolean): Buffer {
  const ends = changes.map((change) => (change.kind === 'truncate' ? change.size : change.offset + change.bytes.length))
  const bytes = Buffer.alloc(Math.max(durable.length, ...ends))
  let length = durable.copy(bytes)
  for (const change of changes)
    if (change.kind === 'write')
      for (let at = 0; at < change.bytes.length; at += sector) {
        if (!survives()) continue
        const end = change.offset + at + change.bytes.copy(bytes, change.offset + at, at, at + sector)
        length = Math.max(length, end)
      }
    else if (survives()) {
      bytes.fill(0, change.size)
      length = change.size
    }
  return bytes.subarray(0, length)
}

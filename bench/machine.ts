import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { machineLine as lineOf, type Machine, machineHere } from '../adapters/cli/bench/machine.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'

/** The machine on which stores were measured. */
interface StoreMachine extends Machine {
  readonly sqlite: string
  /** Writes of 4 KiB per second, each followed by `fdatasync`: the rate at which the disk allows single commits. */
  readonly syncsPerSecond: number
}

/** Measures the machine; the disk is that of `directory`. */
export function machineOf(directory: string): StoreMachine {
  const syncsPerSecond = Math.round(syncRate(join(directory, 'sync')))
  return { ...machineHere(), sqlite: sqliteVersion(directory), syncsPerSecond }
}

/** The machine in one line. */
export function machineLine(machine: StoreMachine): string {
  return `${lineOf(machine)}, SQLite ${machine.sqlite}, ${machine.syncsPerSecond} fsyncs/s`
}

function sqliteVersion(directory: string): string {
  const database = openDatabase(join(directory, 'version.db'))
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { readonly version: string }
  database.close()
  return version
}

function syncRate(file: string, count = 300): number {
  const page = Buffer.alloc(4096, 1)
  const descriptor = openSync(file, 'w')
  const start = performance.now()
  for (let written = 0; written < count; written++) {
    writeSync(descriptor, page)
    fdatasyncSync(descriptor)
  }
  const seconds = (performance.now() - start) / 1000
  closeSync(descriptor)
  rmSync(file)
  return count / seconds
}

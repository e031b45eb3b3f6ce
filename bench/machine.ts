import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../adapters/sqlite/open.ts'

/** Where figures were taken. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly os: string
  readonly node: string
  readonly sqlite: string
  /** Writes of 4 KiB, each followed by `fdatasync`, a second: what the disk lets a store commit one by one. */
  readonly syncsPerSecond: number
}

/** Looks at the machine; the disk is that of `directory`. */
export function machineOf(directory: string): Machine {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${arch()}`,
    node: process.versions.node,
    sqlite: sqliteVersion(directory),
    syncsPerSecond: Math.round(syncRate(join(directory, 'sync'))),
  }
}

/** The machine in one line. */
export function machineLine({ cpu, cores, memoryGiB, os, node, sqlite, syncsPerSecond }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${os}, Node ${node}, SQLite ${sqlite}, ${syncsPerSecond} fsyncs/s`
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

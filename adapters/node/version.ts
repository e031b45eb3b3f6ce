import { readFileSync } from 'node:fs'
import { packageFile } from './package-files.ts'

interface Manifest {
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The version of this package. */
export function packageVersion(): string {
  return manifest().version
}

/** The version of an optional peer that this package is tested with. */
export function peerVersion(name: string): string {
  return manifest().peerDependencies?.[name] ?? 'latest'
}

let known: Manifest | undefined

function manifest(): Manifest {
  known ??= read()
  return known
}

function read(): Manifest {
  try {
    return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Manifest
  } catch {
    return { version: '0.0.0' }
  }
}

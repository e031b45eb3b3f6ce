import { createRequire } from 'node:module'

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

function manifest(): Manifest {
  const require = createRequire(import.meta.url)
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return require(path) as Manifest
    } catch {}
  }
  return { version: '0.0.0' }
}

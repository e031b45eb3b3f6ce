import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Settings } from '../harness.ts'

/** Loads the peers that are installed in a folder with its own package.json, and only from there. */
export function createPeers(folder: string): Settings['peer'] {
  const require = createRequire(resolve(folder, 'package.json'))
  return <Module>(name: string) => (isInstalled(folder, name) ? (require(name) as Module) : undefined)
}

/** Installs the peers from the lock file of their folder, unless they are there; returns whether they are. */
export function installPeers(folder: string): boolean {
  const { dependencies } = manifestOf(folder) as { readonly dependencies: Readonly<Record<string, string>> }
  const isThere = Object.entries(dependencies).every(
    ([name, version]) => isInstalled(folder, name) && manifestOf(pathOf(folder, name)).version === version,
  )
  // npm is a script on Windows, which only a shell can start.
  return isThere || spawnSync(command, { cwd: folder, shell: true, stdio: ['ignore', 2, 2] }).status === 0
}

const command = 'npm ci --no-audit --no-fund'

function isInstalled(folder: string, name: string): boolean {
  return existsSync(join(pathOf(folder, name), 'package.json'))
}

function pathOf(folder: string, name: string): string {
  return join(folder, 'node_modules', name)
}

function manifestOf(folder: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>
}

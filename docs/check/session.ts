import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Block } from './blocks.ts'

/** What came of the blocks of a page: the output of each that was begun, and the exit code of the last. */
interface Session {
  readonly code: number
  readonly outputs: readonly string[]
}

/** Where a session takes place: its directory, the program behind `otep`, and the server that the page speaks of. */
interface Place {
  readonly directory: string
  readonly program: string
  readonly port: number
}

/** The address that pages write for the server. */
const address = 'localhost:3000'

const separator = /^@@ block \d+ @@\n/m
const patience = 240_000

/** The text with the address of the server that really runs. */
export function addressed(text: string, { port }: Place): string {
  return text.replaceAll(address, `127.0.0.1:${port}`)
}

/** Runs the blocks one after the other in one shell, which ends at the first command that fails, as a reader would. */
export function runBlocks(blocks: readonly Block[], place: Place): Promise<Session> {
  const { directory } = place
  const script = join(directory, 'page.sh')
  const parts = blocks.map(
    ({ text }, index) => `printf '@@ block ${index} @@\\n'\n${addressed(text, place)}\nprintf '\\n'`,
  )
  writeFileSync(script, ['exec 2>&1', 'set -euo pipefail', ...parts, ''].join('\n'))
  const options = { cwd: directory, env: environment(place), timeout: patience, maxBuffer: 2 ** 26 }
  return new Promise((resolve) => {
    execFile('bash', [script], options, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, outputs: stdout.split(separator).slice(1) })
    })
  })
}

/** The environment of a reader who has installed the program, and has set nothing. */
function environment({ directory, program }: Place): NodeJS.ProcessEnv {
  const bin = join(directory, 'bin')
  mkdirSync(bin, { recursive: true })
  const otep = `exec '${process.execPath}' '${program}' "$@"`
  writeScript(join(bin, 'otep'), otep)
  // Only what is installed, and a command first: npx takes an option before it for its own.
  const own = `[ -x "node_modules/.bin/$1" ] && exec "node_modules/.bin/$@"`
  const refused = `echo 'npx: write npx --no otep COMMAND' >&2; exit 127`
  writeScript(join(bin, 'npx'), `case "$*" in '--no otep '[a-z]*) shift 2 ;; *) ${own}; ${refused} ;; esac\n${otep}`)
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  return {
    PATH: `${bin}${delimiter}${PATH}`,
    ...{ HOME, XDG_CONFIG_HOME: join(directory, '.config'), LC_ALL: 'C.UTF-8' },
    ...(TMPDIR === '' ? {} : { TMPDIR }),
  }
}

function writeScript(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

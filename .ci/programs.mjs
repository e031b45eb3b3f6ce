// Runs compiled files of tests, several at once. tap's own runner would load its coverage into each process and into all that
// those start, which doubles their CPU time.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { root } from './files.mjs'

/** tap ends a program after 900 s by itself; one that something keeps alive after its tests is killed then, in milliseconds. */
const longest = 930_000

/** The environment of tests, where nothing else is set. */
export const settings = {
  TAP_TIMEOUT: '900',
  // tap would remove the directory of a test before its servers are stopped, so the runner does.
  TAP_SAVE_FIXTURE: '1',
}

/** What Node needs to run a program of tests. */
export const words = (program) => [
  `--import=${new URL('preload.mjs', import.meta.url)}`,
  '--enable-source-maps',
  program,
]

/** Does something with each item, so many at once; answers what came of them, in order. Tests wait a lot: one more than there are cores. */
export async function forEach(items, run, atOnce = availableParallelism() + 1) {
  const results = []
  const waiting = [...items.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await run(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** Runs a program, and answers what it wrote and how it ended; where it was killed, `signal` says by which. */
export async function runProgram(program, env = {}) {
  const child = spawn(process.execPath, words(program), {
    cwd: root,
    env: { ...settings, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longest,
    killSignal: 'SIGKILL',
  })
  const output = { tap: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (output.tap += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (output.errors += text))
  const [code, signal] = await new Promise((resolve) => child.once('close', (...end) => resolve(end)))
  return { program, ...output, code, signal }
}

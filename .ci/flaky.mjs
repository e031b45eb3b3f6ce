// The log of files of tests that failed once and passed by themselves. Run as a program, it fails where a file stands there
// twice: mend the test, and take its lines out in the same commit.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const mostEntries = 10
const log = process.env.OTEP_FLAKY_LOG ?? fileURLToPath(new URL('flaky.txt', import.meta.url))

/** Tells which files failed by chance. Where OTEP_FLAKY_LOG names the log, it gets them; it keeps the last ten entries. */
export function noteFlaky(found) {
  const lines = found.map(({ file, assertion }) => `FLAKY ${file}: ${assertion}`)
  for (const line of lines) console.log(line)
  if (process.env.OTEP_FLAKY_LOG === undefined) return
  const today = new Date().toISOString().slice(0, 10)
  const kept = [...entries(), ...lines.map((line) => `${today} ${line}`)].slice(-mostEntries)
  writeFileSync(log, `${kept.join('\n')}\n`)
}

function entries() {
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = entries().map((line) => / FLAKY (\S+):/.exec(line)?.[1])
  const repeated = new Set(files.filter((file, index) => files.indexOf(file) !== index))
  for (const file of repeated)
    console.log(`${file} failed by chance more than once: mend it, and take its lines out of the log.`)
  if (repeated.size > 0) process.exitCode = 1
}

// Loaded before each file of tests. Random tests grow from OTEP_TEST_SEED, where it is set. The CPU time of the file and
// of the processes that it started and waited for is added to the file that OTEP_TEST_CPU names.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const { OTEP_TEST_SEED: seed, OTEP_TEST_CPU: report } = process.env

if (seed !== undefined) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
}
if (report !== undefined && isMainThread) {
  // What its children take counts as its own.
  delete process.env.OTEP_TEST_CPU
  const program = relative('', process.argv[1])
  process.once('exit', () => noteCpu(program, cpuSeconds()))
}

/** Adds the CPU seconds of a compiled file of tests to the report, where there is one. */
export function noteCpu(program, cpu) {
  if (report !== undefined) appendFileSync(report, `${JSON.stringify({ program, cpu })}\n`)
}

/** The CPU seconds of this process, and of its ended children where the system tells them. */
export function cpuSeconds() {
  const stat = '/proc/self/stat'
  if (existsSync(stat)) {
    // User and system time of the process, then of its children, in hundredths: fields 14 to 17 of proc(5).
    const fields = readFileSync(stat, 'utf8').split(') ').at(-1).split(' ').slice(11, 15)
    return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  }
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

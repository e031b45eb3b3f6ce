// Keeps how long a run took in the file that OTEP_RECORD_TIMES names, from which `npm run docs` tells it: .ci/times.json.
//   OTEP_RECORD_TIMES=.ci/times.json .ci/run && OTEP_RECORD_TIMES=.ci/times.json npm run test:quick
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const file = process.env.OTEP_RECORD_TIMES

/** Keeps the wall time and the CPU seconds of a run, where they are asked for. */
export function record(name, seconds, cpu) {
  if (!file) return
  const { runs } = JSON.parse(readFileSync(file, 'utf8'))
  const times = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cores: availableParallelism(),
    runs: { ...runs, [name]: { seconds: Math.round(seconds), cpu: Math.round(cpu) } },
  }
  const shown = JSON.stringify(times, null, 2).replaceAll(
    /\{\n\s+("seconds": \d+),\n\s+("cpu": \d+)\n\s+\}/g,
    '{ $1, $2 }',
  )
  writeFileSync(file, `${shown}\n`)
}

const [, program, name, seconds, cpu] = process.argv
if (program === fileURLToPath(import.meta.url)) record(name, Number(seconds), Number(cpu))

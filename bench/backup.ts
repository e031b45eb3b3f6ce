import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared, Settings, Topic } from './harness.ts'
import { programAt, runProgram } from './program.ts'
import { removeDatabase, writeParcels } from './stores.ts'

/** A copy of the whole store. */
export const backup: Topic = {
  name: 'backup',
  summary: 'otep backup, from the start of the process to its end, against a process that copies the file',
  unit: 'event',
  prepare,
}

const parcels = 25_000

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  progress('writing the store')
  const dataDir = join(directory, 'backup')
  const [file, target] = [join(dataDir, 'otep.db'), join(dataDir, 'copy.db')]
  const { all } = await writeParcels(file, Math.round(parcels * scale))
  const reference = 'a copy of the file, and fsync'
  const copying = async (program: readonly string[]) => {
    rmSync(target, { force: true })
    return runProgram(all, program)
  }
  const otep = [programAt('adapters', 'cli', 'main'), 'backup', target, '--data-dir', dataDir]
  const plain = [programAt('bench', 'programs', 'copy'), file, target]
  const cases = [
    { name: 'otep backup', reference, run: () => copying(otep) },
    { name: reference, run: () => copying(plain) },
  ]
  const bytes = Math.round(statSync(file).size / 2 ** 20)
  const note =
    `The store has ${all.toLocaleString('en')} events in ${bytes} MiB, and nobody writes to it. otep backup copies page by page, so that ` +
    'somebody may; then it checks the copy, and makes its SHA-256. The plain copy does none of this.'
  const close = async () => {
    for (const one of [file, target]) removeDatabase(one)
  }
  return { cases, notes: [note], close }
}

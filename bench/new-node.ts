import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared, Settings, Topic } from './harness.ts'
import { programAt, runProgram } from './program.ts'
import { startServing } from './start-up.ts'
import { removeDatabase, writeParcels } from './stores.ts'

/** The start of a node that has no read models. */
export const newNode: Topic = {
  name: 'new-node',
  summary:
    'otep serve on a node without read models, until they are caught up, with a copy of another node and without',
  unit: 'start',
  prepare,
}

/** Each has 12 events, including identifiers. */
const parcels = 84_000

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const dataDir = join(directory, 'new-node')
  const [file, models, copy] = ['otep.db', 'models.db', 'models.copy'].map((name) => join(dataDir, name))
  if (file === undefined || models === undefined || copy === undefined) throw new Error('There are three files.')
  progress('writing the store')
  const { all } = await writeParcels(file, Math.round(parcels * scale))
  const otep = (...words: readonly string[]) =>
    runProgram(1, [programAt('adapters', 'cli', 'main'), ...words, '--data-dir', dataDir])
  const begin = async (...words: readonly string[]) => {
    removeDatabase(models)
    return startServing(dataDir, words)
  }
  progress('building its read models')
  await begin()
  await otep('backup', '--models', copy)
  const reference = 'otep serve, which builds them'
  const cases = [
    { name: 'otep serve --models-from', reference, run: () => begin('--models-from', copy) },
    { name: reference, run: () => begin() },
    {
      name: 'otep backup --models',
      run: () => {
        rmSync(copy, { force: true })
        return otep('backup', '--models', copy)
      },
    },
  ]
  const note =
    `The store has ${all.toLocaleString('en')} events. A start ends when /readyz says that the node is ready. The copy is checked, ` +
    'compared with the history, and written to the disk before the server listens.'
  const close = async () => {
    for (const one of [file, models]) removeDatabase(one)
    rmSync(copy, { force: true })
  }
  return { cases, notes: [note], close }
}

import { join } from 'node:path'
import type { Prepared, Settings, Topic } from './harness.ts'
import { modelNamed } from './models.ts'
import { programAt, runProgram } from './program.ts'
import { removeDatabase, writeParcels } from './stores.ts'

/** Rebuilds a read model with the command line. */
export const rebuild: Topic = {
  name: 'rebuild',
  summary: 'otep rebuild identifiers, from the start of the process to its end, against a process that does it by hand',
  unit: 'event',
  prepare,
}

const parcels = 25_000

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  progress('writing the store')
  const dataDir = join(directory, 'rebuild')
  const [file, table] = [join(dataDir, 'otep.db'), join(dataDir, 'by-hand.db')]
  const model = modelNamed('identifiers')
  const counts = await writeParcels(file, Math.round(parcels * scale))
  const events = counts.of(model.category)
  const otep = [programAt('adapters', 'cli', 'main'), 'rebuild', model.name, '--data-dir', dataDir]
  const byHand = [programAt('bench', 'programs', 'by-hand'), model.name, file, table]
  const reference = 'query, JSON.parse and insertion by hand'
  const cases = [
    { name: `otep rebuild ${model.name}`, reference, run: () => runProgram(events, otep) },
    {
      name: reference,
      run: () => {
        removeDatabase(table)
        return runProgram(events, byHand)
      },
    },
  ]
  const [total, own] = [counts.all, events].map((count) => count.toLocaleString('en'))
  const note =
    `The store has ${total} events; counted are the ${own} that the model follows from. Both are whole processes: Node ` +
    'starts, and the new table stands in a file when it ends. otep builds it beside the one that serves, which it removes.'
  return { cases, notes: [note], close: async () => removeDatabase(file) }
}

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Prepared, Settings, Topic } from './harness.ts'
import { programAt, runProgram } from './program.ts'
import { startServing } from './start-up.ts'
import { eventLine } from './timelines.ts'

/** The start of a node on an event store server that others use much. */
export const besideOthers: Topic = {
  name: 'beside-others',
  summary: 'otep serve, verify and export on an event store server, beside the records of others',
  unit: 'run',
  prepare,
}

/** Records of others, and parcels of the engine. */
const sizes = { foreign: 200_000, parcels: 2_000 }

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const [foreign, parcels] = [Math.round(sizes.foreign * scale), Math.round(sizes.parcels * scale)]
  progress('starting a double of a server')
  const double = await startChild({ kind: 'event store double', foreign })
  const server = `esdb://127.0.0.1:${double.port}?tls=false&otepPrefix=`
  const known = `${server}known.`
  const dataDir = join(directory, 'beside-others')
  progress(`writing ${parcels} parcels`)
  const lines = Array.from({ length: parcels }, (_, parcel) => eventLine(parcel, 0))
  const filling = await startChild({ kind: 'engine on a server', store: known, dataDir, lines })
  await filling.stop()
  const started = (store: string) => startServing(dataDir, ['--store', store])
  await started(known)
  const begin = (store: string) => {
    rmSync(join(dataDir, 'models.db'), { force: true })
    return started(store)
  }
  const command = (name: string) => [
    programAt('adapters', 'cli', 'main'),
    name,
    '--data-dir',
    dataDir,
    '--store',
    known,
  ]
  const cases = [
    { name: 'a new engine', run: () => begin(`${server}new-${randomUUID()}.`) },
    { name: 'a node without read models', run: () => begin(known) },
    { name: 'a restart', run: () => started(known) },
    { name: 'otep verify', run: () => runProgram(1, command('verify')) },
    { name: 'otep export', run: () => runProgram(1, command('export')) },
  ]
  return { cases, notes: [note(foreign, parcels)], close: () => double.stop() }
}

const note = (foreign: number, parcels: number) =>
  `${foreign.toLocaleString('en')} records of others, and ${parcels.toLocaleString('en')} parcels of one event each. The server ` +
  'is a double in a process of its own that takes 1 ms for a read, 6 ms for an append, and 1 ms for a thousand records at which a ' +
  'subscription looks.'

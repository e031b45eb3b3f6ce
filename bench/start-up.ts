import { once } from 'node:events'
import { join } from 'node:path'
import type { Case, Prepared, Sample, Settings, Topic } from './harness.ts'
import { programAt, runProgram, startProgram } from './program.ts'
import { removeDatabase, writeParcels } from './stores.ts'

/** The start of the server, as its store grows. */
export const startUp: Topic = {
  name: 'start-up',
  summary: 'otep serve, from the start of the process to the first answer of /healthz, by the size of its store',
  unit: 'start',
  prepare,
}

/** Parcels in a store; each has 12 events, identifiers included. */
const sizes = [800, 8_000, 80_000]

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const cases: Case[] = []
  const files: string[] = []
  for (const [index, parcels] of sizes.entries()) {
    const dataDir = join(directory, `start-up-${index}`)
    const file = join(dataDir, 'otep.db')
    files.push(file)
    progress(`writing ${Math.round(parcels * scale)} parcels`)
    const { all } = await writeParcels(file, Math.round(parcels * scale))
    await runProgram(1, [programAt('adapters', 'cli', 'main'), 'rebuild', 'identifiers', '--data-dir', dataDir])
    const name = `otep serve, ${all.toLocaleString('en')} events`
    const [first] = cases
    cases.push({ name, ...(first === undefined ? {} : { reference: first.name }), run: () => start(dataDir) })
  }
  return { cases, notes: [note], close: async () => files.forEach(removeDatabase) }
}

async function start(dataDir: string): Promise<Sample> {
  const begun = performance.now()
  const { stdout, stop, ended } = startProgram([
    ...[programAt('adapters', 'cli', 'main'), 'serve', '--data-dir', dataDir],
    ...['--port', '0', '--host', '127.0.0.1'],
  ])
  const url = await Promise.race([addressIn(stdout), ended.then(() => '')])
  const { ok } = await fetch(`${url}/healthz`)
  const seconds = (performance.now() - begun) / 1000
  stop()
  const { user, system, rss } = await ended
  if (!ok) throw new Error('The server does not answer.')
  return { units: 1, seconds, cpuSeconds: (user + system) / 1e6, figures: { 'RSS MiB': rss / 2 ** 20 } }
}

/** The address that a server names when it listens; its log and its greeting come line by line. */
async function addressIn(stdout: NodeJS.ReadableStream): Promise<string> {
  let said = ''
  stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  for (;;) {
    const [, url] = /otep listens on (\S+),/.exec(said) ?? []
    if (url !== undefined) return url
    await once(stdout, 'data')
  }
}

const note =
  'The read models stand ready, as after any orderly end. CPU time is that of the whole process, its end included; ' +
  'RSS is its memory as it ends.'

import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Case, Prepared, Sample, Settings, Topic } from './harness.ts'
import { programAt, runProgram, startProgram } from './program.ts'
import { removeDatabase, writeParcels } from './stores.ts'

/** The start of the server with a growing store. */
export const startUp: Topic = {
  name: 'start-up',
  summary: 'otep serve, from the start of the process until /readyz says that it is ready, by the size of its store',
  unit: 'start',
  prepare,
}

/** Parcels in a store; each has 12 events, including identifiers. */
const sizes = [840, 8_400, 84_000]

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
    const models = join(dataDir, 'models.db')
    const built = join(dataDir, 'built.db')
    copyFileSync(models, built)
    files.push(models, built)
    const first = async () => {
      removeDatabase(models)
      copyFileSync(built, models)
      return startServing(dataDir)
    }
    const size = `${all.toLocaleString('en')} events`
    const [smallest, smallestFirst] = cases
    // The later start comes first, so that it is compared with a later one; the warm-up round makes it one.
    cases.push(
      { name: `otep serve, ${size}`, ...heldTo(smallest), run: () => startServing(dataDir) },
      { name: `otep serve for the first time, ${size}`, ...heldTo(smallestFirst), run: first },
    )
  }
  return { cases, notes: [note], close: async () => files.forEach(removeDatabase) }
}

function heldTo(reference: Case | undefined): Pick<Case, 'reference'> {
  return reference === undefined ? {} : { reference: reference.name }
}

/** Starts a server, with further words on its command line, and stops it when it is ready. */
export async function startServing(dataDir: string, words: readonly string[] = []): Promise<Sample> {
  const begun = performance.now()
  const { stdout, stop, ended } = startProgram([
    ...[programAt('adapters', 'cli', 'main'), 'serve', '--data-dir', dataDir],
    ...['--port', '0', '--host', '127.0.0.1', ...words],
  ])
  const url = await Promise.race([addressIn(stdout), ended.then(() => '')])
  const { ok } = await fetch(`${url}/healthz`)
  const answered = performance.now() - begun
  while (ok && (await fetch(`${url}/readyz`)).status !== 200) await setTimeout(10)
  const ready = performance.now() - begun
  stop()
  const { user, system, rss } = await ended
  if (!ok) throw new Error('The server does not answer.')
  const figures = { 'first answer ms': answered, 'ready ms': ready, 'RSS MiB': rss / 2 ** 20 }
  return { units: 1, seconds: ready / 1000, cpuSeconds: (user + system) / 1e6, figures }
}

/** The address that a server prints when it listens; its log and its greeting arrive line by line. */
export async function addressIn(stdout: NodeJS.ReadableStream): Promise<string> {
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
  'The first time, the read models are as `otep rebuild` has left them; later, as the server before has left them. The ' +
  'first answer is that of /healthz. CPU time is that of the whole process, its end included; RSS is its memory as it ends.'

import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { trackingNumber } from './kill/calls.ts'
import { createClient } from './kill/client.ts'
import { randomFrom } from './kill/random.ts'
import { type Crew, startCrew } from './soak/crew.ts'
import { type Course, readOn, writeOn } from './soak/lanes.ts'
import { createLedger, type Ledger } from './soak/ledger.ts'
import { openSoakStore, type SoakStore } from './soak/store.ts'
import { createTimes, type Times } from './soak/times.ts'

const help = `Usage: npm run soak -- [OPTIONS]

Pushes and reads at once, kills and restarts the server meanwhile, and then shows by "otep verify" and by its own record
that nothing acknowledged was lost and nothing doubled. Ends with 1 where that is not so.

  --seconds N      how long (default 60)
  --restarts N     how many times a server is ended; two in three by SIGKILL, the others by SIGTERM (default 6)
  --nodes N        servers on one store, behind a proxy that gives each request to the next one; in the end all have to
                   give the same answers (default 1)
  --writers N      connections that push (default 3)
  --readers N      connections that read (default 2)
  --store ADDRESS  the store: "sqlite" for a file of its own, "double" for the double of an event store server that the
                   tests use, or an address as OTEP_STORE has it (default: sqlite; for several nodes the double, as a
                   cluster of three of which one server is ended with each restart)
  --seed N         what chooses sizes and moments (default: another each time)
  --help           show this
`

interface Choice {
  readonly seconds: number
  readonly restarts: number
  readonly nodes: number
  readonly writers: number
  readonly readers: number
  readonly store: string
  readonly seed: number
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const choice = choiceOf(args)
    if (choice !== undefined) return await soak(choice)
    process.stdout.write(help)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function choiceOf(args: string[]): Choice | undefined {
  const option = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({
    args,
    options: {
      seconds: option('60'),
      restarts: option('6'),
      nodes: option('1'),
      writers: option('3'),
      readers: option('2'),
      store: { type: 'string' },
      seed: option(String(randomInt(2 ** 31))),
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const { seconds, restarts, nodes, writers, readers, seed } = values
  const numbers = Object.fromEntries(
    Object.entries({ seconds, restarts, nodes, writers, readers, seed }).map(([name, value]) => [
      name,
      numberOf(name, value),
    ]),
  ) as Record<keyof Omit<Choice, 'store'>, number>
  if (numbers.nodes < 1) throw new Error('--nodes takes a number from 1 on.')
  return { ...numbers, store: values.store ?? (numbers.nodes > 1 ? 'double' : 'sqlite') }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} takes a number, not ${text}.`)
  return Number(text)
}

async function soak(choice: Choice): Promise<number> {
  const { seconds, restarts, nodes, writers, readers, seed } = choice
  const directory = mkdtempSync(join(tmpdir(), 'otep-soak-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  process.once('SIGINT', () => process.exit(130))
  const program = join(import.meta.dirname, '..', 'program', 'otep.js')
  const store = await openSoakStore(choice.store, directory, nodes)
  const words = ['--store', store.address]
  const dataDirs = Array.from({ length: nodes }, (_, node) => store.dataDirOf(node))
  Object.assign(process.env, sharedSettings())
  process.stdout.write(
    `${seconds} s, ${nodes} nodes, ${writers} writers, ${readers} readers, ${restarts} restarts, --seed ${seed}\n`,
  )
  const [first = directory] = dataDirs
  const key = await runOtep(program, [
    'provider',
    'add',
    'soak',
    '--all-businesses',
    '--init',
    '--data-dir',
    first,
    ...words,
  ])
  const random = randomFrom(seed)
  const faults: string[] = []
  const times = createTimes()
  const ledger = createLedger()
  const crew = await startCrew(program, dataDirs, words)
  const ended = new AbortController()
  const course: Course = {
    ...{ crew, ledger, random, until: ended.signal },
    key: key.stdout.trim(),
    took: times.note,
    fault: (text) => void faults.push(text),
  }
  const lanes = [
    ...Array.from({ length: writers }, () => writeOn(course)),
    ...Array.from({ length: readers }, () => readOn(course)),
  ]
  await disturb({ crew, store, ledger }, { seconds, restarts, random })
  ended.abort()
  await Promise.all(lanes)
  faults.push(...(await faultsIn(crew, ledger)))
  await crew.close()
  const verified = await verifiedAt(program, [...new Set(dataDirs)], words)
  await store.close()
  faults.push(...verified.faults)
  report({ ledger, times, crew, store, faults, seconds, verified: verified.line })
  return faults.length === 0 ? 0 : 1
}

/** What all nodes of a store have in common, unless the environment says it. */
function sharedSettings(): Readonly<Record<string, string>> {
  const { OTEP_SECRET_KEY = randomBytes(32).toString('hex'), OTEP_BASE_URL = 'http://soak.example' } = process.env
  return { OTEP_SECRET_KEY, OTEP_BASE_URL }
}

/** The faults in what each node returns at the end, and the differences between them. */
async function faultsIn(crew: Crew, ledger: Ledger): Promise<readonly string[]> {
  const faults: string[] = []
  const answers: string[] = []
  for (const port of await crew.ports()) {
    const timelines = await toldBy(port, ledger)
    faults.push(...ledger.faults(timelines.map((events) => events.map(({ event_id }) => event_id))))
    answers.push(JSON.stringify(timelines))
  }
  if (new Set(answers).size > 1) faults.push('the nodes give different answers')
  return faults
}

/** The last line of \`otep verify\` in each directory, and the faults that it found. */
async function verifiedAt(program: string, dataDirs: readonly string[], words: readonly string[]) {
  const faults: string[] = []
  let line = ''
  for (const dataDir of dataDirs) {
    const { status, stdout, stderr } = await runOtep(program, ['verify', '--data-dir', dataDir, ...words])
    line = stdout.trim().split('\n').at(-1) ?? ''
    if (status !== 0) faults.push(`otep verify ended with ${status}: ${stdout}${stderr}`)
  }
  return { faults, line }
}

/** Not synchronously: a double of the store is in this process. */
async function runOtep(program: string, words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = [text(child.stdout), text(child.stderr)] as const
  const [status] = (await once(child, 'exit')) as [number | null]
  return { status, stdout: await printed[0], stderr: await printed[1] }
}

interface Disturbed {
  readonly crew: Crew
  readonly store: SoakStore
  readonly ledger: Ledger
}

/** Runs for the given time, and ends servers, and those of their store, at moments spread over that time. */
async function disturb(
  { crew, store, ledger }: Disturbed,
  { seconds, restarts, random }: Pick<Choice, 'seconds' | 'restarts'> & { readonly random: () => number },
): Promise<void> {
  const began = performance.now()
  const passed = () => (performance.now() - began) / 1000
  const moments = Array.from({ length: restarts }, (_, index) => ((index + random()) / restarts) * seconds * 0.95)
  for (const [index, moment] of [...moments, seconds].entries()) {
    while (passed() < moment) {
      tell(`${passed().toFixed(0)} s, ${ledger.counts().acknowledged} events acknowledged`)
      await setTimeout(Math.min(1000, Math.max(1, (moment - passed()) * 1000)))
    }
    if (index === restarts) continue
    const ending = index % 3 === 2 ? 'stop' : 'kill'
    await Promise.all([crew.restart(ending, random()), store.disturb(random())])
  }
  tell('')
}

function tell(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

/** The events of every parcel, as a server returns them at the end. */
async function toldBy(port: number, ledger: Ledger) {
  const client = createClient(port, '')
  const numbers = Array.from({ length: ledger.parcels() }, (_, parcel) => trackingNumber(parcel))
  const told: (readonly { readonly event_id: string }[])[] = []
  for (let from = 0; from < numbers.length; from += 500) {
    told.push(...(await client.timelines(numbers.slice(from, from + 500))))
  }
  client.close()
  return told
}

interface Report extends Disturbed {
  readonly times: Times
  readonly faults: readonly string[]
  readonly seconds: number
  readonly verified: string
}

function report({ ledger, times, crew, store, faults, seconds, verified }: Report): void {
  const { acknowledged, open } = ledger.counts()
  const figures = crew.figures()
  const recoveries = figures.recoveries.map((time) => time.toFixed(0)).join(', ')
  const lines = [
    `${acknowledged} events acknowledged (${Math.round(acknowledged / seconds)}/s) for ${ledger.parcels()} parcels; ${open} more sent without an answer`,
    `${figures.kills} kills and ${figures.stops} stops; ready again after ${recoveries || '-'} ms`,
    ...(store.figures.ended === 0
      ? []
      : [`${store.figures.ended} servers of the store ended, ${store.figures.led} of them as leaders`]),
    ...times.lines(),
    `otep verify: ${verified}`,
    ...faults.slice(0, 20),
    faults.length === 0 ? 'nothing acknowledged was lost, and nothing doubled' : `${faults.length} faults`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

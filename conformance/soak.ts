import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startDouble } from './eventstore/double.ts'
import { trackingNumber } from './kill/calls.ts'
import { createClient } from './kill/client.ts'
import { randomFrom } from './kill/random.ts'
import { type Course, readOn, writeOn } from './soak/lanes.ts'
import { createLedger, type Ledger } from './soak/ledger.ts'
import { type Node, startNode } from './soak/node.ts'
import { createTimes, type Times } from './soak/times.ts'

const help = `Usage: npm run soak -- [OPTIONS]

Pushes and reads at once, kills and restarts the server meanwhile, and then shows by "otep verify" and by its own record
that nothing acknowledged was lost and nothing doubled. Ends with 1 where that is not so.

  --seconds N      how long (default 60)
  --restarts N     how many times the server is ended; two in three by SIGKILL, the others by SIGTERM (default 6)
  --writers N      connections that push (default 3)
  --readers N      connections that read (default 2)
  --store ADDRESS  the store, as OTEP_STORE has it, or "double" for the double of an event store server that the tests
                   use (default: an SQLite file of its own)
  --seed N         what chooses sizes and moments (default: another each time)
  --help           show this
`

interface Choice {
  readonly seconds: number
  readonly restarts: number
  readonly writers: number
  readonly readers: number
  readonly store: string | undefined
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
      writers: option('3'),
      readers: option('2'),
      store: { type: 'string' },
      seed: option(String(randomInt(2 ** 31))),
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const { seconds, restarts, writers, readers, seed } = values
  const numbers = Object.fromEntries(
    Object.entries({ seconds, restarts, writers, readers, seed }).map(([name, value]) => [name, numberOf(name, value)]),
  ) as Record<keyof Omit<Choice, 'store'>, number>
  return { ...numbers, store: values.store }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} takes a number, not ${text}.`)
  return Number(text)
}

async function soak({ seconds, restarts, writers, readers, store: named, seed }: Choice): Promise<number> {
  const double = named === 'double' ? await startDouble() : undefined
  const store = double?.connectionString ?? named
  const directory = mkdtempSync(join(tmpdir(), 'otep-soak-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  process.once('SIGINT', () => process.exit(130))
  const program = join(import.meta.dirname, '..', 'adapters', 'cli', 'main.js')
  const words = store === undefined ? [] : ['--store', store]
  const dataDir = join(directory, 'data')
  const otep = (...command: readonly string[]) => runOtep(program, [...command, '--data-dir', dataDir, ...words])
  process.stdout.write(`${seconds} s, ${writers} writers, ${readers} readers, ${restarts} restarts, --seed ${seed}\n`)
  const key = (await otep('provider', 'add', 'soak', '--all-businesses')).stdout.trim()
  const random = randomFrom(seed)
  const faults: string[] = []
  const times = createTimes()
  const ledger = createLedger()
  const node = await startNode({ program, dataDir, words })
  const ended = new AbortController()
  const course: Course = {
    node,
    ledger,
    key,
    random,
    until: ended.signal,
    took: times.note,
    fault: (text) => void faults.push(text),
  }
  const lanes = [
    ...Array.from({ length: writers }, () => writeOn(course)),
    ...Array.from({ length: readers }, () => readOn(course)),
  ]
  await disturb(node, ledger, { seconds, restarts, random })
  ended.abort()
  await Promise.all(lanes)
  faults.push(...ledger.faults(await toldBy(node, ledger)))
  await node.close()
  const verified = await otep('verify')
  await double?.close()
  if (verified.status !== 0)
    faults.push(`otep verify ended with ${verified.status}: ${verified.stdout}${verified.stderr}`)
  report({ ledger, times, node, faults, seconds, verified: verified.stdout })
  return faults.length === 0 ? 0 : 1
}

/** Not synchronously: a double of the store is in this process. */
async function runOtep(program: string, words: readonly string[]) {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = [text(child.stdout), text(child.stderr)] as const
  const [status] = (await once(child, 'exit')) as [number | null]
  return { status, stdout: await printed[0], stderr: await printed[1] }
}

/** Runs for the given time, and ends the server at moments spread over that time. */
async function disturb(
  node: Node,
  ledger: Ledger,
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
    if (index < restarts) await node.restart(index % 3 === 2 ? 'stop' : 'kill')
  }
  tell('')
}

function tell(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

/** The names of the events of every parcel, as the server returns them at the end. */
async function toldBy(node: Node, ledger: Ledger): Promise<readonly (readonly string[])[]> {
  const client = createClient((await node.port()) ?? 0, '')
  const numbers = Array.from({ length: ledger.parcels() }, (_, parcel) => trackingNumber(parcel))
  const told: (readonly string[])[] = []
  for (let from = 0; from < numbers.length; from += 500) {
    const timelines = await client.timelines(numbers.slice(from, from + 500))
    told.push(...timelines.map((events) => events.map(({ event_id }) => event_id)))
  }
  client.close()
  return told
}

interface Report {
  readonly ledger: Ledger
  readonly times: Times
  readonly node: Node
  readonly faults: readonly string[]
  readonly seconds: number
  readonly verified: string
}

function report({ ledger, times, node: { figures }, faults, seconds, verified }: Report): void {
  const { acknowledged, open } = ledger.counts()
  const recoveries = figures.recoveries.map((time) => time.toFixed(0)).join(', ')
  const lines = [
    `${acknowledged} events acknowledged (${Math.round(acknowledged / seconds)}/s) for ${ledger.parcels()} parcels; ${open} more sent without an answer`,
    `${figures.kills} kills and ${figures.stops} stops; ready again after ${recoveries || '-'} ms`,
    ...times.lines(),
    `otep verify: ${verified.trim().split('\n').at(-1)}`,
    ...faults.slice(0, 20),
    faults.length === 0 ? 'nothing acknowledged was lost, and nothing doubled' : `${faults.length} faults`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

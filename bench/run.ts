import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { goals } from './goals.ts'
import { rowsOf, runRounds, type Settings, type Topic } from './harness.ts'
import { machineLine, machineOf } from './machine.ts'
import { createPeers, installPeers } from './peers/load.ts'
import { type Figures, outcomesOf } from './report/outcomes.ts'
import { committedRun, goalLines, writeReport } from './report/page.ts'
import { tableOf } from './table.ts'
import { groups, topics } from './topics.ts'

const help = `Usage: npm run bench -- [OPTIONS]

Measures the engine against references in the same run, the cases of a topic in turn, and prints medians.
"ratio" is how much of the reference's speed is reached, by wall time, and "CPU ratio" the same by CPU time.
A run of all topics writes docs/reference/benchmarks.md; it takes a quarter of an hour on two slow cores.

  --only TOPIC   one topic alone (may be said again); "formats" means every format
  --rounds N     rounds that count, after one that does not (default 3)
  --scale N      sizes of topics, as a part or a multiple of the normal ones (default 1)
  --no-peers     leave out the other programs, and do not install them in bench/peers
  --report       write the report of some topics alone, too
  --json FILE    write the figures to a file, too
  --dir DIR      where the stores lie for the while (default: the system's temporary directory)
  --help         show this

Topics:
${topics.map(({ name, summary }) => `  ${name.padEnd(13)}  ${summary}`).join('\n')}
`

// Run by npm, and so in the root of the project: compiled code is in another folder than the files that it reads and
// writes.
const peersFolder = join('bench', 'peers')

process.exitCode = await main(process.argv.slice(2))

interface Choice {
  readonly chosen: readonly Topic[]
  readonly rounds: number
  readonly scale: number
  readonly hasPeers: boolean
  readonly hasReport: boolean
  readonly json: string | undefined
  readonly dir: string
}

async function main(args: string[]): Promise<number> {
  try {
    const choice = choiceOf(args)
    if (choice === undefined) process.stdout.write(help)
    else await run(choice)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/** The options in the arguments; undefined if they request help. */
function choiceOf(args: string[]): Choice | undefined {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '3' },
      scale: { type: 'string', default: '1' },
      'no-peers': { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
      json: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1.')
  const scale = Number(values.scale)
  if (!(scale > 0 && scale <= 1_000)) throw new Error('--scale takes a number above 0, and at most 1000.')
  const chosen = values.only === undefined ? topics : topicsNamed(values.only)
  const { json, dir } = values
  return {
    chosen,
    rounds,
    hasPeers: !values['no-peers'],
    hasReport: values.report || (chosen === topics && scale === 1),
    json,
    dir,
    scale,
  }
}

function topicsNamed(names: readonly string[]): readonly Topic[] {
  const wanted = names.flatMap((name) => groups[name]?.map((topic) => topic.name) ?? [name])
  const unknown = wanted.find((name) => !topics.some((topic) => topic.name === name))
  if (unknown !== undefined) throw new Error(`There is no topic ${unknown}; --help lists them.`)
  return topics.filter(({ name }) => wanted.includes(name))
}

async function run({ chosen, rounds, scale, hasPeers, hasReport, json, dir }: Choice): Promise<void> {
  const directory = mkdtempSync(join(dir, 'otep-bench-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  process.once('SIGINT', () => process.exit(130))
  if (hasPeers && !installPeers(peersFolder)) process.stderr.write('The peers could not be installed. Going on.\n')
  const peer: Settings['peer'] = hasPeers ? createPeers(peersFolder) : () => undefined
  const machine = machineOf(directory)
  process.stdout.write(`${machineLine(machine)}\n`)
  const figures: Figures[] = []
  for (const [index, topic] of chosen.entries()) {
    const place = `${index + 1} of ${chosen.length}, ${topic.name}`
    const start = performance.now()
    const progress = (done: string) => void process.stderr.write(`${place}: ${done}\n`)
    figures.push(await figuresOf(topic, { rounds, scale, directory, peer, progress }))
    progress(`${Math.round((performance.now() - start) / 1000)} s`)
  }
  const outcomes = outcomesOf(goals, figures)
  process.stdout.write(`\n${goalLines(outcomes, committedRun())}\n`)
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, rounds, outcomes, figures }, null, 2)}\n`)
  if (hasReport) writeReport({ machine: machineLine(machine), rounds, outcomes, figures })
}

async function figuresOf(topic: Topic, settings: Settings): Promise<Figures> {
  const { name, summary, unit, maxRounds = settings.rounds } = topic
  const prepared = await topic.prepare(settings)
  try {
    const samples = await runRounds(prepared, { ...settings, rounds: Math.min(settings.rounds, maxRounds) })
    const rows = rowsOf(prepared.cases, samples)
    process.stdout.write(`\n${name}: ${summary}\n\n${tableOf(topic, rows)}\n\n${prepared.notes.join('\n')}\n`)
    return { topic: name, summary, unit, notes: prepared.notes, rows, samples: Object.fromEntries(samples) }
  } finally {
    await prepared.close()
  }
}

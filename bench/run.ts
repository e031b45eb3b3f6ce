import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { append } from './append.ts'
import { backup } from './backup.ts'
import { catchUp } from './catch-up.ts'
import { formatTopics } from './formats.ts'
import { type Row, rowsOf, runRounds, type Settings, type Topic } from './harness.ts'
import { ingest } from './ingest.ts'
import { machineLine, machineOf } from './machine.ts'
import { read } from './read.ts'
import { rebuild } from './rebuild.ts'
import { streams } from './streams.ts'
import { tableOf } from './table.ts'

/** THE LIST of topics. */
const topics: readonly Topic[] = [ingest, append, read, streams, catchUp, rebuild, backup, ...formatTopics]

/** Names of several topics at once. */
const groups: Readonly<Record<string, readonly Topic[]>> = { formats: formatTopics }

const help = `Usage: npm run bench -- [OPTIONS]

Measures the engine against references in the same run, the cases of a topic in turn, and prints medians.
"ratio" is how much of the reference's speed is reached, by wall time, and "CPU ratio" the same by CPU time.

  --only TOPIC   one topic alone (may be said again); "formats" means every format
  --rounds N     rounds that count, after one that does not (default 5)
  --json FILE    write the figures to a file, too
  --dir DIR      where the stores lie for the while (default: the system's temporary directory)
  --help         show this

Topics:
${topics.map(({ name, summary }) => `  ${name.padEnd(13)}  ${summary}`).join('\n')}
`

interface Figures {
  readonly topic: string
  readonly unit: string
  readonly notes: readonly string[]
  readonly rows: readonly Row[]
}

process.exitCode = await main(process.argv.slice(2))

interface Choice {
  readonly chosen: readonly Topic[]
  readonly rounds: number
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

/** What the arguments ask for; nothing where they ask for help. */
function choiceOf(args: string[]): Choice | undefined {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '5' },
      json: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const { json, dir } = values
  const only =
    values.only?.flatMap((name) => groups[name]?.map((topic) => topic.name) ?? [name]) ?? topics.map(({ name }) => name)
  const unknown = only.find((name) => !topics.some((topic) => topic.name === name))
  if (unknown !== undefined) throw new Error(`There is no topic ${unknown}; --help lists them.`)
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1.')
  return { chosen: topics.filter(({ name }) => only.includes(name)), rounds, json, dir }
}

async function run({ chosen, rounds, json, dir }: Choice): Promise<void> {
  const directory = mkdtempSync(join(dir, 'otep-bench-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  process.once('SIGINT', () => process.exit(130))
  const machine = machineOf(directory)
  process.stdout.write(`${machineLine(machine)}\n`)
  const figures: Figures[] = []
  for (const topic of chosen) figures.push(await figuresOf(topic, { rounds, scale: 1, directory }))
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, rounds, figures }, null, 2)}\n`)
}

async function figuresOf(topic: Topic, settings: Omit<Settings, 'progress'>): Promise<Figures> {
  const progress = (done: string) => void process.stderr.write(`${topic.name}: ${done}\n`)
  const prepared = await topic.prepare({ ...settings, progress })
  try {
    const rows = rowsOf(prepared.cases, await runRounds(prepared, { ...settings, progress }))
    process.stdout.write(
      `\n${topic.name}: ${topic.summary}\n\n${tableOf(topic, rows)}\n\n${prepared.notes.join('\n')}\n`,
    )
    return { topic: topic.name, unit: topic.unit, notes: prepared.notes, rows }
  } finally {
    await prepared.close()
  }
}

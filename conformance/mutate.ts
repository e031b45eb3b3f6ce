import { parseArgs } from 'node:util'
import { changedLines, sampled } from './mutate/choice.ts'
import { type Equivalent, equivalents, speaksOf } from './mutate/equivalents.ts'
import { missesGoal, reportOf, scoresOf, shown } from './mutate/report.ts'
import { rooms } from './mutate/rooms.ts'
import { type Candidate, candidatesIn, type Outcome, tried } from './mutate/trial.ts'
import { projectFolder } from './program/files.ts'

const help = `Usage: npm run mutate -- [OPTIONS]

Changes the program in one small place at a time, and runs the tests that should notice: those of the folder, then
related ones. Prints how many of these mutants were caught in each room, and those that survived. A mutant that does not
compile is left out, and so is one in conformance/mutate/equivalents.ts; a test that never ends has caught its mutant.
Ends with 1 where a room misses the goal that conformance/mutate/rooms.ts gives it.

  --room NAME     only this room (repeatable)
  --file PATH     only this file (repeatable)
  --since COMMIT  only lines that were changed since COMMIT
  --sample N      at most N of these mutants, chosen at random, equally many of each room (default: all)
  --seed N        the seed of the sample, such as 20261122 (default: 1)
  --workers N     the number tried at the same time (default 2)
  --list          print the mutants and try none
  --help          show this

Rooms: ${rooms.map(({ name }) => name).join(', ')}
`

/** What the arguments ask for. */
interface Choice {
  readonly candidates: readonly Candidate[]
  /** How many mutants the sample leaves out. */
  readonly leftOut: number
  readonly workers: number
  readonly list: boolean
}

// A signal ends the program the ordinary way, so that the copies of `dist` are removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const everything = candidatesIn(projectFolder, rooms)
    const choice = choiceOf(args, everything)
    if (choice === undefined) return say(help)
    if (choice.list) return say(`${choice.candidates.map(({ mutant }) => shown(mutant)).join('\n')}\n`)
    const { candidates, leftOut, workers } = choice
    const tell = progress(candidates.length)
    const outcomes = await tried(candidates, { root: projectFolder, equivalents, workers, tell })
    const stale = staleAmong(everything)
    say(`${reportOf(outcomes, stale, leftOut)}\n`)
    return stale.length > 0 || scoresOf(outcomes).some(missesGoal) ? 1 : 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function choiceOf(args: string[], everything: readonly Candidate[]): Choice | undefined {
  const { values } = parseArgs({
    args,
    options: {
      ...{ sample: { type: 'string' }, seed: { type: 'string', default: '1' }, since: { type: 'string' } },
      ...{ room: { type: 'string', multiple: true }, file: { type: 'string', multiple: true } },
      ...{ workers: { type: 'string', default: '2' } },
      ...{ list: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    },
  })
  if (values.help) return undefined
  const { room: names, file: files, sample, since } = values
  const seed = numberIn(values.seed, '--seed')
  refuseUnknown(
    'room',
    names,
    rooms.map(({ name }) => name),
  )
  refuseUnknown(
    'file',
    files,
    everything.map(({ mutant }) => mutant.file),
  )
  const changed = since === undefined ? undefined : changedLines(projectFolder, since)
  const named = everything.filter(
    ({ room, mutant }) =>
      (names?.includes(room.name) ?? true) &&
      (files?.includes(mutant.file) ?? true) &&
      (changed?.has(`${mutant.file}:${mutant.line}`) ?? true),
  )
  const candidates = sample === undefined ? named : sampleOf(named, numberIn(sample, '--sample'), seed)
  return {
    candidates,
    leftOut: named.length - candidates.length,
    workers: numberIn(values.workers, '--workers'),
    list: values.list,
  }
}

function sampleOf(candidates: readonly Candidate[], count: number, seed: number): readonly Candidate[] {
  const lists = rooms.map((room) => candidates.filter((one) => one.room === room).map(({ mutant }) => mutant))
  const chosen = sampled(lists, count, seed)
  return candidates.filter(({ mutant }) => chosen.has(mutant))
}

function refuseUnknown(kind: string, names: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no ${kind} ${unknown} with mutants; --help lists the rooms.`)
}

function numberIn(text: string, option: string): number {
  const number = Number(text)
  if (text === '' || !Number.isFinite(number) || number < 0) throw new Error(`${option} takes a number from 0.`)
  return number
}

/** Entries of the list of equivalents that fit no mutant of the project. */
function staleAmong(everything: readonly Candidate[]): readonly Equivalent[] {
  return equivalents.filter((entry) => !everything.some(({ mutant }) => speaksOf(entry, mutant)))
}

/** Tells each survivor when it is found, and after every tenth mutant how far the trial is. */
function progress(total: number): (outcome: Outcome) => void {
  let count = 0
  return ({ mutant, fate }) => {
    count += 1
    if (fate === 'survived') process.stderr.write(`${shown(mutant)}\n`)
    if (count % 10 === 0 || count === total) process.stderr.write(`${count} of ${total}\n`)
  }
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

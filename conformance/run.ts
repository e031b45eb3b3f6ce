import { parseArgs } from 'node:util'
import { projections } from '../projections/index.ts'
import { type DocumentSet, documentsIn, isRight, tableOfSets } from './documents-in.ts'
import { judges } from './judges/index.ts'
import { type Chance, exhibitedTimelines, exhibitsOf, trial, type Verdict } from './judges/trial.ts'

const help = `Usage: npm run conformance -- [OPTIONS]

Shows documents of every format to judges that are not of this project (official schemas, ontologies, SDKs) and prints
how many of them pass. Ends with 1 where any does not. A judge whose official files are not here is left out, and says
which: OTEP_STANDARDS_DIR names their folder (default: ../shared/standards). The official EPCIS documents in that folder
are read, too; each that the judges accept has to be taken.

  --only FORMAT  one format alone (may be said again)
  --runs N       random timelines beside the made ones (default 200)
  --seed N       what the random ones grow from (default: another each time)
  --json         figures and faults as JSON
  --help         show this

Formats: ${external().join(', ')}
`

const maxFaults = 5

interface Choice extends Chance {
  readonly only: readonly string[]
  readonly json: boolean
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const choice = choiceOf(args)
    if (choice === undefined) return tell(help)
    const verdicts = await verdictsOf(choice)
    const sets = choice.only.includes('epcis') ? ((await documentsIn().here?.()) ?? []) : []
    tell(
      choice.json
        ? `${JSON.stringify({ seed: choice.seed, runs: choice.runs, verdicts, sets }, null, 2)}\n`
        : table(verdicts, choice) + shownSets(sets),
    )
    const isGood = verdicts.every(({ tried, passed }) => tried === passed)
    return isGood && sets.every(({ entries }) => entries.every(isRight)) ? 0 : 1
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
      only: { type: 'string', multiple: true, default: external() },
      runs: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const unknown = values.only.find((name) => !external().includes(name))
  if (unknown !== undefined) throw new Error(`There is no judge of ${unknown}; --help lists the formats.`)
  const [runs, seed] = [numberIn(values.runs, '--runs'), numberIn(values.seed, '--seed')]
  return { only: values.only, json: values.json, runs, seed }
}

function numberIn(text: string, option: string): number {
  const number = Number(text)
  if (text === '' || !Number.isSafeInteger(number) || number < 0) throw new Error(`${option} takes a number from 0.`)
  return number
}

/** Formats of other standards and systems. */
function external(): string[] {
  return projections.filter((format) => format.external).map(({ name }) => name)
}

async function verdictsOf({ only, ...chance }: Choice): Promise<readonly Verdict[]> {
  const shown = await exhibitedTimelines(projections, chance)
  const verdicts: Verdict[] = []
  for (const format of projections.filter(({ name }) => only.includes(name))) {
    const exhibits = await exhibitsOf(format, shown)
    for (const judge of judges.filter((one) => one.format === format.name)) {
      process.stderr.write(`${format.name}: ${judge.name}\n`)
      verdicts.push(await trial(judge, exhibits))
    }
  }
  return verdicts
}

function table(verdicts: readonly Verdict[], { runs, seed }: Choice): string {
  const cells = [
    ['format', 'judge', 'tried', 'passed'],
    ...verdicts.map(({ format, judge, tried, passed }) => [format, judge, String(tried), String(passed)]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const padded = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const lines = cells.map((line, row) => `${line.map(padded).join('  ')}${noteOn(verdicts[row - 1])}`)
  const faults = verdicts.flatMap(({ format, judge, faults }) =>
    faults.slice(0, maxFaults).map((fault) => `${format}, ${judge}: ${fault}`),
  )
  return `${[...lines, '', `${runs} random timelines, seed ${seed}`, ...faults].join('\n')}\n`
}

function shownSets(sets: readonly DocumentSet[]): string {
  return sets.length === 0 ? '' : `\n${tableOfSets(sets)}\n`
}

function noteOn(verdict: Verdict | undefined): string {
  return verdict?.missing === undefined ? '' : `  not judged: ${verdict.missing}`
}

function tell(text: string): number {
  process.stdout.write(text)
  return 0
}

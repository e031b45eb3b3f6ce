import type { Projection } from '../../engine/index.ts'
import { inColumns } from './bench/columns.ts'
import { type Case, ratiosOf, rowsOf, runRounds, type Samples } from './bench/harness.ts'
import { machineHere, machineLine } from './bench/machine.ts'
import { timelineLength } from './bench/parcels.ts'
import { type Batch, shortTimelines, writingCases } from './bench/writing.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { progressOn } from './progress.ts'
import { contextWithoutStore } from './session.ts'

/** `otep bench`: measures how fast this machine writes the formats. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('This command takes options only.')
  const seconds = secondsOf(invocation)
  const figures = await measureFormats(invocation, seconds)
  const machine = machineHere()
  const { json } = invocation.values
  const text =
    json === true ? JSON.stringify({ machine, figures }, null, 2) : `${machineLine(machine)}\n\n${tableOf(figures)}`
  invocation.stdout.write(`${text}\n`)
  return 0
}

/** The result for a format; `times` is its speed relative to the ceiling, by CPU time. */
interface Figures {
  readonly format: string
  readonly eventsPerSecond: number
  readonly megabytesPerSecond: number
  readonly cpuMicrosPerEvent: number
  readonly times: number
}

/** Number of timelines that are written in turn, so that none is cached. */
const timelineCount = 200

const target = { baseUrl: 'https://otep.example', options: {} }

function secondsOf({ values }: Invocation): number {
  const seconds = Number(values.seconds ?? 20)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 600)
    throw usageError('--seconds takes a number from 1 to 600.')
  return seconds
}

async function measureFormats(invocation: Invocation, seconds: number): Promise<readonly Figures[]> {
  const start = performance.now()
  const context = await contextWithoutStore(invocation)
  const timelines = await shortTimelines(context, timelineCount)
  const batchOf = ({ name }: Projection): Batch => ({ name, timelines, target, passes: 1 })
  const pairs = context.formats.map((format) => ({ format, cases: writingCases(format, batchOf(format)) }))
  const progress = progressOn(invocation, seconds)
  const samples = await runRounds(
    { cases: pairs.flatMap(({ cases }) => cases) },
    {
      rounds: Number.POSITIVE_INFINITY,
      until: start + seconds * 1_000,
      progress: () => progress.at((performance.now() - start) / 1_000, 'measuring'),
    },
  )
  progress.end()
  return pairs.map(({ format, cases }) => figuresOf(format, batchOf(format), cases, samples))
}

function figuresOf(format: Projection, { timelines }: Batch, [own, ceiling]: readonly [Case, Case], samples: Samples) {
  const [{ rate = Number.NaN, cpuMicros = Number.NaN } = {}] = rowsOf([own], samples)
  const bytes = timelines.reduce((sum, timeline) => sum + Buffer.byteLength(format.write(timeline, target)), 0)
  const { cpuRatio } = ratiosOf(samples.get(own.name) ?? [], samples.get(ceiling.name) ?? [])
  return {
    format: format.name,
    eventsPerSecond: Math.round(rate),
    megabytesPerSecond: (rate * bytes) / (timelines.length * timelineLength) / 1e6,
    cpuMicrosPerEvent: cpuMicros,
    times: cpuRatio,
  }
}

function tableOf(figures: readonly Figures[]): string {
  const head = ['format', 'events/s', 'MB/s', 'CPU us/event', 'x JSON.stringify']
  const lines = figures.map(({ format, eventsPerSecond, megabytesPerSecond, cpuMicrosPerEvent, times }) => [
    format,
    eventsPerSecond.toLocaleString('en'),
    megabytesPerSecond.toFixed(1),
    cpuMicrosPerEvent.toFixed(2),
    times.toFixed(2),
  ])
  return `${inColumns([head, ...lines], [1, 2, 3, 4])}\n\n${note}`
}

const note = [
  `${timelineCount} timelines of ${timelineLength} events in memory, each written to bytes of JSON in turn; medians of all rounds.`,
  'The last column holds the format against JSON.stringify of the same document, ready in memory, by CPU time: at 2.00 the',
  'format is written in half the time that its finished object takes. A format that tells one state, and no history, has a',
  'small document that follows from a whole timeline.',
].join('\n')

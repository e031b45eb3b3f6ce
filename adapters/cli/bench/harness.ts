/** One run of a case: events or requests, wall time and CPU time of the measured process. */
export interface Sample {
  readonly units: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** Other measurements by name and unit, such as `peak MiB`. */
  readonly figures?: Readonly<Record<string, number>>
}

/** A measured case, and the cases it is compared with. */
export interface Case {
  readonly name: string
  readonly reference?: string | readonly string[]
  run(): Promise<Sample>
}

/** The samples of each case by name, one per counted round. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

/** A case over all rounds: medians, and the medians of the ratios of each round. */
export interface Row {
  readonly name: string
  /** Units per second of wall time. */
  readonly rate: number
  /** Microseconds of CPU time per unit, over all threads of the process. */
  readonly cpuMicros: number
  readonly figures?: Readonly<Record<string, number>>
  readonly reference?: string
  /** Speed relative to the reference: by wall time, and by CPU time. */
  readonly ratio?: number
  readonly cpuRatio?: number
}

/** Number and duration of rounds. */
export interface Rounds {
  readonly rounds: number
  /** The `performance.now()` after which no round starts, once one has counted. */
  readonly until?: number
  progress(done: string): void
}

/** The median. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}

/** The cases in the order of a round; every other round is reversed. */
export function inTurn<Item>(items: readonly Item[], round: number): readonly Item[] {
  return round % 2 === 0 ? items : [...items].reverse()
}

/** Runs every case once per round, after one round that is not counted. */
export async function runRounds(
  { cases }: { readonly cases: readonly Case[] },
  { rounds, until = Number.POSITIVE_INFINITY, progress }: Rounds,
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(cases.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds && (round < 2 || performance.now() < until); round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const { name, run } of inTurn(cases, round)) {
      const sample = await run()
      if (round > 0) samples.get(name)?.push(sample)
    }
  }
  return samples
}

/** The rows of a table: one per case, or one per comparison. */
export function rowsOf(cases: readonly Case[], samples: Samples): readonly Row[] {
  return cases.flatMap(({ name, reference }) => {
    const own = samples.get(name) ?? []
    const row = { name, rate: median(own.map(rateOf)), cpuMicros: median(own.map(cpuOf)), ...figuresOf(own) }
    if (reference === undefined) return [row]
    return [reference].flat().map((other) => ({ ...row, reference: other, ...ratiosOf(own, samples.get(other) ?? []) }))
  })
}

/** The speed relative to others in each round, by wall time and by CPU time. */
export function ratiosOf(own: readonly Sample[], others: readonly Sample[]) {
  const against = (of: (sample: Sample) => number) =>
    median(own.map((sample, round) => of(sample) / of(others[round] ?? sample)))
  return { ratio: against(rateOf), cpuRatio: 1 / against(cpuOf) }
}

/** Measures work in this process. */
export async function measured(units: number, work: () => Promise<void> | void): Promise<Sample> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { units, seconds, cpuSeconds: (user + system) / 1e6 }
}

function rateOf({ units, seconds }: Sample): number {
  return units / seconds
}

function cpuOf({ units, cpuSeconds }: Sample): number {
  return (cpuSeconds * 1e6) / units
}

function figuresOf(samples: readonly Sample[]): Pick<Row, 'figures'> {
  const names = Object.keys(samples[0]?.figures ?? {})
  if (names.length === 0) return {}
  const middle = (name: string) => median(samples.map(({ figures }) => figures?.[name] ?? Number.NaN))
  return { figures: Object.fromEntries(names.map((name) => [name, middle(name)])) }
}

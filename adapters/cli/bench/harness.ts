/** What one run of a case did: how many events or requests, in how much wall time and CPU time of the measured process. */
export interface Sample {
  readonly units: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** What else was measured, by name and unit: `peak MiB`. */
  readonly figures?: Readonly<Record<string, number>>
}

/** Something that is measured, and the case, or the cases, that it is held against. */
export interface Case {
  readonly name: string
  readonly reference?: string | readonly string[]
  run(): Promise<Sample>
}

/** The samples of each case by its name, one for each round that counts. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

/** A case over all rounds: medians, and the medians of the ratios of each round. */
export interface Row {
  readonly name: string
  /** Units a second of wall time. */
  readonly rate: number
  /** Microseconds of CPU time a unit, all threads of the process. */
  readonly cpuMicros: number
  readonly figures?: Readonly<Record<string, number>>
  readonly reference?: string
  /** How much of the reference's speed is reached: by wall time, and by CPU time. */
  readonly ratio?: number
  readonly cpuRatio?: number
}

/** How often, and for how long, cases are run. */
export interface Rounds {
  readonly rounds: number
  /** The time of `performance.now()` after which no round begins, once one has counted. */
  readonly until?: number
  progress(done: string): void
}

/** The middle of some numbers, or the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}

/** The cases in the order of a round: from the first to the last, and every other round from the last to the first. */
export function inTurn<Item>(items: readonly Item[], round: number): readonly Item[] {
  return round % 2 === 0 ? items : [...items].reverse()
}

/** Runs every case once a round, after a round that is not counted. */
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

/** The rows of a table: one a case, or one for each that it is held against. */
export function rowsOf(cases: readonly Case[], samples: Samples): readonly Row[] {
  return cases.flatMap(({ name, reference }) => {
    const own = samples.get(name) ?? []
    const row = { name, rate: median(own.map(rateOf)), cpuMicros: median(own.map(cpuOf)), ...figuresOf(own) }
    if (reference === undefined) return [row]
    return [reference].flat().map((other) => ({ ...row, reference: other, ...ratiosOf(own, samples.get(other) ?? []) }))
  })
}

/** How much of the speed of others is reached, round by round: by wall time, and by CPU time. */
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

/** What one run of a case did: how many events or requests, in how much wall time and CPU time of the measured process. */
export interface Sample {
  readonly units: number
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Something that is measured, and the case, or the cases, that it is held against. */
export interface Case {
  readonly name: string
  readonly reference?: string | readonly string[]
  run(): Promise<Sample>
}

/** A case over all rounds: medians, and the medians of the ratios of each round. */
export interface Row {
  readonly name: string
  /** Units a second of wall time. */
  readonly rate: number
  /** Microseconds of CPU time a unit, all threads of the process. */
  readonly cpuMicros: number
  readonly reference?: string
  /** How much of the reference's speed is reached: by wall time, and by CPU time. */
  readonly ratio?: number
  readonly cpuRatio?: number
}

/** A subject of measurement: its cases, ready to run, and what the reader has to know of them. */
export interface Prepared {
  readonly cases: readonly Case[]
  readonly notes: readonly string[]
  close(): Promise<void>
}

/** What a run is given: `scale` 1 is the normal size, `directory` is where the stores lie. */
export interface Settings {
  readonly rounds: number
  readonly scale: number
  readonly directory: string
  progress(done: string): void
}

/** A topic of the benchmarks. */
export interface Topic {
  readonly name: string
  readonly summary: string
  /** What is counted: `event`, `request`. */
  readonly unit: string
  prepare(settings: Settings): Promise<Prepared>
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

/** Runs every case once a round, after a round that is not counted; answers the samples of each case by its name. */
export async function runRounds(
  { cases }: Pick<Prepared, 'cases'>,
  settings: Settings,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>(cases.map(({ name }) => [name, []]))
  for (let round = 0; round <= settings.rounds; round++) {
    settings.progress(round === 0 ? 'warming up' : `round ${round} of ${settings.rounds}`)
    for (const { name, run } of inTurn(cases, round)) {
      const sample = await run()
      if (round > 0) samples.get(name)?.push(sample)
    }
  }
  return samples
}

/** The rows of a table: one a case, or one for each that it is held against. */
export function rowsOf(cases: readonly Case[], samples: ReadonlyMap<string, readonly Sample[]>): readonly Row[] {
  return cases.flatMap(({ name, reference }) => {
    const own = samples.get(name) ?? []
    const row = { name, rate: median(own.map(rateOf)), cpuMicros: median(own.map(cpuOf)) }
    if (reference === undefined) return [row]
    return [reference].flat().map((other) => ({ ...row, ...ratiosOf(other, own, samples.get(other) ?? []) }))
  })
}

function ratiosOf(reference: string, own: readonly Sample[], others: readonly Sample[]) {
  const against = (of: (sample: Sample) => number) =>
    median(own.map((sample, round) => of(sample) / of(others[round] ?? sample)))
  return { reference, ratio: against(rateOf), cpuRatio: 1 / against(cpuOf) }
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

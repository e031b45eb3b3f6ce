import type { Case, Rounds } from '../adapters/cli/bench/harness.ts'

/** `otep bench` measures with the same harness. */
export * from '../adapters/cli/bench/harness.ts'

/** A subject of measurement: its cases, ready to run, and what the reader has to know of them. */
export interface Prepared {
  readonly cases: readonly Case[]
  readonly notes: readonly string[]
  close(): Promise<void>
}

/** What a topic is given: `scale` 1 is the normal size, `directory` is where the stores lie. */
export interface Settings extends Rounds {
  readonly scale: number
  readonly directory: string
  /** Answers a package of `bench/peers/`; nothing where it is not installed, or not wanted. */
  peer<Module>(name: string): Module | undefined
}

/** A topic of the benchmarks. */
export interface Topic {
  readonly name: string
  readonly summary: string
  /** What is counted: `event`, `request`. */
  readonly unit: string
  prepare(settings: Settings): Promise<Prepared>
}

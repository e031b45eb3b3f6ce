import type { Case, Rounds } from '../adapters/cli/bench/harness.ts'

/** `otep bench` measures with the same harness. */
export * from '../adapters/cli/bench/harness.ts'

/** A subject of measurement: its cases, ready to run, and notes for the reader. */
export interface Prepared {
  readonly cases: readonly Case[]
  readonly notes: readonly string[]
  close(): Promise<void>
}

/** The settings of a topic: `scale` 1 is the normal size, `directory` is for the stores. */
export interface Settings extends Rounds {
  readonly scale: number
  readonly directory: string
  /** Returns a package of `bench/peers/`; undefined if it is not installed, or not wanted. */
  peer<Module>(name: string): Module | undefined
}

/** A topic of the benchmarks. */
export interface Topic {
  readonly name: string
  readonly summary: string
  /** The unit: `event`, `request`. */
  readonly unit: string
  /** Rounds that count at most; its cases take long. */
  readonly maxRounds?: number
  prepare(settings: Settings): Promise<Prepared>
}

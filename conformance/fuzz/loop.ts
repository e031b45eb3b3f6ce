import type { Coverage } from './coverage.ts'
import { mutated, type Random } from './mutations.ts'

/** A parser that takes what others send. */
export interface FuzzTarget {
  readonly name: string
  /** Inputs to begin with, besides the corpus. */
  readonly seeds: () => readonly Buffer[]
  /** Parses an input; throws if a property does not hold. Refusals that are declared are no errors. */
  readonly check: (input: Buffer) => unknown
  /** How often blocks of the program may run: for any input, and in addition for each byte. */
  readonly work: { readonly base: number; readonly perByte: number }
}

/** An input for which a property does not hold. */
interface Failure {
  readonly input: Buffer
  readonly reason: string
}

/** What came out of a run. */
interface Fuzzed {
  readonly runs: number
  readonly blocks: number
  /** The largest share of the allowed work that an input or a batch has needed. */
  readonly work: number
  readonly failures: readonly Failure[]
  /** Inputs that ran blocks which none before them did. */
  readonly fresh: readonly Buffer[]
}

/** How a run goes. */
interface FuzzOptions {
  readonly coverage: Coverage
  readonly random: Random
  readonly corpus: readonly Buffer[]
  /** Until when inputs are made, as `performance.now()` says it; the seeds and the corpus are always checked. */
  readonly until: number
}

/** Inputs between two looks at the coverage, which take longer than most inputs: more where nothing new was found. */
const batches = { first: 32, most: 1_024 }

/** What has run so far. */
interface Seen {
  /** Looks at what these inputs have run; returns whether any of it is new. */
  look(inputs: readonly Buffer[]): 'new' | 'known' | 'too much'
  /** Forgets what the last look has added. */
  forgetLast(): void
  size(): number
  /** The largest share of the allowed work. */
  work(): number
}

function createSeen({ work: allowance }: FuzzTarget, coverage: Coverage): Seen {
  const seen = new Set<string>()
  let last: string[] = []
  let most = 0
  return {
    look: (inputs) => {
      const { blocks, work } = coverage.look()
      const share = work / inputs.reduce((sum, { length }) => sum + allowance.base + length * allowance.perByte, 0)
      most = Math.max(most, share)
      last = blocks.filter((block) => !seen.has(block))
      for (const block of last) seen.add(block)
      return share > 1 ? 'too much' : last.length > 0 ? 'new' : 'known'
    },
    forgetLast: () => {
      for (const block of last) seen.delete(block)
    },
    size: () => seen.size,
    work: () => most,
  }
}

/**
 * Checks the seeds and the corpus, and then random changes of them. An input that reaches new code is changed further:
 * this is how the loop finds its way into a parser. Ends at the first failure.
 */
export async function fuzz(target: FuzzTarget, { coverage, random, corpus, until }: FuzzOptions): Promise<Fuzzed> {
  const seen = createSeen(target, coverage)
  const pool: Buffer[] = []
  const fresh: Buffer[] = []
  const failures: Failure[] = []
  let runs = 0

  async function run(input: Buffer): Promise<void> {
    if (failures.length > 0) return
    runs++
    try {
      await target.check(input)
    } catch (error) {
      failures.push({ input, reason: error instanceof Error ? `${error.stack}` : String(error) })
    }
  }

  /** Runs inputs, and finds those that run new code by halves. Returns whether there are any. */
  async function explore(inputs: readonly Buffer[]): Promise<boolean> {
    for (const input of inputs) await run(input)
    const found = seen.look(inputs)
    if (found === 'known' || failures.length > 0) return false
    const [input] = inputs
    if (inputs.length === 1 && input !== undefined) {
      if (found === 'too much') failures.push({ input, reason: `it takes ${seen.work()} times the allowed work` })
      pool.push(input)
      fresh.push(input)
      return true
    }
    seen.forgetLast()
    const middle = Math.ceil(inputs.length / 2)
    for (const half of [inputs.slice(0, middle), inputs.slice(middle)]) await explore(half)
    return true
  }

  coverage.look()
  const given = [...target.seeds(), ...corpus]
  for (const input of given) await run(input)
  if (seen.look(given) === 'too much') for (const input of given) await explore([input])
  pool.push(...given)
  const any = () => pool[random(pool.length)] ?? Buffer.alloc(0)
  let size = batches.first
  while (performance.now() < until && failures.length === 0) {
    const isFresh = await explore(Array.from({ length: size }, () => mutated(any(), any(), random)))
    size = isFresh ? batches.first : Math.min(2 * size, batches.most)
  }
  return { runs, blocks: seen.size(), work: seen.work(), failures, fresh }
}

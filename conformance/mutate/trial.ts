import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCompiler } from './compiler.ts'
import { type Equivalent, speaksOf } from './equivalents.ts'
import { type Mutant, mutantsOf, mutated } from './mutants.ts'
import { filesOf, type Room, testsOf } from './rooms.ts'
import { openWorkshop, passesIn, type Workshop } from './workshop.ts'

/** What became of a mutant: `refused` by the compiler, known as `equivalent`, or `caught` by a test or not. */
export type Fate = 'caught' | 'survived' | 'refused' | 'equivalent'

/** A mutant, and where it is. */
export interface Candidate {
  readonly room: Room
  readonly mutant: Mutant
}

/** A mutant that was tried. */
export interface Outcome extends Candidate {
  readonly fate: Fate
}

/** All mutants of the rooms. */
export function candidatesIn(root: string, rooms: readonly Room[]): readonly Candidate[] {
  return rooms.flatMap((room) =>
    filesOf(root, room).flatMap((file) => mutantsOf(file, textOf(root, file)).map((mutant) => ({ room, mutant }))),
  )
}

/** What a trial needs to know. */
interface Setting {
  /** A project whose compiled files are in `dist`. */
  readonly root: string
  readonly equivalents: readonly Equivalent[]
  readonly workers: number
  readonly tell: (outcome: Outcome) => void
}

/** Tries each mutant with the tests of its folder, then with the related ones. Throws where a file does not compile as it is. */
export async function tried(candidates: readonly Candidate[], setting: Setting): Promise<readonly Outcome[]> {
  const { root, equivalents, workers, tell } = setting
  const compiler = createCompiler(root)
  const timeoutOf = createTimeouts(root)
  const outcomes: Outcome[] = []

  async function fateOf({ room, mutant }: Candidate, workshop: Workshop): Promise<Fate> {
    if (equivalents.some((entry) => speaksOf(entry, mutant))) return 'equivalent'
    const original = textOf(root, mutant.file)
    const text = mutated(original, mutant)
    if (!compiler.accepts(mutant.file, text)) {
      if (compiler.accepts(mutant.file, original)) return 'refused'
      throw new Error(`${mutant.file} does not compile without a mutant.`)
    }
    return workshop.changed(mutant.file, compiler.compiled(text), async () => {
      for (const test of testsOf(root, room, mutant.file))
        if (!(await workshop.passes(test, await timeoutOf(test)))) return 'caught'
      return 'survived'
    })
  }

  // One generator for all workers: where one of them fails, its loop ends the generator, and so the others.
  const waiting = eachOf(candidates)
  async function work() {
    const workshop = openWorkshop(root)
    for (const candidate of waiting) {
      const outcome = { ...candidate, fate: await fateOf(candidate, workshop) }
      outcomes.push(outcome)
      tell(outcome)
    }
    workshop.close()
  }
  await Promise.all(Array.from({ length: workers }, work))
  return candidates.flatMap(({ mutant }) => outcomes.filter((outcome) => outcome.mutant === mutant))
}

function* eachOf<Item>(items: readonly Item[]): Generator<Item> {
  yield* items
}

/**
 * How long a test may take with a mutant, in milliseconds: three times as long as without, and five seconds. Throws where
 * a test fails without one, because every mutant would count as caught.
 */
function createTimeouts(root: string): (test: string) => Promise<number> {
  const known = new Map<string, Promise<number>>()
  async function measured(test: string): Promise<number> {
    const start = performance.now()
    if (!(await passesIn(root, test))) throw new Error(`${test} fails without a mutant.`)
    return Math.ceil(3 * (performance.now() - start) + 5000)
  }
  return (test) => {
    const timeout = known.get(test) ?? measured(test)
    known.set(test, timeout)
    return timeout
  }
}

function textOf(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

import type { Projection } from '../../engine/index.ts'
import { documentsOf, formName, optionsName } from '../suites/projection/documents.ts'
import { journeys } from '../suites/projection/kept.ts'
import { randomTimelines } from '../suites/projection/random.ts'
import { looked } from '../suites/projection/rules.ts'
import { codesAlone, type Named, timelines } from '../suites/projection/timelines.ts'
import type { Judge, Judged } from './judge.ts'

/** A document for a judge, and its input. */
interface Exhibit {
  readonly name: string
  readonly document: Judged
}

/** The results of a format's documents with one judge. */
export interface Verdict {
  readonly format: string
  readonly judge: string
  /** Why the judge could not run; the counts are then zero. */
  readonly missing?: string
  readonly tried: number
  readonly passed: number
  /** A finding, with its document. */
  readonly faults: readonly string[]
}

/** How many random timelines are tried, and the seed that they grow from. */
export interface Chance {
  readonly runs: number
  readonly seed: number
}

/** The timelines for judges: every code, every member, unusual but valid ones, the sample journeys, and random ones. */
export async function exhibitedTimelines(
  formats: readonly [Projection, ...Projection[]],
  { runs, seed }: Chance,
): Promise<readonly Named[]> {
  const random = await randomTimelines(formats, runs, seed)
  return [...timelines, ...codesAlone, ...(await journeys(formats)), ...random]
}

/** The documents that a format makes of timelines, in every form and with every option. */
export async function exhibitsOf(format: Projection, shown: readonly Named[]): Promise<readonly Exhibit[]> {
  const exhibits: Exhibit[] = []
  for (const { name, timeline } of shown) {
    for (const document of await documentsOf(format, timeline)) {
      const words = [name, optionsName(document.target), formName(document)].filter((word) => word !== '')
      exhibits.push({ name: words.join(', '), document })
    }
  }
  return exhibits
}

/** Runs one judge on the documents that it accepts. */
export async function trial(judge: Judge, exhibits: readonly Exhibit[]): Promise<Verdict> {
  const { format, name } = judge
  const { here: faultsIn, missing } = judge.open()
  if (missing !== undefined) return { format, judge: name, missing, tried: 0, passed: 0, faults: [] }
  const accepted = exhibits.filter(({ document }) => judge.takes(document))
  const faults: string[] = []
  let passed = 0
  for (const { name: of, document } of accepted) {
    const found = await looked(of, () => faultsIn(document))
    if (found.length === 0) passed++
    else faults.push(...found.slice(0, 3))
  }
  return { format, judge: name, tried: accepted.length, passed, faults }
}

import type { Test } from 'tap'
import { goals } from './goals.ts'
import { type Case, rowsOf, runRounds, type Settings, type Topic } from './harness.ts'
import { topics } from './topics.ts'

/**
 * Cases of other programs, and of documents that are not available everywhere; and posts, whose servers take long to
 * fill.
 */
const ofPeers = /epcis2|emmett|castore|OpenTelemetry|ajv|official examples|POST/

/** The cases of any small run, by topic, with `#` for a number, because the sizes of a large run differ. */
const seenCases = new Map<string, readonly string[]>()

export function namesIn({ name: topic }: Pick<Topic, 'name'>, cases: readonly Case[]): readonly string[] {
  const names = cases.map(({ name }) => name)
  seenCases.set(topic, names.map(unnumbered))
  return names
}

function unnumbered(name: string): string {
  return name.replace(/\d[\d,]*/g, '#')
}

export function small(directory: string): Settings {
  return { rounds: 1, scale: 0.01, directory, peer: () => undefined, progress: () => {} }
}

/** Runs a topic in one round and checks its table; `look` may check the remaining files before they are deleted. */
export async function runSmall(t: Test, topic: Topic, directory: string, look: () => void = () => {}): Promise<void> {
  const settings = small(directory)
  const prepared = await topic.prepare(settings)
  const names = namesIn(topic, prepared.cases)
  t.equal(new Set(names).size, names.length, `${topic.name}: a case is called after what it does`)
  try {
    const rows = rowsOf(prepared.cases, await runRounds(prepared, settings))
    for (const { name, rate, reference, ratio = 0 } of rows) {
      t.ok(rate > 0, `${topic.name}: ${name}`)
      t.equal(reference === undefined || (names.includes(reference) && ratio > 0), true)
    }
    look()
  } finally {
    await prepared.close()
  }
}

/** Prepares topics that start programs, and runs each case once. */
export async function runPrograms(t: Test, topics: readonly Topic[]): Promise<void> {
  const directory = t.testdir()
  for (const topic of topics) {
    const { cases, close } = await topic.prepare(small(directory))
    namesIn(topic, cases)
    try {
      for (const { name, run } of cases) {
        const { cpuSeconds, figures } = await run()
        // A server with a small heap may end on a slow machine; that is measured, too.
        t.ok(cpuSeconds > 0 || figures?.deaths === 1, name)
      }
    } finally {
      await close()
    }
  }
}

/** Asserts that each goal has an existing topic, and existing cases if the topic has run in this process. */
export function holdGoals(t: Test): void {
  for (const { work, measure } of goals) {
    const pairs =
      measure.kind === 'figure'
        ? [measure.of].flat().map((of) => ({ topic: measure.topic, of, to: of }))
        : measure.pairs
    for (const { topic, of, to } of pairs) {
      t.ok(
        topics.some(({ name }) => name === topic),
        `${work}: ${topic}`,
      )
      const names = seenCases.get(topic)
      if (names === undefined) continue
      t.ok(names.includes(unnumbered(of)) || ofPeers.test(of), `${work}: ${topic}: ${of}`)
      t.ok(names.includes(unnumbered(to)) || ofPeers.test(to), `${work}: ${topic}: ${to}`)
    }
  }
}

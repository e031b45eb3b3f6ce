import t from 'tap'
import { canonicalLink } from '../../engine/index.ts'
import { corpusOf } from './corpus.ts'
import { startCoverage } from './coverage.ts'
import { type FuzzTarget, fuzz } from './loop.ts'
import { randomFrom } from './mutations.ts'
import { targets } from './targets.ts'

/** Milliseconds for each parser. */
const time = 1_000

/** Another one in each run; printed, so that a run can be repeated. */
const seed = Number(process.env.OTEP_TEST_SEED ?? Date.now() % 1_000_000)

t.comment(`OTEP_TEST_SEED=${seed}`)

const coverage = startCoverage()
t.teardown(coverage.stop)

t.test('given a parser with a hole, when it is fuzzed, then the hole is found', async (t) => {
  const seeds = () => [Buffer.from('urn:epc:id:sgln:9506000.00001.0')]
  const read = (input: Buffer) => canonicalLink(input.toString())
  const hole = (input: Buffer) => {
    if (read(input).includes('/254/')) throw new Error('the hole')
  }
  const until = performance.now() + 60_000
  const reasonOf = async (given: Pick<FuzzTarget, 'check' | 'work'>) => {
    const target = { name: 'hole', seeds, ...given }
    return (await fuzz(target, { coverage, random: randomFrom(1), corpus: [], until })).failures[0]?.reason
  }
  t.match(await reasonOf({ check: hole, work: { base: 50_000, perByte: 500 } }), 'the hole')
  t.match(await reasonOf({ check: read, work: { base: 1, perByte: 0 } }), 'times the allowed work')
})

for (const target of targets) {
  await t.test(`given random inputs, when ${target.name} is parsed, then its properties hold`, async (t) => {
    const until = performance.now() + time
    const { runs, failures } = await fuzz(target, {
      ...{ coverage, random: randomFrom(seed), corpus: corpusOf(target), until },
    })
    t.comment(`${target.name}: ${runs} inputs`)
    const shown = failures.map(({ input, reason }) => `${reason}\n${input.toString('base64')}`)
    t.same(shown, [], 'npm run fuzz keeps the input')
  })
}

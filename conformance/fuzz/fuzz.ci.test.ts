import t from 'tap'
import { corpusOf } from './corpus.ts'
import { startCoverage } from './coverage.ts'
import { fuzz } from './loop.ts'
import { randomFrom } from './mutations.ts'
import { targets } from './targets.ts'

/** Milliseconds for each parser. */
const time = 2_500

/** Another one in each run; printed, so that a run can be repeated. */
const seed = Number(process.env.OTEP_FUZZ_SEED ?? Date.now() % 1_000_000)

t.comment(`OTEP_FUZZ_SEED=${seed}`)

const coverage = startCoverage()
t.teardown(coverage.stop)

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

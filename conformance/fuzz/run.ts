import { parseArgs } from 'node:util'
import { corpusOf, growCorpus, keepInput } from './corpus.ts'
import { startCoverage } from './coverage.ts'
import { fuzz } from './loop.ts'
import { randomFrom } from './mutations.ts'
import { targets } from './targets.ts'

const help = `Usage: npm run fuzz -- [OPTIONS]

Gives the parsers inputs that are made at random from those of conformance/fuzz/corpus, and changes further what reaches
new code. An input for which a property does not hold is printed and added to the corpus; then the exit code is 1.

  --seconds N     for each parser (default 60)
  --target NAME   only this parser (repeatable): ${targets.map(({ name }) => name).join(', ')}
  --seed N        the seed of the random numbers (default: another one each time)
  --grow          add short inputs that reach new code to the corpus
  --help          show this
`

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...{ seconds: { type: 'string', default: '60' }, target: { type: 'string', multiple: true } },
      ...{ seed: { type: 'string' }, grow: { type: 'boolean' }, help: { type: 'boolean' } },
    },
  })
  if (values.help === true) {
    process.stdout.write(help)
    return 0
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  process.stdout.write(`seed ${seed}\n`)
  const coverage = startCoverage()
  let failed = 0
  for (const target of targets.filter(({ name }) => values.target?.includes(name) ?? true)) {
    const until = performance.now() + Number(values.seconds) * 1_000
    const result = await fuzz(target, { coverage, random: randomFrom(seed), corpus: corpusOf(target), until })
    const share = `${Math.ceil(100 * result.work)} % of the allowed work`
    process.stdout.write(`${target.name}: ${result.runs} inputs, ${result.blocks} blocks, at most ${share}\n`)
    for (const { input, reason } of result.failures)
      process.stdout.write(`FAILED: ${keepInput(target, input)}\n${reason}\n`)
    if (values.grow === true) growCorpus(target, result.fresh)
    failed += result.failures.length
  }
  coverage.stop()
  return failed === 0 ? 0 : 1
}

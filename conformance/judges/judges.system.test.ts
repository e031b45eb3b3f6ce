import t from 'tap'
import { projections } from '../../projections/index.ts'
import { judges } from './index.ts'
import type { Judge } from './judge.ts'
import { exhibitedTimelines, exhibitsOf, trial } from './trial.ts'

const shown = await exhibitedTimelines(projections, { runs: 20, seed: 20_261_121 })

for (const format of projections.filter(({ external }) => external)) {
  const panel = judges.filter((judge) => judge.format === format.name)
  t.test(`${format.name} has a judge`, { skip: panel.length === 0 && 'nobody judges it yet' }, async () => {})
  const exhibits = await exhibitsOf(format, shown)
  for (const judge of panel) {
    const { tried, passed, faults, missing } = await trial(judge, exhibits)
    const sentence = `${format.name}: ${tried} documents pass ${judge.name}`
    t.test(sentence, missing === undefined ? {} : { skip: missing }, async (t) => {
      t.not(tried, 0, 'it is shown documents')
      t.same(faults.slice(0, 10), [])
      t.equal(passed, tried)
    })
  }
}

t.test('given the list of judges, when it is read, then each has a name of its own and a format that is', async (t) => {
  const names = judges.map(({ format, name }) => `${format}: ${name}`)
  t.equal(new Set(names).size, names.length)
  const formats = projections.map(({ name }) => name)
  t.same(
    judges.filter(({ format }) => !formats.includes(format)),
    [],
  )
})

t.test(
  'given a judge that finds fault, throws nothing and lacks nothing, when it tries, then each fault is told',
  async (t) => {
    const strict: Judge = {
      name: 'strict',
      format: 'otep',
      missing: () => undefined,
      takes: ({ mediaType }) => mediaType === 'application/json',
      judge: ({ timeline }) => (timeline.delivered ? ['delivered'] : []),
    }
    const [native] = projections
    const some = shown.filter(({ name }) => name.startsWith('journey'))
    const verdict = await trial(strict, await exhibitsOf(native, some))
    t.match(verdict, { format: 'otep', judge: 'strict', tried: 9 })
    t.equal(verdict.passed, some.filter(({ timeline }) => !timeline.delivered).length)
    t.equal(verdict.faults.length, 9 - verdict.passed)
    t.match(verdict.faults[0], /^journey happy-path, application\/json: delivered$/)
    t.same(await trial({ ...strict, missing: () => 'no files' }, []), {
      ...{ format: 'otep', judge: 'strict', missing: 'no files', tried: 0, passed: 0, faults: [] },
    })
  },
)

import t from 'tap'
import { projections } from '../../projections/index.ts'
import { judges } from './index.ts'
import { type Judge, readyJudge } from './judge.ts'
import { judgeAll, shown } from './judges.test.fixture.ts'
import { exhibitsOf, trial } from './trial.ts'

// Every sixth; .ci/run shows them all.
await judgeAll(shown.filter((_, index) => index % 6 === 0))

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
  'given a judge that finds faults, throws nothing and lacks nothing, when it runs, then each fault is reported',
  async (t) => {
    const strict = readyJudge({
      name: 'strict',
      format: 'otep',
      takes: ({ mediaType }) => mediaType === 'application/json',
      judge: ({ timeline }) => (timeline.delivered ? ['delivered'] : []),
    })
    const [native] = projections
    const some = shown.filter(({ name }) => name.startsWith('journey'))
    const verdict = await trial(strict, await exhibitsOf(native, some))
    t.match(verdict, { format: 'otep', judge: 'strict', tried: 11 })
    t.equal(verdict.passed, some.filter(({ timeline }) => !timeline.delivered).length)
    t.equal(verdict.faults.length, 11 - verdict.passed)
    t.match(verdict.faults[0], /^journey happy-path, application\/json: delivered$/)
    const absent: Judge = { ...strict, open: () => ({ missing: 'no files' }) }
    t.same(await trial(absent, []), {
      ...{ format: 'otep', judge: 'strict', missing: 'no files', tried: 0, passed: 0, faults: [] },
    })
  },
)

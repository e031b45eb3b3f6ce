import t from 'tap'
import { projections } from '../../projections/index.ts'
import { judges } from './index.ts'
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

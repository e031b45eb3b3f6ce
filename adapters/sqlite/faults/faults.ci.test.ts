import t from 'tap'
import { replaceDriver } from './driver.test.fixture.ts'
import { chosenBy } from './script.test.fixture.ts'
import { surviveAll } from './scripts.test.fixture.ts'

replaceDriver()

/** Another one in each run; printed, so that a run can be repeated. */
const seed = Number(process.env.OTEP_TEST_SEED ?? Date.now() % 1_000_000)

t.test('given work on a database, when every fourteenth driver call fails, then nothing is lost or wrong', (t) => {
  t.comment(`OTEP_TEST_SEED=${seed}`)
  return surviveAll(t, chosenBy(seed, 14))
})

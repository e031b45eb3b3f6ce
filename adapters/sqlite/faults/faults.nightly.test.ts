import t from 'tap'
import { replaceDriver } from './driver.test.fixture.ts'
import { everyCall } from './script.test.fixture.ts'
import { surviveAll } from './scripts.test.fixture.ts'

replaceDriver()

t.test(
  'given work on a database, when any of its driver calls fails in any way, then it is refused clearly and can be repeated',
  (t) => surviveAll(t, everyCall),
)

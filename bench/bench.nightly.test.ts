import t from 'tap'
import { distributed } from './distributed.ts'
import { fairness } from './fairness/index.ts'
import { long } from './long.ts'
import { read } from './read.ts'
import { rebuild } from './rebuild.ts'
import { shell } from './shell.ts'
import { holdGoals, runPrograms } from './small.test.fixture.ts'
import { startUp } from './start-up.ts'
import { webhooks } from './webhooks.ts'

t.test('given programs as they are built, when they are measured, then they do their work', async (t) => {
  await runPrograms(t, [rebuild, startUp, read, distributed, shell, long, fairness, webhooks])
})

t.test('given the goals, when topics have run, then each uses existing cases', async (t) => {
  holdGoals(t)
})
